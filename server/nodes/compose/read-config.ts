/**
 * Reading of styling values. Callers send numbers as text, colours in many forms, names with synonyms; what cannot be
 * read is left out with a warning, never an exception: a clip must render.
 */
import type { TObject, TSchema } from '@sinclair/typebox'
import type { Backdrop, CaptionStyle, TextFace } from '../../contract/composition.ts'
import type { JsonObject } from '../declare.ts'
import { isPlainObject, setOwn } from '../merge.ts'
import { firstProblem } from '../validate.ts'
import { normaliseColour } from './colours.ts'
import type { Size } from '../layout/seen.ts'
import { type Warn } from '../../contract/render-remarks.ts'

/** The fields of a stored config that its schema knows and accepts; each of the others gives a warning. */
export function dropInvalidFields(
  schema: TObject,
  config: JsonObject,
  label: string,
  warn: Warn,
): JsonObject {
  const valid: JsonObject = {}
  for (const [key, value] of Object.entries(config)) {
    const field: TSchema | undefined = Object.hasOwn(schema.properties, key)
      ? schema.properties[key]
      : undefined
    const problem =
      field === undefined ? { expected: 'left out: there is no such field' } : firstProblem(field, value)
    if (problem === null) setOwn(valid, key, value)
    else if (field?.['type'] === 'object' && 'properties' in field && isPlainObject(value)) {
      setOwn(valid, key, dropInvalidFields(field as TObject, value, `${label}.${key}`, warn))
    } else {
      const setting = `${label}.${key.slice(0, 100)}`
      warn('VALUE_IGNORED', setting, `${setting} was ignored: it should be ${problem.expected}.`)
    }
  }
  return valid
}

export interface Reader {
  readonly colour: (name: string, value: string | undefined, fallback: string) => string
  readonly length: (name: string, value: number | string | undefined, fallback: number) => number
  readonly weight: (value: number | string | undefined, fallback: number) => number
  readonly textCase: (value: string | undefined, fallback: TextFace['textCase']) => TextFace['textCase']
  readonly fill: (name: string, value: string | undefined, fallback: Backdrop['fill']) => Backdrop['fill']
}

/** Readers that warn in the name of `label`, once per field and value. */
export function reader(label: string, warn: Warn): Reader {
  const ignored = (name: string, value: unknown, expected: string): void =>
    warn(
      'VALUE_IGNORED',
      `${label}.${name}`,
      `${label}.${name} "${String(value).slice(0, 60)}" was ignored: it should be ${expected}.`,
    )
  const named = <Value>(
    table: Readonly<Record<string, Value>>,
    name: string,
    value: string | undefined,
    fallback: Value,
  ): Value => {
    if (value === undefined || value.trim() === '') return fallback
    const key = value.toLowerCase().replaceAll(/[^a-z]/gu, '')
    const found = Object.hasOwn(table, key) ? table[key] : undefined
    if (found === undefined) ignored(name, value, `one of ${Object.keys(table).join(', ')}`)
    return found ?? fallback
  }
  return {
    colour(name, value, fallback) {
      if (value === undefined || value.trim() === '') return fallback
      const colour = normaliseColour(value)
      if (colour === null) ignored(name, value, 'a CSS colour')
      return colour ?? fallback
    },
    length(name, value, fallback) {
      if (value === undefined || value === '') return fallback
      const number =
        typeof value === 'number' ? value : Number(/^\s*(-?\d+(?:\.\d+)?)\s*(?:px|pt)?\s*$/u.exec(value)?.[1])
      if (Number.isFinite(number)) return number
      ignored(name, value, 'a number')
      return fallback
    },
    weight(value, fallback) {
      if (value === undefined || value === '') return fallback
      const number = Number(value)
      if (Number.isFinite(number)) return Math.round(Math.min(1000, Math.max(100, number)))
      return named(WEIGHTS, 'fontWeight', String(value), fallback)
    },
    textCase: (value, fallback) => named(CASES, 'textCase', value, fallback),
    fill: (name, value, fallback) => named(FILLS, name, value, fallback),
  }
}

/** Names of weights, in small letters without anything else. */
export const WEIGHTS: Readonly<Record<string, number>> = {
  thin: 100,
  extralight: 200,
  light: 300,
  normal: 400,
  regular: 400,
  medium: 500,
  semibold: 600,
  demibold: 600,
  bold: 700,
  extrabold: 800,
  heavy: 800,
  black: 900,
}

const CASES: Readonly<Record<string, TextFace['textCase']>> = {
  none: 'none',
  normal: 'none',
  original: 'none',
  asis: 'none',
  upper: 'upper',
  uppercase: 'upper',
  allcaps: 'upper',
  lower: 'lower',
  lowercase: 'lower',
  title: 'title',
  titlecase: 'title',
  capitalize: 'title',
}

const FILLS: Readonly<Record<string, Backdrop['fill']>> = {
  none: 'none',
  transparent: 'none',
  line: 'line',
  lines: 'line',
  perline: 'line',
  block: 'block',
  box: 'block',
  full: 'block',
  fill: 'block',
  solid: 'block',
  wrap: 'wrap',
  text: 'wrap',
  tight: 'wrap',
  rounded: 'wrap',
}

/** The preset that is wanted; the default one where none is, and after a warning where there is none of that id. */
export function presetOr<Preset>(
  find: (id: string) => Preset | undefined,
  id: string | undefined,
  fallback: string,
  warnOf: (unknown: string) => void,
): Preset {
  const wanted = id === undefined || id.trim() === '' ? fallback : id
  const found = find(wanted)
  if (found === undefined) warnOf(wanted)
  const preset = found ?? find(fallback)
  if (preset === undefined) throw new Error(`There is no preset "${fallback}".`)
  return preset
}

/** CSS alignments to the three that there are; `justify` is centred, captions have no block to fill. */
export function alignment(value: string | undefined, fallback: CaptionStyle['align']): CaptionStyle['align'] {
  if (value === 'left' || value === 'start') return 'left'
  if (value === 'right' || value === 'end') return 'right'
  return value === undefined ? fallback : 'center'
}

/** The shape of a picture decides default sizes and places. */
export type PictureShape = 'vertical' | 'square' | 'horizontal'

export function pictureShape(output: Size): PictureShape {
  const ratio = output.width / output.height
  return ratio < 0.75 ? 'vertical' : ratio > 1.25 ? 'horizontal' : 'square'
}

/** Width and height of the reference canvas: 1080 units on its short side. */
export function referenceSize(output: Size): Size {
  const unit = Math.min(output.width, output.height) / 1080
  return { width: output.width / unit, height: output.height / unit }
}
