/** Which control each style field has, and in which group it stands. What is not listed here has one by its schema. PURE. */

export interface Option {
  readonly value: string
  readonly label: string
  /** Heads a group of options in a list. */
  readonly group?: string
}

export type Control =
  | {
      readonly kind: 'range'
      readonly min: number
      readonly max: number
      readonly step: number
      readonly unit?: string
      /** What is shown is the value times this. */
      readonly times?: number
    }
  | { readonly kind: 'colour' }
  | { readonly kind: 'options'; readonly options: readonly Option[] }
  | { readonly kind: 'font' }
  | { readonly kind: 'weight' }
  /** A switch, also where the schema takes more than that. */
  | { readonly kind: 'switch' }
  /** By the schema alone. */
  | { readonly kind: 'schema' }

export interface StyleField {
  readonly name: string
  readonly label: string
  readonly control: Control
}

export interface FieldGroup {
  readonly name: string
  readonly open?: boolean
  readonly fields: readonly StyleField[]
}

const range = (
  name: string,
  label: string,
  limits: Omit<Extract<Control, { kind: 'range' }>, 'kind'>,
): StyleField => ({ name, label, control: { kind: 'range', ...limits } })
const colour = (name: string, label: string): StyleField => ({ name, label, control: { kind: 'colour' } })
const toggle = (name: string, label: string): StyleField => ({ name, label, control: { kind: 'switch' } })
const options = (name: string, label: string, given: readonly Option[]): StyleField => ({
  name,
  label,
  control: { kind: 'options', options: given },
})
const bySchema = (name: string, label: string): StyleField => ({ name, label, control: { kind: 'schema' } })

const PERCENT = { min: 0, max: 100, step: 1, unit: '%' }
const SHARE = { min: 0, max: 1, step: 0.01, unit: '%', times: 100 }

const ALIGN: readonly Option[] = [
  { value: 'left', label: 'Left' },
  { value: 'center', label: 'Centre' },
  { value: 'right', label: 'Right' },
]
const FILL: readonly Option[] = [
  { value: 'none', label: 'None' },
  { value: 'line', label: 'Each line' },
  { value: 'wrap', label: 'Joined' },
  { value: 'block', label: 'One card' },
]

export const CAPTION_GROUPS: readonly FieldGroup[] = [
  {
    name: 'Letters',
    open: true,
    fields: [
      { name: 'fontFamily', label: 'Font', control: { kind: 'font' } },
      range('fontSize', 'Size', { min: 20, max: 220, step: 1 }),
      { name: 'fontWeight', label: 'Weight', control: { kind: 'weight' } },
      colour('fontColor', 'Colour'),
      options('textCase', 'Case', [
        { value: 'none', label: 'As said' },
        { value: 'uppercase', label: 'AB' },
        { value: 'lowercase', label: 'ab' },
        { value: 'capitalize', label: 'Ab' },
      ]),
      toggle('isItalic', 'Italic'),
      range('letterSpacing', 'Space between letters', { min: -6, max: 24, step: 0.5 }),
      range('lineHeight', 'Line height', { min: 0.8, max: 2.2, step: 0.02, unit: '×' }),
      bySchema('fontUrl', 'Font file of your own (address)'),
    ],
  },
  {
    name: 'Words',
    open: true,
    fields: [
      toggle('amplifySpokenWords', 'Emphasise the spoken word'),
      colour('amplifiedColor', 'Spoken word'),
      range('amplifiedOpacity', 'Opacity of the spoken word', SHARE),
      range('amplifyOpacityTransitionDuration', 'Change from word to word', {
        min: 0,
        max: 0.6,
        step: 0.01,
        unit: 's',
      }),
      options('animationStyle', 'Animation', [
        { value: 'none', label: 'Still', group: 'How captions come' },
        { value: 'fade', label: 'Fade', group: 'How captions come' },
        { value: 'pop', label: 'Pop', group: 'How captions come' },
        { value: 'bounce', label: 'Bounce', group: 'How captions come' },
        { value: 'slide', label: 'Slide up', group: 'How captions come' },
        { value: 'highlight', label: 'Turns to its colour', group: 'The spoken word' },
        { value: 'pill', label: 'Sits on a pill', group: 'The spoken word' },
        { value: 'scale', label: 'Grows', group: 'The spoken word' },
        { value: 'karaoke', label: 'Is filled as it is said', group: 'The spoken word' },
        { value: 'spotlight', label: 'Is bright, others dimmed', group: 'The spoken word' },
        { value: 'reveal', label: 'Appears and stays', group: 'The spoken word' },
      ]),
      toggle('highlightKeywords', 'Colour the keywords'),
      colour('highlightColor', 'Keywords'),
      toggle('emojis', 'Emojis'),
    ],
  },
  {
    name: 'Outline and shadow',
    fields: [
      range('outlineWidth', 'Outline', { min: 0, max: 30, step: 0.5 }),
      colour('outlineColor', 'Outline colour'),
      toggle('shadowEnabled', 'Shadow'),
      colour('shadowColor', 'Shadow colour'),
      range('shadowBlur', 'Shadow blur', { min: 0, max: 80, step: 1 }),
    ],
  },
  {
    name: 'Background',
    fields: [
      options('backgroundFillStyle', 'Shape', FILL),
      colour('backgroundColor', 'Background colour'),
      range('backgroundOpacity', 'Opacity', SHARE),
      range('backgroundPadding', 'Padding', { min: 0, max: 80, step: 1 }),
      range('backgroundBorderRadius', 'Corners', { min: 0, max: 80, step: 1 }),
    ],
  },
  {
    name: 'Lines and place',
    fields: [
      options('textAlign', 'Align', ALIGN),
      range('maxLines', 'Most lines', { min: 1, max: 6, step: 1 }),
      range('maxCharsPerLine', 'Most letters in a line', { min: 6, max: 60, step: 1 }),
      range('wrapWidthPct', 'Width of the lines', { ...PERCENT, min: 20 }),
      range('subtitleX', 'Across the picture', PERCENT),
      range('subtitleY', 'Down the picture', PERCENT),
      options('captionPosition', 'Usual place', [
        { value: '', label: "The preset's" },
        { value: 'top', label: 'Top' },
        { value: 'middle', label: 'Middle' },
        { value: 'bottom', label: 'Bottom' },
      ]),
      options('safeZone', 'Keep clear of', [
        { value: 'none', label: 'Nothing' },
        { value: 'tiktok', label: 'TikTok' },
        { value: 'reels', label: 'Reels' },
        { value: 'shorts', label: 'Shorts' },
      ]),
      toggle('avoidFaces', 'Keep off faces'),
    ],
  },
]

