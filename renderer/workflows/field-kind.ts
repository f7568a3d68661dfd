/** Which control a field of a node's config gets, by its schema. PURE. */
import type { TSchema } from '@sinclair/typebox'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

export type FieldKind =
  | { readonly kind: 'check' }
  | { readonly kind: 'number'; readonly min?: number; readonly max?: number; readonly whole: boolean }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'text'; readonly long: boolean }
  /** A number, text or boolean, decided by what is typed. */
  | { readonly kind: 'plain' }
  /** One text per line; `known`: the allowed values, empty where any is allowed. */
  | { readonly kind: 'lines'; readonly known: readonly string[] }
  | { readonly kind: 'group'; readonly schema: TSchema }
  /** Everything else is edited as JSON; `example` shows its shape. */
  | { readonly kind: 'json'; readonly example: string }

/** Texts that may be this long get several lines. */
const LONG = 1000

function choices(schema: TSchema): readonly string[] | null {
  const named = schema['enum'] as unknown[] | undefined
  const branches = (schema['anyOf'] as TSchema[] | undefined)?.map((one) => one['const'] as unknown)
  const values = named ?? branches
  return values !== undefined && values.every((value) => typeof value === 'string') ? values : null
}

const PLAIN: readonly unknown[] = ['number', 'integer', 'string', 'boolean']
const branchesOf = (schema: TSchema): TSchema[] => (schema['anyOf'] ?? []) as TSchema[]
const isPlain = (schema: TSchema): boolean =>
  branchesOf(schema).length > 0 && branchesOf(schema).every(({ type }) => PLAIN.includes(type))

/** An example value of a schema: its required members, or else the first two. */
function exampleOf(schema: TSchema): unknown {
  const [first] = branchesOf(schema)
  if (first !== undefined) return exampleOf(first)
  if (schema['const'] !== undefined) return schema['const'] as unknown
  if (schema['type'] === 'array') return [exampleOf((schema['items'] ?? {}) as TSchema)]
  if (schema['type'] === 'object') {
    const all = (schema['properties'] ?? {}) as Record<string, TSchema>
    const needed = (schema['required'] as string[] | undefined) ?? Object.keys(all).slice(0, 2)
    return Object.fromEntries(needed.map((name) => [name, exampleOf(all[name] ?? ({} as TSchema))]))
  }
  return schema['type'] === 'string' ? '…' : schema['type'] === 'boolean' ? true : 0
}

/** `12` → 12, `true` → true where the schema has such, `bold` → bold; undefined where nothing is written. */
export function plainValue(schema: TSchema, written: string): string | number | boolean | undefined {
  const text = written.trim()
  const takes = (...types: string[]): boolean =>
    branchesOf(schema).some(({ type }) => types.includes(String(type)))
  if (text === '') return undefined
  if (takes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return takes('number', 'integer') && Number.isFinite(Number(text)) ? Number(text) : text
}

export function fieldKind(schema: TSchema): FieldKind {
  const values = choices(schema)
  if (values !== null) return { kind: 'choice', values }
  if (isPlain(schema)) return { kind: 'plain' }
  switch (schema['type']) {
    case 'boolean':
      return { kind: 'check' }
    case 'number':
    case 'integer': {
      const min = schema['minimum'] as number | undefined
      const max = schema['maximum'] as number | undefined
      return {
        kind: 'number',
        whole: schema['type'] === 'integer',
        ...omitUndefined({ min, max }),
      }
    }
    case 'string':
      return {
        kind: 'text',
        long: Number(schema['maxLength'] ?? 0) >= LONG && schema['pattern'] === undefined,
      }
    case 'array': {
      const items = (schema['items'] ?? {}) as TSchema
      const known = choices(items)
      if (items['type'] === 'string' || known !== null) return { kind: 'lines', known: known ?? [] }
      break
    }
    case 'object':
      if (schema['properties'] !== undefined) return { kind: 'group', schema }
  }
  return { kind: 'json', example: JSON.stringify(exampleOf(schema)) }
}

/** The description, with its `names` as people quote them; `min_length` → `Min length` where there is none. */
export function labelOf(name: string, schema: TSchema): string {
  const { description } = schema
  if (typeof description === 'string' && description !== '')
    return description.replaceAll(/`([^`]+)`/g, '“$1”')
  const words = name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The config with a field set, or without it where the value is nothing. */
export function withField(
  config: Readonly<Record<string, unknown>>,
  name: string,
  value: unknown,
): Record<string, unknown> {
  const { [name]: _before, ...rest } = config
  const nothing =
    value === undefined ||
    value === '' ||
    (typeof value === 'number' && Number.isNaN(value)) ||
    (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  return nothing ? rest : { ...rest, [name]: value }
}
