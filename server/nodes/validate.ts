/** Checks a value against a schema, and describes the first problem and its place in words. */
import { Kind, type TSchema } from '@sinclair/typebox'
import { Value, ValueErrorType, type ValueError } from '@sinclair/typebox/value'
import { inCharacters } from '../contract/characters.ts'
import { AppError } from '../contract/errors.ts'
import { isMediaAddress, MEDIA_ADDRESS_IN_WORDS } from '../contract/config-fields.ts'
import type { ConfigProblem } from './declare.ts'
import { editDistance } from './speech/spoken-text.ts'

/** The first thing wrong with `value`, or null. Lengths of texts are characters. */
export function firstProblem(schema: TSchema, value: unknown): ConfigProblem | null {
  const error = Value.Errors(inCharacters(schema), value).First()
  return error === undefined ? null : describe(error)
}

/** The refusal of a node config as the public API words it. */
export function invalidNodeConfig(nodeType: string, problem: ConfigProblem): AppError {
  const where = problem.path === '' ? 'its config' : `"${problem.path}"`
  return new AppError('INVALID_NODE_CONFIG', {
    message: `The config of ${nodeType} is not valid: ${where} should be ${problem.expected}.`,
    details: { nodeType, path: problem.path, expected: problem.expected },
  })
}

function describe(error: ValueError): ConfigProblem {
  const path = dotted(error.path)
  if (error.type === ValueErrorType.Union) {
    const branch = branchFor(error.schema, error.value)
    const inner = branch === undefined ? undefined : Value.Errors(branch, error.value).First()
    if (inner !== undefined) {
      const problem = describe(inner)
      return { path: join(path, problem.path), expected: problem.expected }
    }
  }
  if (error.type === ValueErrorType.ObjectAdditionalProperties) {
    return { path, expected: unknownName(path, error) }
  }
  return { path, expected: expectation(error.schema) }
}

/** The alternative of a union that the caller must have meant: the list for a list, the object for an object. */
function branchFor(schema: TSchema, value: unknown): TSchema | undefined {
  const branches = (schema['anyOf'] as TSchema[] | undefined) ?? []
  if (Array.isArray(value)) return branches.find((branch) => branch['type'] === 'array')
  if (typeof value === 'object' && value !== null)
    return branches.find((branch) => branch['type'] === 'object')
  // A string or number with bounds: name the bound, not the union.
  return branches.length > 1 ? undefined : branches[0]
}

function unknownName(path: string, error: ValueError): string {
  const name = path.slice(path.lastIndexOf('.') + 1)
  const known = Object.keys((error.schema['properties'] as object | undefined) ?? {})
  const names = error.schema['propertyNames'] as { readonly description?: string } | undefined
  if (names?.description !== undefined) return `left out: ${names.description}`
  if (known.length === 0) return 'left out: only numeric keys are known here'
  const close = nearest(name, known)
  return close === undefined
    ? `left out: the known fields are ${known.join(', ')}`
    : `left out: there is no such field (did you mean "${close}"?)`
}

/** What a schema expects, in words: `a number from 0 to 1`, `one of "low", "high"`. */
function expectation(schema: TSchema): string {
  const alternatives = schema['anyOf'] as TSchema[] | undefined
  if (alternatives !== undefined) {
    if (alternatives.every((entry) => entry[Kind] === 'Literal')) {
      return `one of ${alternatives.map((entry) => JSON.stringify(entry['const'])).join(', ')}`
    }
    return [...new Set(alternatives.map(expectation))].join(' or ')
  }
  if (schema[Kind] === 'Literal') return JSON.stringify(schema['const'])
  switch (schema['type']) {
    case 'number':
      return `a number${bounds(schema)}`
    case 'integer':
      return `a whole number${bounds(schema)}`
    case 'string':
      if (isMediaAddress(schema)) return MEDIA_ADDRESS_IN_WORDS
      if (typeof schema['pattern'] === 'string' && typeof schema['default'] === 'string') {
        return `a string such as "${schema['default']}"`
      }
      return schema['format'] === 'date-time' ? 'an ISO-8601 datetime' : text(schema)
    case 'boolean':
      return 'true or false'
    case 'array':
      return `a list${amount(schema)}`
    case 'null':
      return 'null'
    default:
      return typeof schema['maxProperties'] === 'number'
        ? `an object with at most ${schema['maxProperties']} members`
        : 'an object'
  }
}

/** A required non-empty string is described as such, because "" is a string too. */
function text(schema: TSchema): string {
  const filled = typeof schema['minLength'] === 'number' && schema['minLength'] > 0
  const most = schema['maxLength'] as number | undefined
  const kind = filled ? 'a string that is not empty' : 'a string'
  if (most === undefined) return kind
  return filled ? `${kind} and has at most ${most} characters` : `${kind} of at most ${most} characters`
}

/** How many entries a list has. */
function amount(schema: TSchema): string {
  const least = (schema['minItems'] as number | undefined) ?? 0
  const most = schema['maxItems'] as number | undefined
  const entries = (count: number): string => (count === 1 ? '1 entry' : `${count} entries`)
  if (most === undefined) return least === 0 ? '' : ` of at least ${entries(least)}`
  if (least === 0) return ` of at most ${entries(most)}`
  return least === most ? ` of ${entries(most)}` : ` of ${least} to ${entries(most)}`
}

function bounds(schema: TSchema): string {
  const minimum = schema['minimum'] as number | undefined
  const above = schema['exclusiveMinimum'] as number | undefined
  const maximum = schema['maximum'] as number | undefined
  const low = minimum === undefined ? (above === undefined ? '' : ` above ${above}`) : ` from ${minimum}`
  const high = maximum === undefined ? '' : minimum === undefined ? ` up to ${maximum}` : ` to ${maximum}`
  if (minimum !== undefined && maximum === undefined) return ` of at least ${minimum}`
  return low + high
}

/** `/subtitle_config/speakerStyles/0` → `subtitle_config.speakerStyles.0`. */
function dotted(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')
}

function join(path: string, rest: string): string {
  return [path, rest].filter((part) => part !== '').join('.')
}

function nearest(name: string, known: readonly string[]): string | undefined {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/gu, '')
      .replaceAll('colour', 'color')
  let best: string | undefined
  let bestDistance = 3
  for (const candidate of known) {
    const distance = editDistance(plain(name).slice(0, 60), plain(candidate))
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best
}
