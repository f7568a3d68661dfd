/** The fields of watermark, music and end card, with the controls of caption styles. PURE. */
import type { EndCardOption } from '../../../server/contract/end-card-option.ts'
import type { WatermarkConfig } from '../../../server/contract/watermark-config.ts'
import { DEFAULT_VOLUME } from '../../../server/nodes/sound/place-music.ts'
import type { FieldGroup, Option } from '../captions/fields.ts'

const PERCENT = { kind: 'range', min: 0, max: 100, step: 1, unit: '%' } as const
const SHARE = { kind: 'range', min: 0, max: 1, step: 0.01, unit: '%', times: 100 } as const
const SECONDS = { kind: 'range', min: 0, max: 20, step: 0.1, unit: 's' } as const

const MOVES: readonly Option[] = [
  { value: '', label: 'At once' },
  { value: 'fade', label: 'Fade' },
  { value: 'slideLeft', label: 'Slide, left side' },
  { value: 'slideRight', label: 'Slide, right side' },
  { value: 'slideUp', label: 'Slide up' },
  { value: 'slideDown', label: 'Slide down' },
  { value: 'zoomIn', label: 'Zoom in' },
  { value: 'zoomOut', label: 'Zoom out' },
]

export const WATERMARK_GROUPS: readonly FieldGroup[] = [
  {
    name: 'Look and place',
    open: true,
    fields: [
      { name: 'size', label: 'Width', control: { ...PERCENT, min: 2 } },
      { name: 'opacity', label: 'Opacity', control: SHARE },
      { name: 'padding', label: 'Away from the edges', control: { ...PERCENT, max: 30, step: 0.5 } },
      { name: 'x', label: 'Across the picture', control: PERCENT },
      { name: 'y', label: 'Down the picture', control: PERCENT },
    ],
  },
  {
    name: 'Time and movement',
    fields: [
      { name: 'startOffset', label: 'Comes after', control: SECONDS },
      { name: 'endOffset', label: 'Goes before the end', control: SECONDS },
      { name: 'introTransitionId', label: 'How it comes', control: { kind: 'options', options: MOVES } },
      { name: 'outroTransitionId', label: 'How it goes', control: { kind: 'options', options: MOVES } },
      { name: 'animationDuration', label: 'Takes', control: { ...SECONDS, max: 3 } },
    ],
  },
]

export const MUSIC_GROUPS: readonly FieldGroup[] = [
  {
    name: 'Sound',
    open: true,
    fields: [{ name: 'volume', label: 'Volume', control: SHARE }],
  },
]

export const END_CARD_GROUPS: readonly FieldGroup[] = [
  {
    name: 'Look and time',
    open: true,
    fields: [
      { name: 'duration', label: 'Shown for', control: SECONDS },
      { name: 'secondsBeforeEnd', label: 'Starts before the end', control: SECONDS },
      { name: 'opacity', label: 'Opacity', control: SHARE },
      { name: 'volume', label: 'Volume of a video', control: SHARE },
      { name: 'videoDuration', label: 'Play of a video at most', control: SECONDS },
      { name: 'isVideo', label: 'Only as a video', control: { kind: 'switch' } },
    ],
  },
]

/** What the fields of a watermark come to. */
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

/** What the fields of music come to. */
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
  'Top left',
  'Top',
  'Top right',
  'Left',
  'Centre',
  'Right',
  'Bottom left',
  'Bottom',
  'Bottom right',
]

type Config = Readonly<Record<string, unknown>>

/** A watermark on another place of the grid: a place of its own no longer wins. */
export function onGrid(config: Config, position: number): Config {
  const { x: _x, y: _y, ...rest } = config
  return { ...rest, position }
}

/** What a file is called, by its address. */
export function nameOfAddress(address: string): string {
  if (address.startsWith('data:')) return 'A file in the settings themselves'
  if (address.startsWith('cutroom-source:')) return 'A file of the library'
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
  return /^https?:\/\/[^\s/]+/iu.test(text) ? null : 'An address begins with https:// or http://.'
}
