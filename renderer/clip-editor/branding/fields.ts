/** The fields of watermark, music and end card, with the controls of caption styles. PURE. */
import type { EndCardOption, WatermarkConfig } from '../../../server/contract/media-configs.ts'
import { DEFAULT_VOLUME } from '../../../server/nodes/sound/music.ts'
import type { FieldGroup, Option } from '../captions/fields.ts'
import { branding as messages } from '../../messages/editor.ts'

const PERCENT = { kind: 'range', min: 0, max: 100, step: 1, unit: '%' } as const
const SHARE = { kind: 'range', min: 0, max: 1, step: 0.01, unit: '%', times: 100 } as const
const SECONDS = { kind: 'range', min: 0, max: 20, step: 0.1, unit: 's' } as const

const MOVES: readonly Option[] = [
  { value: '', label: messages.moves.none },
  { value: 'fade', label: messages.moves.fade },
  { value: 'slideLeft', label: messages.moves.slideLeft },
  { value: 'slideRight', label: messages.moves.slideRight },
  { value: 'slideUp', label: messages.moves.slideUp },
  { value: 'slideDown', label: messages.moves.slideDown },
  { value: 'zoomIn', label: messages.moves.zoomIn },
  { value: 'zoomOut', label: messages.moves.zoomOut },
]

export const WATERMARK_GROUPS: readonly FieldGroup[] = [
  {
    name: messages.lookAndPosition,
    open: true,
    fields: [
      { name: 'size', label: messages.width, control: { ...PERCENT, min: 2 } },
      { name: 'opacity', label: messages.opacity, control: SHARE },
      { name: 'padding', label: messages.margin, control: { ...PERCENT, max: 30, step: 0.5 } },
      { name: 'x', label: messages.x, control: PERCENT },
      { name: 'y', label: messages.y, control: PERCENT },
    ],
  },
  {
    name: messages.timeAndAnimation,
    fields: [
      { name: 'startOffset', label: messages.startsAfter, control: SECONDS },
      { name: 'endOffset', label: messages.endsBefore, control: SECONDS },
      {
        name: 'introTransitionId',
        label: messages.animationIn,
        control: { kind: 'options', options: MOVES },
      },
      {
        name: 'outroTransitionId',
        label: messages.animationOut,
        control: { kind: 'options', options: MOVES },
      },
      { name: 'animationDuration', label: messages.animationLength, control: { ...SECONDS, max: 3 } },
    ],
  },
]

export const MUSIC_GROUPS: readonly FieldGroup[] = [
  {
    name: messages.sound,
    open: true,
    fields: [{ name: 'volume', label: messages.volume, control: SHARE }],
  },
]

export const END_CARD_GROUPS: readonly FieldGroup[] = [
  {
    name: messages.lookAndTime,
    open: true,
    fields: [
      { name: 'duration', label: messages.duration, control: SECONDS },
      { name: 'secondsBeforeEnd', label: messages.secondsBeforeEnd, control: SECONDS },
      { name: 'opacity', label: messages.opacity, control: SHARE },
      { name: 'volume', label: messages.videoVolume, control: SHARE },
      { name: 'videoDuration', label: messages.maxVideo, control: SECONDS },
      { name: 'isVideo', label: messages.onlyVideo, control: { kind: 'switch' } },
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
export const GRID: readonly string[] = [
  messages.places.topLeft,
  messages.places.top,
  messages.places.topRight,
  messages.places.left,
  messages.places.centre,
  messages.places.right,
  messages.places.bottomLeft,
  messages.places.bottom,
  messages.places.bottomRight,
]

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
