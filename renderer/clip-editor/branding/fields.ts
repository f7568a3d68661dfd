/** The fields of watermark, music and end card, with the controls of caption styles. PURE. */
import type { EndCardOption, WatermarkConfig } from '../../../server/contract/media-configs.ts'
import { DEFAULT_VOLUME } from '../../../server/nodes/sound/music.ts'
import { options, PERCENT, range, SHARE, toggle, type FieldGroup, type Option } from '../captions/fields.ts'
import { branding as messages } from '../../messages/editor.ts'

const SECONDS = { min: 0, max: 20, step: 0.1, unit: 's' }

const { none, ...named } = messages.moves
const MOVES: readonly Option[] = [
  { value: '', label: none },
  ...Object.entries(named).map(([value, label]) => ({ value, label })),
]

export const WATERMARK_GROUPS: readonly FieldGroup[] = [
  {
    name: messages.lookAndPosition,
    open: true,
    fields: [
      range('size', messages.width, { ...PERCENT, min: 2 }),
      range('opacity', messages.opacity, SHARE),
      range('padding', messages.margin, { ...PERCENT, max: 30, step: 0.5 }),
      range('x', messages.x, PERCENT),
      range('y', messages.y, PERCENT),
    ],
  },
  {
    name: messages.timeAndAnimation,
    fields: [
      range('startOffset', messages.startsAfter, SECONDS),
      range('endOffset', messages.endsBefore, SECONDS),
      options('introTransitionId', messages.animationIn, MOVES),
      options('outroTransitionId', messages.animationOut, MOVES),
      range('animationDuration', messages.animationLength, { ...SECONDS, max: 3 }),
    ],
  },
]

export const MUSIC_GROUPS: readonly FieldGroup[] = [
  { name: messages.sound, open: true, fields: [range('volume', messages.volume, SHARE)] },
]

export const END_CARD_GROUPS: readonly FieldGroup[] = [
  {
    name: messages.lookAndTime,
    open: true,
    fields: [
      range('duration', messages.duration, SECONDS),
      range('secondsBeforeEnd', messages.secondsBeforeEnd, SECONDS),
      range('opacity', messages.opacity, SHARE),
      range('volume', messages.videoVolume, SHARE),
      range('videoDuration', messages.maxVideo, SECONDS),
      toggle('isVideo', messages.onlyVideo),
    ],
  },
]

/** The effective values of a watermark's fields. */
export const effectiveWatermark = (config: WatermarkConfig): Record<string, unknown> => {
  const position = config.position ?? 3
  const share = (index: number, padding: number): number =>
    index === 0
      ? padding + (config.size ?? 16) / 2
      : index === 2
        ? 100 - padding - (config.size ?? 16) / 2
        : 50
  const cell = Math.min(9, Math.max(1, Math.round(position))) - 1
  return {
    position,
    size: 16,
    padding: 4,
    opacity: 1,
    startOffset: 0,
    endOffset: 0,
    animationDuration: 0.5,
    introTransitionId: '',
    outroTransitionId: '',
    x: share(cell % 3, config.padding ?? 4),
    y: [8, 50, 92][Math.floor(cell / 3)],
  }
}

/** The effective values of the music's fields. */
export const EFFECTIVE_MUSIC: Readonly<Record<string, unknown>> = { volume: DEFAULT_VOLUME.clip }

export const effectiveEndCard = (config: EndCardOption): Record<string, unknown> => ({
  duration: config.videoDuration ?? 3,
  secondsBeforeEnd: 0,
  opacity: 1,
  volume: 1,
  videoDuration: config.duration ?? 0,
})

/** The nine places of a watermark, read like a page. */
export const GRID: readonly string[] = Object.values(messages.places)

type Config = Readonly<Record<string, unknown>>

/** Moves a watermark to a place of the grid, and removes its own x and y, which would win. */
export function onGrid(config: Config, position: number): Config {
  const { x: _x, y: _y, ...rest } = config
  return { ...rest, position }
}

/** A name for a file, from its address. */
export function nameOfAddress(address: string): string {
  if (address.startsWith('data:')) return messages.embeddedFile
  if (address.startsWith('cutroom-source:')) return messages.libraryFile
  const path = address.replace(/[?#].*$/su, '')
  const last = path.split('/').findLast((part) => part !== '') ?? path
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

/** Why an address cannot be one, as a sentence; null where it can. */
export function addressProblem(address: string): string | null {
  const text = address.trim()
  if (text === '' || /^data:(?:image|audio)\//iu.test(text)) return null
  if (/^cutroom-source:[0-9a-f]{64}$/u.test(text)) return null
  return /^https?:\/\/[^\s/]+/iu.test(text) ? null : messages.badAddress
}
