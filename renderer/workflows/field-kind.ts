/** Which control a field of a node's config gets, by its schema. PURE. */
import type { TSchema } from '@sinclair/typebox'

export type FieldKind =
  | { readonly kind: 'check' }
  | { readonly kind: 'number'; readonly min?: number; readonly max?: number; readonly whole: boolean }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'text'; readonly long: boolean }
  /** One text on each line. */
  | { readonly kind: 'lines' }
  | { readonly kind: 'group'; readonly schema: TSchema }
  /** What has no control of its own is written as JSON. */
  | { readonly kind: 'json' }

/** Texts that may be this long are written on several lines. */
const LONG = 1000

function choices(schema: TSchema): readonly string[] | null {
  const named = schema['enum'] as unknown[] | undefined
  const branches = (schema['anyOf'] as TSchema[] | undefined)?.map((one) => one['const'] as unknown)
  const values = named ?? branches
  return values !== undefined && values.every((value) => typeof value === 'string') ? values : null
}

export function fieldKind(schema: TSchema): FieldKind {
  const values = choices(schema)
  if (values !== null) return { kind: 'choice', values }
  switch (schema['type']) {
    case 'boolean':
      return { kind: 'check' }
    case 'number':
    case 'integer': {
      const [min, max] = [schema['minimum'], schema['maximum']] as (number | undefined)[]
      return {
        ...{ kind: 'number', whole: schema['type'] === 'integer' },
        ...(min === undefined ? {} : { min }),
        ...(max === undefined ? {} : { max }),
      }
    }
    case 'string':
      return {
        kind: 'text',
        long: Number(schema['maxLength'] ?? 0) >= LONG && schema['pattern'] === undefined,
      }
    case 'array':
      return (schema['items'] as TSchema | undefined)?.['type'] === 'string'
        ? { kind: 'lines' }
        : { kind: 'json' }
    case 'object':
      return schema['properties'] === undefined ? { kind: 'json' } : { kind: 'group', schema }
    default:
      return { kind: 'json' }
  }
}

/** `min_length` → `Min length`, for fields without a description. */
export function labelOf(name: string, schema: TSchema): string {
  const { description } = schema
  if (typeof description === 'string' && description !== '') return description
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
