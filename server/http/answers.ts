/** Declares routes and describes them for the OpenAPI document: parameters, response, and error codes. */
import type { TObject, TSchema } from '@sinclair/typebox'
import type { DocumentDecoration } from 'elysia'
import { ERRORS, type ErrorCode } from '../contract/errors.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'

const CONTENT = 'application/json'

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
  /** Headers of the 200 answer, by name. */
  readonly answerHeaders?: Readonly<Record<string, unknown>>
  /** The route needs no API key. */
  readonly open?: boolean
}

function queryParameters(query: TObject | undefined): unknown[] {
  if (query === undefined) return []
  const required: readonly string[] = query.required ?? []
  return Object.entries(query.properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
    ...(typeof schema['description'] === 'string' ? { description: schema['description'] } : {}),
  }))
}

/** Refusals by status. What every route may refuse is in the list without being named. */
function refusals({ errors = [], query, body, open = false }: RouteNotes): Record<string, unknown> {
  const codes = new Set<ErrorCode>([
    ...(query === undefined && body === undefined ? [] : (['INVALID_REQUEST'] as const)),
    ...errors,
    ...(open ? [] : (['INVALID_API_KEY'] as const)),
    'FORBIDDEN_HOST',
    'RATE_LIMITED',
    ...(body === undefined ? [] : (['PAYLOAD_TOO_LARGE', 'DISK_FULL'] as const)),
    'INTERNAL',
  ])
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, named]) => {
      const code = { properties: { code: { enum: named } } }
      const schema = { allOf: [{ $ref: '#/components/schemas/PublicError' }, code] }
      const description = named.map((name) => `${name}: ${ERRORS[name].message}`).join(' ')
      return [status, { description, content: { [CONTENT]: { schema } } }]
    }),
  )
}

/** The hook of a route: its body, where it has one, and its `detail`. Its 200 answer has the schema `answer`. */
export function describeRoute<Body extends DeclaredBody>(
  summary: string,
  answer: TSchema,
  notes: RouteNotes & { readonly body: Body },
): Omit<Body, 'detail'> & { detail: DocumentDecoration }
export function describeRoute(
  summary: string,
  answer: TSchema,
  notes?: RouteNotes,
): { detail: DocumentDecoration }
export function describeRoute(summary: string, answer: TSchema, notes: RouteNotes = {}) {
  const parameters = [...(notes.headers ?? []), ...queryParameters(notes.query)]
  // TypeBox schemas are JSON Schema 2020-12, which OpenAPI 3.1 takes; Elysia's type is of 3.0.
  const detail: Record<string, unknown> = {
    ...notes.body?.detail,
    summary,
    ...omitUndefined({ description: notes.description }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(notes.open === true ? { security: [] } : {}),
    responses: {
      200: {
        description: 'Done',
        ...omitUndefined({ headers: notes.answerHeaders }),
        content: { [CONTENT]: { schema: answer } },
      },
      ...refusals(notes),
    },
  }
  return { ...notes.body, detail }
}
