/** Lengths of text in code points, as JSON Schema counts them; TypeBox counts UTF-16 units. PURE. */
import { FormatRegistry, Kind, TypeRegistry, type TSchema } from '@sinclair/typebox'

/** How many characters a text has. */
export function charactersIn(text: string): number {
  let pairs = 0
  for (let at = 0; at < text.length; at += 1) {
    if ((text.codePointAt(at) ?? 0) <= 0xffff) continue
    pairs += 1
    at += 1
  }
  return text.length - pairs
}

/** Whether a text has more characters than the limit. Texts with few enough UTF-16 units are not counted. */
export const isLonger = (text: string, most: number): boolean =>
  text.length > most && charactersIn(text) > most

/** No more characters than units, and no fewer than half of them. */
const isShorter = (text: string, least: number): boolean =>
  text.length < least || (text.length < 2 * least && charactersIn(text) < least)

const TEXT = 'Cutroom:Text'

const patterns = new WeakMap<TSchema, RegExp>()

function fitsPattern(schema: TSchema, text: string): boolean {
  const source = schema['pattern'] as string | undefined
  if (source === undefined) return true
  // Its counts are of characters too.
  const pattern = patterns.get(schema) ?? new RegExp(source, 'u')
  patterns.set(schema, pattern)
  return pattern.test(text)
}

function fitsFormat(schema: TSchema, text: string): boolean {
  const format = schema['format'] as string | undefined
  return format === undefined || FormatRegistry.Get(format)?.(text) === true
}

TypeRegistry.Set<TSchema>(TEXT, (schema, value) => {
  if (typeof value !== 'string') return false
  const least = schema['minLength'] as number | undefined
  const most = schema['maxLength'] as number | undefined
  return (
    !(most !== undefined && isLonger(value, most)) &&
    !(least !== undefined && isShorter(value, least)) &&
    fitsPattern(schema, value) &&
    fitsFormat(schema, value)
  )
})

/** Whether a length must be counted in characters; the check for a non-empty text need not. */
const isText = (schema: TSchema): boolean =>
  schema[Kind] === 'String' && (schema['maxLength'] !== undefined || Number(schema['minLength']) > 1)

const isSchema = (value: unknown): value is TSchema => typeof value === 'object' && value !== null

/** Members of a schema that are a schema or a list of them, and those that are schemas by name. */
const INSIDE = ['items', 'additionalProperties', 'anyOf', 'allOf', 'not', 'contains'] as const
const BY_NAME = ['properties', 'patternProperties'] as const

function change(schema: TSchema): TSchema {
  // The symbols by which TypeBox knows its schemas go along.
  if (isText(schema)) return { ...schema, [Kind]: TEXT }
  const changed: Record<string, unknown> = {}
  for (const name of INSIDE) {
    const inside: unknown = schema[name]
    if (Array.isArray(inside)) changed[name] = (inside as TSchema[]).map((one) => inCharacters(one))
    else if (isSchema(inside)) changed[name] = inCharacters(inside)
  }
  for (const name of BY_NAME) {
    const members = schema[name] as Record<string, TSchema> | undefined
    if (members !== undefined)
      changed[name] = Object.fromEntries(
        Object.entries(members).map(([key, member]) => [key, inCharacters(member)]),
      )
  }
  return { ...schema, ...changed }
}

const made = new WeakMap<TSchema, TSchema>()

/** The same schema for TypeBox's checks, with lengths of texts in characters. It describes what it did. */
export function inCharacters<T extends TSchema>(schema: T): T {
  const changed = made.get(schema) ?? change(schema)
  made.set(schema, changed)
  return changed as T
}
