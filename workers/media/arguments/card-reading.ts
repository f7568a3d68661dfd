/**
 * How a source is read on a graphics card: decoded there, made smaller there where the layout only crops and scales, and then
 * taken off it, once. What is drawn and laid out is drawn by the processor, and the encoder's card gets the finished picture. PURE.
 */
import type { Composition, CropSpan } from '../../../server/contract/composition.ts'
import type { CardFormat, CardName, Size } from './cards/card.ts'
import { CARDS, findCard } from './cards/registry.ts'
import type { EncoderSetting } from './hardware-encoders.ts'
import { inputGuard, listArguments } from './input.ts'
import { hasMovingCrop } from './render-crop.ts'
import { grows } from './render-grow.ts'
import { sectionsOf } from './render-layout.ts'
import type { TimePlan } from './render-time.ts'

/** A card that was tried and works on this machine. */
export interface CardChoice {
  readonly card: CardName
  /** The device, if the card needs one to be named. */
  readonly device: string | null
}

/** How one source is read on it. */
export interface CardReading extends CardChoice {
  readonly format: CardFormat
  /** What its pictures are scaled to before they leave the card; null: they leave as they are. */
  readonly size: Size | null
}

/** Options of the input; none where it is read by the processor. */
export function cardInput(reading: CardReading | null | undefined): readonly string[] {
  if (reading === null || reading === undefined) return []
  return findCard(reading.card)?.input(reading.device) ?? []
}

/** Filters from the decoded picture on the card to one in memory, with their comma; empty where it is in memory already. */
export function cardFilters(reading: CardReading | null | undefined): string {
  if (reading === null || reading === undefined) return ''
  const { card, size, format } = reading
  const scaled = size === null ? '' : `${findCard(card)?.scale(size, format) ?? ''},`
  return `${scaled}hwdownload,format=${format},`
}

/** Cards scale by four pixels a side: from more than two to one they would leave out some of the picture. */
const LEAST_SCALE = 0.5
/** With less to gain, scaling twice is not worth it. */
const MOST_SCALE = 0.75

/**
 * The size to which a source may be scaled before it is cropped: where all of the clip is resting crops and whole pictures. Null:
 * something is placed by pixels of the source, or there would be little to gain.
 */
export function sizeOnCard({ source, layout, output }: Composition): Size | null {
  if (source.interlaced || (source.patches ?? []).length > 0) return null
  const sections = sectionsOf(layout)
  const scales = sections.flatMap(({ spans }) => {
    const crops = spans.filter((span): span is CropSpan => span.kind === 'crop')
    if (crops.length > 0 && (grows(crops) || hasMovingCrop(crops))) return [Infinity]
    return spans.map((span) => {
      if (span.kind === 'panes') return Infinity
      const across = output.width / span.crop.width
      const down = output.height / span.crop.height
      return span.kind === 'crop' ? Math.max(across, down) : Math.min(across, down) * span.zoom
    })
  })
  const scale = Math.max(LEAST_SCALE, ...scales)
  return sections.length === 0 || scale > MOST_SCALE
    ? null
    : { width: atLeast(source.width * scale), height: atLeast(source.height * scale) }
}

/** The even number at or above it. */
const atLeast = (pixels: number): number => Math.ceil(pixels / 2) * 2

/** Each opening of the source is a decoder with pictures of its own in the card's memory. */
const MOST_WINDOWS = 8

/** What ffprobe tells of the picture's stream. */
export interface CodedPicture {
  readonly codec: string
  readonly pixelFormat: string
}

const FORMATS: Readonly<Record<string, CardFormat>> = {
  yuv420p: 'nv12',
  yuvj420p: 'nv12',
  yuv420p10le: 'p010le',
}

/** How the source of a composition could be read on this card, or why not: a phrase. To be tried on the source itself. */
export function planReading(
  choice: CardChoice,
  { composition, plan, coded }: { composition: Composition; plan: TimePlan; coded: CodedPicture },
): CardReading | { readonly why: string } {
  const format = FORMATS[coded.pixelFormat]
  if (format === undefined) return { why: `cards do not decode ${coded.codec} as ${coded.pixelFormat}` }
  if (plan.windows.length > MOST_WINDOWS)
    return { why: `it is read in ${plan.windows.length} places at once, and a card takes ${MOST_WINDOWS}` }
  return { ...choice, format, size: sizeOnCard(composition) }
}

const COMPARED = { width: 320, height: 180 } as const
/** Rounding of another scaler; another picture, or other colours, are tens of levels away. */
const MOST_APART = 3

/** The first picture from `seconds` on, small, as raw yuv420p on stdout: read on a card, or by the processor. */
export function pictureArguments(
  { file, stream, seconds }: { readonly file: string; readonly stream: number; readonly seconds: number },
  reading: CardReading | null,
): string[] {
  const { width, height } = COMPARED
  const filters = `${cardFilters(reading)}scale=${width}:${height}:flags=area,format=yuv420p`
  return listArguments`
    -hide_banner -nostdin -loglevel error ${cardInput(reading)} ${inputGuard()}
    ${seconds === 0 ? [] : ['-noaccurate_seek', '-ss', seconds.toFixed(6)]} -i file:${file}
    -filter_complex [0:${stream}]${filters}[picture] -map [picture] -frames:v 1 -f rawvideo pipe:1
  `
}

/** Why what the card made is not the processor's picture, as a phrase; null: it is. */
export function differenceOf(card: Uint8Array, processor: Uint8Array): string | null {
  const bytes = (COMPARED.width * COMPARED.height * 3) / 2
  if (card.length !== bytes || processor.length !== bytes) return 'it made no picture'
  const luma = COMPARED.width * COMPARED.height
  const apart = (from: number, to: number): number => {
    let sum = 0
    for (let at = from; at < to; at += 1) sum += Math.abs((card[at] ?? 0) - (processor[at] ?? 0))
    return sum / (to - from)
  }
  const worst = Math.max(apart(0, luma), apart(luma, bytes))
  return worst <= MOST_APART ? null : `its picture is another one (${worst.toFixed(1)} levels away)`
}

/** What cards are looked for on. `exists`: which devices are there. */
export interface CardMachine {
  readonly platform: string
  /** As this ffmpeg lists them. */
  readonly hwaccels: ReadonlySet<string>
  readonly filters: ReadonlySet<string>
  readonly exists: (path: string) => boolean
}

/** A card to try; `why`: a phrase, why it cannot be tried at all. */
export interface CardCandidate extends CardChoice {
  readonly why: string | null
}

/** The cards that the configuration allows and this system can have: to be tried, or with the phrase why not. */
export function cardCandidates(
  setting: 'auto' | EncoderSetting,
  { platform, hwaccels, filters, exists }: CardMachine,
): CardCandidate[] {
  const allowed = CARDS.filter(
    (card) => (setting === 'auto' || card.setting === setting) && card.platforms.includes(platform),
  )
  return allowed.flatMap(({ name, hwaccel, filters: needed, devices }): CardCandidate[] => {
    const missing = [hwaccel, ...needed].filter((one) => !hwaccels.has(one) && !filters.has(one))
    if (missing.length > 0)
      return [{ card: name, device: null, why: `is not in this build of ffmpeg (${missing.join(', ')})` }]
    if (devices === undefined) return [{ card: name, device: null, why: null }]
    const there = devices.filter(exists)
    return there.length === 0
      ? [{ card: name, device: null, why: 'has no device on this machine' }]
      : there.map((device) => ({ card: name, device, why: null }))
  })
}
