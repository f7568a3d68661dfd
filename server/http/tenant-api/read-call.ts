/** Reads a request of the tenant API and checks it against its route's declaration. */
import type { TObject, TSchema } from '@sinclair/typebox'
import { AppError } from '../../contract/errors.ts'
import { convertText, fits, parseBody } from '../json-body.ts'
import { firstProblem } from '../../nodes/validate.ts'
import type { DomainRoute } from './declare.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

type Json = Record<string, unknown>

function refuse(field: string, message: string, expected?: string): AppError {
  const details = { field, ...omitUndefined({ expected }) }
  return new AppError('VALIDATION_FAILED', { message, details })
}

function check(schema: TSchema, value: Json): void {
  if (fits(schema, value)) return
  const problem = firstProblem(schema, value)
  if (problem === null) return
  const { path, expected } = problem
  const missing = !path.includes('.') && !Object.hasOwn(value, path)
  throw refuse(path, `"${path}" ${missing ? 'is missing; it ' : ''}should be ${expected}.`, expected)
}

/** `?tags=a&tags=b` for a list, one value for everything else. Parameters that the route does not have are not looked at. */
export function readQuery(request: Request, schema: TObject | undefined): Json {
  if (schema === undefined) return {}
  const given = new URL(request.url).searchParams
  const values: Json = {}
  for (const [name, property] of Object.entries(schema.properties)) {
    const texts = given.getAll(name)
    if (texts.length === 0) continue
    if (property['type'] === 'array') {
      values[name] = texts.map((text) => convertText(property['items'] as TSchema, text))
      continue
    }
    if (texts.length > 1) throw refuse(name, `"${name}" is given more than once.`)
    values[name] = convertText(property, texts[0] ?? '')
  }
  check(schema, values)
  return values
}

/** The JSON body; an empty one where the route may go without. */
export async function readBody(request: Request, route: DomainRoute): Promise<unknown> {
  if (route.body === undefined) return {}
  const text = await request.text()
  if (text.trim() === '' && route.bodyOptional === true) return {}
  // error-mapper.ts answers it as VALIDATION_FAILED in this family.
  const value = parseBody(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuse('body', 'The body should be a JSON object.', 'an object')
  check(route.body, value as Json)
  return value
}

const MAX_KEY_LENGTH = 200

/** The Idempotency-Key, or IDEMPOTENCY_KEY_REQUIRED; VALIDATION_FAILED for one that cannot be. */
export function readIdempotencyKey(headers: Headers): string {
  const key = headers.get('idempotency-key')?.trim() ?? ''
  if (key === '') throw new AppError('IDEMPOTENCY_KEY_REQUIRED')
  if (key.length > MAX_KEY_LENGTH)
    throw refuse('Idempotency-Key', `Idempotency-Key has more than ${MAX_KEY_LENGTH} characters.`)
  return key
}

/** The one quoted revision of If-Match, or PRECONDITION_REQUIRED; VALIDATION_FAILED for `*`, lists and weak tags. */
export function readIfMatch(headers: Headers): string {
  const given = headers.get('if-match')?.trim() ?? ''
  if (given === '') throw new AppError('PRECONDITION_REQUIRED')
  if (!/^"[\x21\x23-\x7e]+"$/.test(given))
    throw refuse('If-Match', 'If-Match should be the one quoted ETag of the version that you have read.')
  return given
}
