/**
 * PURE. Judges what a caller sends beyond its schema: a colour that is none, a size that cannot be read, an address that
 * nobody fetches. Saved configs are not judged again: what is wrong in them is left out of the clip, with a warning.
 */
import type { TSchema } from '@sinclair/typebox'
import { MEANING, type Meaning } from '../contract/config-fields.ts'
import { normaliseColour } from './compose/colours.ts'
import { WEIGHTS } from './compose/read-config.ts'
import type { ConfigProblem } from './declare.ts'
import { isPlainObject, own } from './merge.ts'
import { firstProblem } from './validate.ts'

/** No setting has a use for more, whatever it counts in. */
const LARGEST = 1_000_000
const LONGEST = 10_000

const inside = (number: number, most: number): boolean => Math.abs(number) <= most
const isLength = (value: unknown): boolean => {
  if (typeof value === 'number') return inside(value, LONGEST)
  const digits = /^\s*(-?\d+(?:\.\d+)?)\s*(?:px|pt)?\s*$/u.exec(String(value))?.[1]
  return digits !== undefined && inside(Number(digits), LONGEST)
}
const isWeight = (value: unknown): boolean =>
  /^\s*\d{1,4}\s*$/u.test(String(value)) ||
  (typeof value === 'number' && inside(value, LONGEST)) ||
  Object.hasOwn(
    WEIGHTS,
    String(value)
      .toLowerCase()
      .replaceAll(/[^a-z]/gu, ''),
  )

function isAddress(value: unknown): boolean {
  const text = String(value).trim()
  if (/^(?:data|cutroom-source):/iu.test(text)) return true
  return /^https?:\/\/[^\s/?#]+/iu.test(text)
}

/** What each meaning takes, and how that is said. Empty texts are settings that are not set. */
const JUDGES: Readonly<Record<Meaning, { accepts: (value: unknown) => boolean; expected: string }>> = {
  colour: {
    accepts: (value) => normaliseColour(String(value)) !== null,
    expected: 'a CSS colour such as "#ffcc00"',
  },
  address: { accepts: isAddress, expected: 'an http or https address, or a data: address' },
  length: { accepts: isLength, expected: `a number up to ${LONGEST}, such as 64, "64" or "64px"` },
  weight: {
    accepts: isWeight,
    expected: `a weight from 100 to 1000, or one of ${Object.keys(WEIGHTS).join(', ')}`,
  },
}

/** The first thing wrong with a value that a caller sends, by its schema or by what it means; null: nothing. */
export function valueProblem(schema: TSchema, value: unknown): ConfigProblem | null {
  return firstProblem(schema, value) ?? judge(schema, value, '')
}

function judge(schema: TSchema, value: unknown, path: string): ConfigProblem | null {
  const meaning = (schema as { [MEANING]?: Meaning })[MEANING]
  if (meaning !== undefined) {
    const isUnset = typeof value === 'string' && value.trim() === ''
    return isUnset || JUDGES[meaning].accepts(value) ? null : { path, expected: JUDGES[meaning].expected }
  }
  if (typeof value === 'number')
    return inside(value, LARGEST) ? null : { path, expected: `a number from -${LARGEST} to ${LARGEST}` }
  const entries = Array.isArray(value) ? value.entries() : isPlainObject(value) ? Object.entries(value) : []
  const shape = shapeOf(schema, value)
  for (const [name, inner] of entries) {
    const field = Array.isArray(value)
      ? (shape['items'] as TSchema | undefined)
      : fieldOf(shape, String(name))
    const problem =
      field === undefined ? null : judge(field, inner, path === '' ? String(name) : `${path}.${name}`)
    if (problem !== null) return problem
  }
  return null
}

/** Of alternatives, the one for a list or an object. */
function shapeOf(schema: TSchema, value: unknown): TSchema {
  const branches = schema['anyOf'] as TSchema[] | undefined
  const type = Array.isArray(value) ? 'array' : 'object'
  return branches?.find((branch) => branch['type'] === type) ?? schema
}

function fieldOf(schema: TSchema, name: string): TSchema | undefined {
  const { properties = {}, patternProperties = {} } = schema as {
    properties?: Record<string, TSchema>
    patternProperties?: Record<string, TSchema>
  }
  return (own(properties, name) as TSchema | undefined) ?? Object.values(patternProperties)[0]
}
