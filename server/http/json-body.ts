/**
 * Checks bodies and queries against TypeBox schemas. Elysia's own parsing would strip or refuse unknown fields that the
 * contract keeps, split encoded commas, and accept `1e1` as an integer. One schema feeds validation, types and OpenAPI.
 */
import { Type, type Static, type TObject, type TSchema, type TUnsafe } from '@sinclair/typebox'
import { TypeCompiler, type TypeCheck } from '@sinclair/typebox/compiler'
import { inCharacters } from '../contract/characters.ts'
import { Elysia, type DocumentDecoration } from 'elysia'
import { AppError } from '../contract/errors.ts'
import { firstProblem } from '../nodes/validate.ts'
import { noteSubject, requireAccess } from './request-context.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'

export const MAX_JSON_BYTES = 1024 ** 2

type Json = Record<string, unknown>
interface ParserContext {
  readonly request: Request
}

const refuse = (field: string, message: string, expected?: string): AppError =>
  new AppError('INVALID_REQUEST', { message, details: { field, ...omitUndefined({ expected }) } })

const compiled = new WeakMap<TSchema, TypeCheck<TSchema>>()

/** Fast path with a compiled schema; the schema itself finds the first error. Lengths are characters. */
function fits(schema: TSchema, value: unknown): boolean {
  const check = compiled.get(schema) ?? TypeCompiler.Compile(inCharacters(schema))
  compiled.set(schema, check)
  return check.Check(value)
}

/** Throws INVALID_REQUEST that names the first wrong or missing field. */
export function checkValue(schema: TSchema, value: Json): void {
  if (fits(schema, value)) return
  const problem = firstProblem(schema, value)
  if (problem === null) return
  const { path, expected } = problem
  if (!path.includes('.') && !Object.hasOwn(value, path))
    throw refuse(path, `"${path}" is missing; it should be ${expected}.`, expected)
  throw refuse(path, `"${path}" should be ${expected}.`, expected)
}

/** Lists and objects inside of each other; no body that is meant comes near it. */
export const MAX_LEVELS = 64

/** Walks the value level by level: a body of 1 MiB can nest so deeply that recursion would exhaust the stack. */
export function isTooDeep(value: unknown): boolean {
  let level = containers([value])
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_LEVELS) return true
    level = containers(level.flatMap((one) => Object.values(one) as unknown[]))
  }
  return false
}

const containers = (values: readonly unknown[]): object[] =>
  values.filter((one): one is object => typeof one === 'object' && one !== null)

/** Parses a body as JSON. Throws INVALID_REQUEST when it is not JSON or is nested too deeply. */
export function parseBody(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    const message =
      text.trim() === '' ? 'The request has no body; send a JSON object.' : 'The body is not JSON.'
    throw new AppError('INVALID_REQUEST', { message, details: { field: 'body' }, cause })
  }
  // Each level takes two characters: most bodies need not be looked at.
  if (text.length > 2 * MAX_LEVELS && isTooDeep(value))
    throw refuse('body', `The body is nested in more than ${MAX_LEVELS} levels.`)
  // JSON allows numbers of any size; one that becomes Infinity here could be neither stored nor sent back.
  if (MAY_BE_ENDLESS.test(text) && holdsEndless(value))
    throw refuse('body', 'A number of the body is too large.')
  return value
}

/** An exponent of three digits, or enough digits that one of two could do (10^308 is the end). */
const MAY_BE_ENDLESS = /[eE]\+?\d{3}|\d{200}/

/** Not deeper than MAX_LEVELS: that is held before. */
function holdsEndless(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsEndless)
}

/** The same where it should be an object. */
export function parseObject(text: string): Json {
  const value = parseBody(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuse('body', 'The body should be a JSON object.', 'an object')
  return value as Json
}

/** A known field sent as null counts as not sent. */
const withoutNulls = (body: Json, known: Readonly<Record<string, unknown>>): Json =>
  Object.fromEntries(
    Object.entries(body).filter(([name, value]) => value !== null || !Object.hasOwn(known, name)),
  )

/** Passes on only checked fields, so that unchecked ones cannot overwrite the route's own values. */
const onlyKnown = (body: Json, known: Readonly<Record<string, unknown>>): Json =>
  Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(known, name)))

interface BodyOptions {
  /** Runs before the body is looked at. */
  readonly first?: (context: ParserContext) => void
  /** Fields that the schema lacks reach the route, which judges or names them. */
  readonly keepsUnknown?: boolean
}

