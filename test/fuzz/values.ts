/** Values for requests: such as a schema requires, almost such, and hostile ones. */
import type { Random } from './random.ts'

/** JSON Schema as the OpenAPI document holds it. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly minItems?: number
}

export type Resolve = (schema: Schema) => Schema

/** What a value of this name may be so that the request finds something: ids that exist, by name. */
export type Known = Readonly<Record<string, readonly string[]>>

export interface Making {
  readonly random: Random
  readonly resolve: Resolve
  readonly known: Known
}

const WORDS = [
  'alpha',
  'beta',
  '',
  'Ωmega',
  '👩‍👩‍👧',
  '#ff0000',
  'top',
  '12',
  '2026-01-01',
  'the',
  'https://example.com/a.mp4',
]

function numberFor(schema: Schema, random: Random, whole: boolean): number {
  const low = schema.minimum ?? schema.exclusiveMinimum ?? 0
  const most = schema.maximum ?? Infinity
  // A limit that is there for exact numbers alone says nothing of usual ones.
  const high = most - low < 1e12 ? most : low + 100
  const value = low + random.next() * (high - low)
  if (whole) return Math.round(value)
  return schema.exclusiveMinimum === undefined ? value : Math.max(value, low + 0.01)
}

/** A value that the schema accepts, as far as this can determine; `name` is the field's. */
export function validValue(given: Schema, making: Making, name = '', depth = 0): unknown {
  const { random, known, resolve } = making
  const schema = resolve(given)
  const ids = known[name]
  if (ids !== undefined && random.chance(0.9)) return random.pick(ids)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return random.pick(schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return validValue(random.pick(choices), making, name, depth + 1)
  switch (schema.type) {
    case 'string':
      return random.pick(WORDS).padEnd(schema.minLength ?? 0, 'x')
    case 'number':
      return numberFor(schema, random, false)
    case 'integer':
      return numberFor(schema, random, true)
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    case 'array': {
      const length = depth > 6 ? (schema.minItems ?? 0) : (schema.minItems ?? 0) + random.below(3)
      return Array.from({ length }, () => validValue(schema.items ?? {}, making, name, depth + 1))
    }
    case 'object':
      return validObject(schema, making, depth)
    default:
      return random.pick<unknown>(['x', 1, true, null, {}, []])
  }
}

function validObject(schema: Schema, making: Making, depth: number): Record<string, unknown> {
  const properties = Object.entries(schema.properties ?? {})
  // Wide objects are filled in thinly, so that most of what is sent gets past the first check.
  const share = depth === 0 ? 0.15 : Math.min(0.5, 4 / Math.max(1, properties.length))
  return Object.fromEntries(
    properties
      .filter(
        ([name]) => schema.required?.includes(name) === true || (depth < 6 && making.random.chance(share)),
      )
      .map(([name, inner]) => [name, validValue(inner, making, name, depth + 1)]),
  )
}

/** Placeholder in a value for text that JSON.stringify would not write; see `toJson`. */
const RAW = '\u0001raw:'

/** Pieces of JSON text, well-formed or not. */
const RAW_PIECES: Readonly<Record<string, () => string>> = {
  deepArray: () => `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  deepObject: () => `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  halfDeep: () => '['.repeat(50_000),
  huge: () => '1e400',
  minusHuge: () => '-1e400',
  manyDigits: () => '9'.repeat(400),
  tiny: () => '1e-400',
  minusZero: () => '-0',
  loneHigh: () => String.raw`"\ud800"`,
  loneLow: () => String.raw`"a\udc00b"`,
  proto: () => '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  twice: () => '{"a":1,"a":{"a":[]}}',
  nan: () => 'NaN',
  comment: () => '1/* */',
  wide: () => `{${Array.from({ length: 3000 }, (_, index) => `"k${index}":${index}`).join(',')}}`,
  long: () => `[${'0,'.repeat(50_000)}0]`,
}

const HOSTILE: readonly unknown[] = [
  ...Object.keys(RAW_PIECES).map((name) => `${RAW}${name}`),
  '\0',
  'a\0b',
  '\uffff',
  '\u202e',
  '../../../etc/passwd',
  '%00',
  '%',
  "' or 1=1 --",
  '${7*7}',
  '{{x}}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'http://[::1',
  'http://169.254.169.254/',
  'https://user:pw@host/',
  'x'.repeat(70_000),
  '\n',
  ' ',
  'NaN',
  'Infinity',
  '1e999',
  '0x10',
  '-1',
  '9007199254740993',
  '+1',
  '1e1',
  '١٢',
  'null',
  'undefined',
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Number.MAX_SAFE_INTEGER + 2,
  Number.MIN_VALUE,
  -1,
  0.1 + 0.2,
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  { length: -1 },
  { then: 1 },
  { toJSON: 1 },
  { toString: 1 },
]

export const hostileValue = (random: Random): unknown => random.pick(HOSTILE)

/** JSON text of a value with the raw pieces put in. */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return text.replaceAll(/"\\u0001raw:(\w+)"/g, (_whole, name: string) => RAW_PIECES[name]?.() ?? 'null')
}

const KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  '',
  '0',
  'a.b',
  'a\0',
  '\ud800',
  'x'.repeat(3000),
  'companyId',
  'unknownField',
]

function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}

/** A copy with one place, anywhere inside, made wrong: left out, replaced, or with a field too many. */
export function mutate(value: unknown, random: Random, wrong: (value: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return wrong(value)
  const names = Object.keys(value)
  if (random.chance(0.15) || names.length === 0) {
    if (Array.isArray(value)) return [...(value as unknown[]), wrong(null)]
    const copy = { ...(value as Record<string, unknown>) }
    setOwn(copy, random.pick(KEYS), wrong(null))
    return copy
  }
  const name = random.pick(names)
  const inner = (value as Record<string, unknown>)[name]
  if (Array.isArray(value))
    return (value as unknown[]).map((one, at) => (String(at) === name ? mutate(one, random, wrong) : one))
  const copy = { ...(value as Record<string, unknown>) }
  if (random.chance(0.1)) return Object.fromEntries(Object.entries(copy).filter(([key]) => key !== name))
  setOwn(copy, name, mutate(inner, random, wrong))
  return copy
}

/** Nearly right: another type, one past an edge, a number as text. */
export function nearlyRight(value: unknown, random: Random): unknown {
  switch (typeof value) {
    case 'string':
      return random.pick<unknown>([`${value} `, value.toUpperCase(), '', null, 1, [value], value.repeat(50)])
    case 'number':
      return random.pick<unknown>([String(value), -value, value + 0.5, value * 1e6, null, [value]])
    case 'boolean':
      return random.pick<unknown>([String(value), value ? 1 : 0, null])
    default:
      return random.pick<unknown>(['x', 0, false, [], {}])
  }
}