/** What a preset says nothing of: it stays when another one is chosen. */
export const KEPT_BY_CAPTION_PRESETS: readonly string[] = [
  'speakerStyles',
  'subtitleX',
  'subtitleY',
  'captionPosition',
  'safeZone',
  'avoidFaces',
  'emojis',
  'highlightKeywords',
  'highlightColor',
]

export const TITLE_GROUPS: readonly FieldGroup[] = [
  {
    name: 'Letters',
    open: true,
    fields: [
      { name: 'fontFamily', label: 'Font', control: { kind: 'font' } },
      range('fontSize', 'Size', { min: 20, max: 220, step: 1 }),
      range('fontScale', 'Scale', { min: 0.3, max: 3, step: 0.05, unit: '×' }),
      { name: 'fontWeight', label: 'Weight', control: { kind: 'weight' } },
      colour('fontColor', 'Colour'),
      toggle('allCaps', 'Capitals'),
      toggle('textShadow', 'Shadow'),
      range('characterSpacing', 'Space between letters', { min: -6, max: 24, step: 0.5 }),
      range('lineHeight', 'Line height', { min: 0.8, max: 2.2, step: 0.02, unit: '×' }),
      range('lineMargin', 'Space between lines', { min: 0, max: 60, step: 1 }),
      bySchema('fontUrl', 'Font file of your own (address)'),
    ],
  },
  {
    name: 'Background',
    fields: [
      options('backgroundStyle', 'Shape', FILL),
      colour('backgroundColor', 'Background colour'),
      range('backgroundOpacity', 'Opacity', SHARE),
      range('padding', 'Padding beside', { min: 0, max: 100, step: 1 }),
      range('verticalPadding', 'Padding above and below', { min: 0, max: 100, step: 1 }),
      range('borderRadius', 'Corners', { min: 0, max: 80, step: 1 }),
      toggle('boxShadow', 'Shadow of the background'),
    ],
  },
  {
    name: 'Time',
    open: true,
    fields: [
      range('duration', 'Shown for (0: to the end)', { min: 0, max: 30, step: 0.5, unit: 's' }),
      range('fadeDuration', 'Fade', { min: 0, max: 3, step: 0.1, unit: 's' }),
    ],
  },
  {
    name: 'Lines and place',
    fields: [
      options('textAlign', 'Align', ALIGN),
      range('maxWidthPercent', 'Widest', { ...PERCENT, min: 10 }),
      range('targetHeightPercent', 'Tallest', { min: 1, max: 60, step: 1, unit: '%' }),
      range('xPosition', 'Across the picture', SHARE),
      range('yPosition', 'Down the picture', SHARE),
      toggle('positionDynamically', 'Choose the place by the picture'),
      toggle('avoidFaces', 'Keep off faces'),
    ],
  },
  {
    name: 'Wording',
    fields: [
      bySchema('text', 'Other words than the clip is called by'),
      toggle('generateTitle', 'Write it from the clip'),
      bySchema('prompt', 'What it should be like'),
    ],
  },
]

/** What stays of a headline when another preset is chosen. */
export const KEPT_BY_TITLE_PRESETS: readonly string[] = [
  'text',
  'prompt',
  'generateTitle',
  'xPosition',
  'yPosition',
  'positionDynamically',
  'avoidFaces',
  'duration',
  'fadeDuration',
]

type Config = Readonly<Record<string, unknown>>

/** A config with another preset: of its own fields only those stay that presets say nothing of. */
export function withPreset(
  config: Config,
  preset: { readonly field: string; readonly id: string },
  kept: readonly string[],
): Config {
  const stays = Object.entries(config).filter(([name]) => kept.includes(name))
  return { ...Object.fromEntries(stays), [preset.field]: preset.id }
}

/** How many of these fields a config sets. */
export const countSet = (config: Config, fields: readonly StyleField[]): number =>
  fields.filter(({ name }) => Object.hasOwn(config, name)).length

/** A length as callers send it, "76", "76px" or 76; null for anything else. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  const text =
    typeof value === 'string' ? /^\s*(-?\d+(?:\.\d+)?)\s*(?:px|pt)?\s*$/u.exec(value)?.[1] : undefined
  return text === undefined ? null : Number(text)
}