/** Checks the key against the body's companyId (401 before 400), then the body; drops unknown fields. */
export function acceptBody<T extends TObject>(schema: T, options: BodyOptions = {}) {
  const { first = () => undefined, keepsUnknown = false } = options
  const parse = async (context: ParserContext): Promise<Json> => {
    first(context)
    const body = withoutNulls(parseObject(await context.request.text()), schema.properties)
    if (typeof body['companyId'] === 'string') requireAccess(context.request, body['companyId'])
    checkValue(schema, body)
    noteSubject(context.request, body)
    return keepsUnknown ? body : onlyKnown(body, schema.properties)
  }
  // Typed for handlers; the check above is the only one.
  return { parse, body: Type.Unknown() as unknown as TUnsafe<Static<T>> }
}

/** The same with its description for OpenAPI; `shown`: the schema there, where it says more than what is checked. */
export function jsonBody<T extends TObject>(schema: T, options: BodyOptions & { shown?: TSchema } = {}) {
  const { shown = schema, ...checks } = options
  return {
    ...acceptBody(schema, checks),
    detail: { requestBody: { required: true, content: { 'application/json': { schema: shown } } } },
  }
}

/** Answer of a call that has nothing to return. */
export const done = { status: 'success' as const }

/** As JSON writes numbers, and whatever prints them: with as many decimals as it has, or an exponent. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** The text of a query parameter as its schema wants it; left as it is where it cannot be that. */
export function convertText(schema: TSchema | undefined, text: string): unknown {
  switch (schema?.['type']) {
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : text
    case 'number':
      return NUMBER.test(text) && Number.isFinite(Number(text)) ? Number(text) : text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    default:
      return text
  }
}

/**
 * The parameter that a name such as `tags[]` means: some clients write lists that way, and without this a filter would be
 * left out in silence. Throws INVALID_REQUEST for brackets at a parameter that is no list, or with something in them.
 */
export function parameterName(name: string, { properties }: TObject): string {
  const bare = /^(\w+)\[/.exec(name)?.[1]
  if (bare === undefined || !Object.hasOwn(properties, bare)) return name
  const isList = properties[bare]?.['type'] === 'array'
  if (isList && name === `${bare}[]`) return bare
  const how = isList ? `give ${bare} once for each value.` : `it takes one value, as ${bare}=...`
  throw refuse(bare, `"${name.slice(0, 100)}" is not understood: ${how}`)
}

/** The member that `metadata[name]` sets of a parameter that is an object; null for any other parameter. */
function memberOf(written: string, { properties }: TObject): { name: string; key: string } | null {
  const [, name = '', key = ''] = /^(\w+)\[([^[\]]+)\]$/.exec(written) ?? []
  return Object.hasOwn(properties, name) && properties[name]?.['type'] === 'object' ? { name, key } : null
}

export interface QueryCall {
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
}

/** A read, and the headers of its answer. */
interface ReadCall extends QueryCall {
  readonly set: { readonly headers: Record<string, unknown> }
}

/** One route at several addresses: the ids that it needs are in the query, or in the path. */
export function readRoutes(
  paths: readonly string[],
  answer: (call: ReadCall) => unknown,
  description: { readonly detail: DocumentDecoration },
  method: 'GET' | 'DELETE' = 'GET',
): Elysia {
  const app = new Elysia()
  for (const path of paths)
    if (method === 'GET') app.get(path, answer, description)
    else app.delete(path, answer, description)
  return app
}

/** Reads query and path, which must agree. The company is checked before the schema: 401 before 400. */
export function readQuery<T extends TObject>(context: QueryCall, schema: T): Static<T> {
  const values: Json = { ...context.params }
  const { url } = context.request
  const mark = url.indexOf('?')
  const query = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1).split('#', 1)[0])
  const given = new Set<string>()
  for (const [written, text] of query) {
    const member = memberOf(written, schema)
    if (member !== null) {
      if (given.has(written)) throw refuse(member.name, `"${written}" is given more than once.`)
      given.add(written)
      values[member.name] = { ...(values[member.name] as object | undefined), [member.key]: text }
      continue
    }
    const name = parameterName(written, schema)
    if (!Object.hasOwn(schema.properties, name)) continue
    if (given.has(name)) throw refuse(name, `"${name}" is given more than once.`)
    given.add(name)
    const value = convertText(schema.properties[name], text)
    if (Object.hasOwn(values, name) && values[name] !== value)
      throw refuse(name, `"${name}" in the path and in the query do not agree.`)
    values[name] = value
  }
  if (typeof values['companyId'] === 'string' && values['companyId'] !== '')
    requireAccess(context.request, values['companyId'])
  checkValue(schema, values)
  return values
}
