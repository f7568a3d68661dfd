/** The control and the group of each style field. Fields that are not listed get a control by their schema. PURE. */
import { SAFE_ZONES } from '../../../server/contract/platforms/registry.ts'
import { commonMessages } from '../../messages/common.ts'
import { style as messages } from '../../messages/captions.ts'

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

export const range = (
  name: string,
  label: string,
  limits: Omit<Extract<Control, { kind: 'range' }>, 'kind'>,
): StyleField => ({ name, label, control: { kind: 'range', ...limits } })
const colour = (name: string, label: string): StyleField => ({ name, label, control: { kind: 'colour' } })
export const toggle = (name: string, label: string): StyleField => ({
  name,
  label,
  control: { kind: 'switch' },
})
export const options = (name: string, label: string, given: readonly Option[]): StyleField => ({
  name,
  label,
  control: { kind: 'options', options: given },
})
const bySchema = (name: string, label: string): StyleField => ({ name, label, control: { kind: 'schema' } })

export const PERCENT = { min: 0, max: 100, step: 1, unit: '%' }
export const SHARE = { min: 0, max: 1, step: 0.01, unit: '%', times: 100 }

const ALIGN: readonly Option[] = [
  { value: 'left', label: messages.left },
  { value: 'center', label: messages.centre },
  { value: 'right', label: messages.right },
]
const FILL: readonly Option[] = [
  { value: 'none', label: commonMessages.none },
  { value: 'line', label: messages.fillLine },
  { value: 'wrap', label: messages.fillJoined },
  { value: 'block', label: messages.fillBlock },
]

const animations = (group: string, names: readonly (keyof typeof messages.animations)[]): Option[] =>
  names.map((value) => ({ value, label: messages.animations[value], group }))

export const CAPTION_GROUPS: readonly FieldGroup[] = [
  {
    name: messages.text,
    open: true,
    fields: [
      { name: 'fontFamily', label: messages.font, control: { kind: 'font' } },
      range('fontSize', messages.size, { min: 20, max: 220, step: 1 }),
      { name: 'fontWeight', label: messages.weight, control: { kind: 'weight' } },
      colour('fontColor', messages.colour),
      options('textCase', messages.case, [
        { value: 'none', label: messages.caseAsSpoken },
        { value: 'uppercase', label: 'AB' },
        { value: 'lowercase', label: 'ab' },
        { value: 'capitalize', label: 'Ab' },
      ]),
      toggle('isItalic', messages.italic),
      range('letterSpacing', messages.letterSpacing, { min: -6, max: 24, step: 0.5 }),
      range('lineHeight', messages.lineHeight, { min: 0.8, max: 2.2, step: 0.02, unit: '×' }),
      bySchema('fontUrl', messages.fontAddress),
    ],
  },
  {
    name: messages.words,
    open: true,
    fields: [
      toggle('amplifySpokenWords', messages.emphasise),
      colour('amplifiedColor', messages.spokenWord),
      range('amplifiedOpacity', messages.spokenOpacity, SHARE),
      range('amplifyOpacityTransitionDuration', messages.transition, {
        min: 0,
        max: 0.6,
        step: 0.01,
        unit: 's',
      }),
      options('animationStyle', messages.animation, [
        ...animations(messages.captionAnimation, ['none', 'fade', 'pop', 'bounce', 'slide']),
        ...animations(messages.wordAnimation, [
          'highlight',
          'pill',
          'scale',
          'karaoke',
          'spotlight',
          'reveal',
        ]),
      ]),
      toggle('highlightKeywords', messages.colourKeywords),
      colour('highlightColor', messages.keywordColour),
      toggle('emojis', messages.emojis),
    ],
  },
  {
    name: messages.outlineAndShadow,
    fields: [
      range('outlineWidth', messages.outline, { min: 0, max: 30, step: 0.5 }),
      colour('outlineColor', messages.outlineColour),
      toggle('shadowEnabled', messages.shadow),
      colour('shadowColor', messages.shadowColour),
      range('shadowBlur', messages.shadowBlur, { min: 0, max: 80, step: 1 }),
    ],
  },
  {
    name: messages.background,
    fields: [
      options('backgroundFillStyle', messages.shape, FILL),
      colour('backgroundColor', messages.backgroundColour),
      range('backgroundOpacity', messages.opacity, SHARE),
      range('backgroundPadding', messages.padding, { min: 0, max: 80, step: 1 }),
      range('backgroundBorderRadius', messages.corners, { min: 0, max: 80, step: 1 }),
    ],
  },
  {
    name: messages.position,
    fields: [
      options('textAlign', messages.align, ALIGN),
      range('maxLines', messages.maxLines, { min: 1, max: 6, step: 1 }),
      range('maxCharsPerLine', messages.maxLetters, { min: 6, max: 60, step: 1 }),
      range('wrapWidthPct', messages.lineWidth, { ...PERCENT, min: 20 }),
      range('subtitleX', messages.x, PERCENT),
      range('subtitleY', messages.y, PERCENT),
      options('captionPosition', messages.usualPosition, [
        { value: '', label: messages.presetPosition },
        { value: 'top', label: messages.top },
        { value: 'middle', label: messages.middle },
        { value: 'bottom', label: messages.bottom },
      ]),
      options('safeZone', messages.safeZone, [
        { value: 'none', label: commonMessages.none },
        ...SAFE_ZONES.map(({ name, label }) => ({ value: name, label })),
      ]),
      toggle('avoidFaces', messages.avoidFaces),
    ],
  },
]

