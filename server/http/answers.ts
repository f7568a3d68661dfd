/** Declares routes and describes them for the OpenAPI document: parameters, response, and error codes. */
import type { TObject, TSchema } from '@sinclair/typebox'
import type { DocumentDecoration } from 'elysia'
import { ERRORS, type ErrorCode } from '../contract/errors.ts'
import { SCOPE_ABOUT, SCOPES } from '../contract/scopes.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'
import { scopesOf } from './abilities.ts'
import { IDEMPOTENCY_KEY, REPLAYED } from './openapi-headers.ts'

export const CONTENT = 'application/json'

interface DeclaredBody {
  readonly detail: { readonly requestBody: unknown }
}

export interface RouteNotes {
  readonly query?: TObject
  /** As `jsonBody` gives it. */
  readonly body?: DeclaredBody
  readonly description?: string
  /** Error codes of this route, in addition to those that every route has. */
  readonly errors?: readonly ErrorCode[]
  /** Header parameters, as OpenAPI writes them. */
  readonly headers?: readonly Readonly<Record<string, unknown>>[]
  /** Status of the answer; 200 where it is not named. */
  readonly status?: 201 | 204
  /** Headers of that answer, by name. */
  readonly answerHeaders?: Readonly<Record<string, unknown>>
  /** Other answers of the same form that are no refusal, by status. */
  readonly also?: Readonly<Record<number, string>>
  /** The route needs no API key. */
  readonly open?: boolean
  /** The route takes an Idempotency-Key (public/answer-posts.ts). */
  readonly once?: boolean
}

/** The parameters in a path; `pattern` finds their names. */
export const pathParameters = (path: string, pattern: RegExp) =>
  Array.from(path.matchAll(pattern), ([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    // Without it the address is another one.
    schema: { type: 'string', minLength: 1 },
  }))

export function queryParameters(query: TObject | undefined): unknown[] {
  if (query === undefined) return []
  const required: readonly string[] = query.required ?? []
  return Object.entries(query.properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
    ...(schema['type'] === 'array' ? { style: 'form', explode: true } : {}),
    ...(schema['type'] === 'object' ? { style: 'deepObject', explode: true } : {}),
    ...(typeof schema['description'] === 'string' ? { description: schema['description'] } : {}),
  }))
}

/** Refusals by status; `schemaOf` wraps codes into the error body of the API. */
export function describeRefusals(
  codes: Iterable<ErrorCode>,
  schemaOf: (codes: readonly ErrorCode[]) => unknown,
  headers: Readonly<Record<number, object>> = {},
): Record<string, unknown> {
  return Object.fromEntries(
    [...Map.groupBy(codes, (code) => ERRORS[code].status)].map(([status, named]) => {
      const description = named.map((name) => `${name}: ${ERRORS[name].message}`).join(' ')
      const content = { [CONTENT]: { schema: schemaOf(named) } }
      return [status, { description, ...omitUndefined({ headers: headers[status] }), content }]
    }),
  )
}

/** What an operation needs to be called: the scheme, and the scope that opens it; several: one of them will do. */
export function securedBy(scheme: string, method: string, path: string) {
  const scopes = scopesOf(method, path) ?? []
  return scopes.length === 0 ? [{ [scheme]: [] }] : scopes.map((scope) => ({ [scheme]: [scope] }))
}

/** The scopes and what each opens, as a list in Markdown. */
export const SCOPES_IN_WORDS = SCOPES.map((scope) => `- \`${scope}\`: ${SCOPE_ABOUT[scope]}`).join('\n')

/** What is answered before it is known what was called; `error`: the name of the schema, the same in both APIs. */
export const protocolRefusals = (error: string) =>
  Object.fromEntries(
    [
      [408, 'The request was not complete in time.'],
      [431, 'The headers of the request, its address included, are larger than 16 KiB.'],
    ].map(([status, description]) => [
      status,
      { description, content: { [CONTENT]: { schema: { $ref: `#/components/schemas/${error}` } } } },
    ]),
  ) as Record<string, unknown>

/** As documents name their license. */
export const LICENSE = { name: 'MIT', identifier: 'MIT' } as const

/** What every route may refuse is in the list without being named. */
function refusals({ errors = [], body, open = false, once = false }: RouteNotes): Record<string, unknown> {
  const codes = new Set<ErrorCode>([
    // Also of what is no request at all: two Host headers, half a percent sign.
    'INVALID_REQUEST',
    ...errors,
    ...(once ? (['IDEMPOTENCY_CONFLICT'] as const) : []),
    ...(open ? [] : (['INVALID_API_KEY', 'SCOPE_MISSING'] as const)),
    'FORBIDDEN_HOST',
    'RATE_LIMITED',
    // A request may come with a body that nobody asked for.
    'PAYLOAD_TOO_LARGE',
    ...(body === undefined && !once ? [] : (['UNSUPPORTED_ENCODING'] as const)),
    ...(body === undefined ? [] : (['DISK_FULL'] as const)),
    'INTERNAL',
  ])
  return describeRefusals(codes, (named) => ({
    allOf: [
      { $ref: '#/components/schemas/Error' },
      { type: 'object', properties: { code: { type: 'string', enum: named } } },
    ],
  }))
}

/** The hook of a route: its body, where it has one, and its `detail`. Its answer has the schema `answer`, or no body (null). */
export function describeRoute<Body extends DeclaredBody>(
  summary: string,
  answer: TSchema | null,
  notes: RouteNotes & { readonly body: Body },
): Omit<Body, 'detail'> & { detail: DocumentDecoration }
export function describeRoute(
  summary: string,
  answer: TSchema | null,
  notes?: RouteNotes,
): { detail: DocumentDecoration }
export function describeRoute(summary: string, answer: TSchema | null, notes: RouteNotes = {}) {
  const { once = false } = notes
  const keyed = once ? [IDEMPOTENCY_KEY] : []
  const parameters = [...(notes.headers ?? []), ...keyed, ...queryParameters(notes.query)]
  const answerHeaders = { ...notes.answerHeaders, ...(once ? REPLAYED : {}) }
  // TypeBox schemas are JSON Schema 2020-12, which OpenAPI 3.1 takes; Elysia's type is of 3.0.
  const detail: Record<string, unknown> = {
    ...notes.body?.detail,
    summary,
    ...omitUndefined({ description: notes.description }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(notes.open === true ? { security: [] } : {}),
    responses: {
      [notes.status ?? 200]: {
        description: 'Done',
        ...(Object.keys(answerHeaders).length === 0 ? {} : { headers: answerHeaders }),
        ...(answer === null ? {} : { content: { [CONTENT]: { schema: answer } } }),
      },
      ...refusals(notes),
      ...Object.fromEntries(
        Object.entries(notes.also ?? {}).map(([status, description]) => [
          status,
          { description, content: { [CONTENT]: { schema: answer } } },
        ]),
      ),
    },
  }
  return { ...notes.body, detail }
}