/** Fields that presets do not set: they survive choosing another preset. */
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
    name: messages.text,
    open: true,
    fields: [
      { name: 'fontFamily', label: messages.font, control: { kind: 'font' } },
      range('fontSize', messages.size, { min: 20, max: 220, step: 1 }),
      range('fontScale', messages.scale, { min: 0.3, max: 3, step: 0.05, unit: '×' }),
      { name: 'fontWeight', label: messages.weight, control: { kind: 'weight' } },
      colour('fontColor', messages.colour),
      toggle('allCaps', messages.capitals),
      toggle('textShadow', messages.shadow),
      range('characterSpacing', messages.letterSpacing, { min: -6, max: 24, step: 0.5 }),
      range('lineHeight', messages.lineHeight, { min: 0.8, max: 2.2, step: 0.02, unit: '×' }),
      range('lineMargin', messages.lineSpacing, { min: 0, max: 60, step: 1 }),
      bySchema('fontUrl', messages.fontAddress),
    ],
  },
  {
    name: messages.background,
    fields: [
      options('backgroundStyle', messages.shape, FILL),
      colour('backgroundColor', messages.backgroundColour),
      range('backgroundOpacity', messages.opacity, SHARE),
      range('padding', messages.paddingX, { min: 0, max: 100, step: 1 }),
      range('verticalPadding', messages.paddingY, { min: 0, max: 100, step: 1 }),
      range('borderRadius', messages.corners, { min: 0, max: 80, step: 1 }),
      toggle('boxShadow', messages.boxShadow),
    ],
  },
  {
    name: messages.time,
    open: true,
    fields: [
      range('duration', messages.shownFor, { min: 0, max: 30, step: 0.5, unit: 's' }),
      range('fadeDuration', messages.fade, { min: 0, max: 3, step: 0.1, unit: 's' }),
    ],
  },
  {
    name: messages.position,
    fields: [
      options('textAlign', messages.align, ALIGN),
      range('maxWidthPercent', messages.maxWidth, { ...PERCENT, min: 10 }),
      range('targetHeightPercent', messages.maxHeight, { min: 1, max: 60, step: 1, unit: '%' }),
      range('xPosition', messages.x, SHARE),
      range('yPosition', messages.y, SHARE),
      toggle('positionDynamically', messages.autoPosition),
      toggle('avoidFaces', messages.avoidFaces),
    ],
  },
  {
    name: messages.wording,
    fields: [
      bySchema('text', messages.ownText),
      toggle('generateTitle', messages.generate),
      bySchema('prompt', messages.prompt),
    ],
  },
]

/** Fields of a headline that survive choosing another preset. */
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

/** A config with another preset: of its own fields only `preserved` stay. */
export function withPreset(
  config: Config,
  preset: { readonly field: string; readonly id: string },
  preserved: readonly string[],
): Config {
  const stays = Object.entries(config).filter(([name]) => preserved.includes(name))
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
