/** How every answer of the domain API is wrapped: `{data, requestId}`, lists with `meta`, refusals with `error`. */
import { Type, type TSchema, type Static } from '@sinclair/typebox'
import { ERRORS, type ErrorCode } from '../errors.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { nullable, choice, closedObject } from '../config-fields.ts'
import { ScopeSchema } from '../scopes.ts'

/** Version of the domain API; the description and GET /context carry it. */
export const DOMAIN_API_VERSION = '1.0.0'

const RequestId = Type.String({ description: 'Identifies the request; the log has it too' })

/** The body of every refusal. */
export const DomainError = Type.Object({
  error: Type.Object({
    code: Type.String({ enum: Object.keys(ERRORS) as ErrorCode[] }),
    message: Type.String({ description: 'One sentence for a person that says what to do' }),
    details: Type.Optional(Type.Unknown()),
  }),
  requestId: RequestId,
})

/** A moment: ISO 8601, UTC, milliseconds. */
export const Moment = Type.String({ format: 'date-time' })
export const NullableMoment = nullable(Moment)

export const NextCursor = Type.Object({
  nextCursor: nullable(Type.String(), {
    description:
      'Opaque; send it as cursor with the same query for the next page. Null: this is the last page',
  }),
})

/** One resource. */
export const single = (data: TSchema, meta?: TSchema): TSchema =>
  Type.Object({ data, ...omitUndefined({ meta }), requestId: RequestId })

/** A page of a list. */
export const list = (item: TSchema, meta: TSchema = NextCursor): TSchema =>
  Type.Object({ data: Type.Array(item), meta, requestId: RequestId })

/** `limit` and `cursor` of every list. */
export const PAGE_QUERY = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 2000, description: 'Opaque; bound to its query' }),
  ),
}
export const DEFAULT_PAGE = 50

export const DomainContext = closedObject({
  apiVersion: Type.String(),
  organization: Type.Object({
    id: Type.String(),
    name: Type.String(),
    plan: Type.String(),
    features: Type.Array(Type.String()),
    /** Renders that may go on at the same time. */
    renderConcurrency: Type.Integer({ minimum: 1 }),
  }),
  principal: Type.Object({
    id: Type.String(),
    /** `delegated`: named by a delegation; `session`: a person in the studio. */
    kind: choice(['delegated', 'session']),
  }),
  client: Type.Object({ id: Type.String(), name: Type.String() }),
  scopes: Type.Array(Type.String()),
  /** The leave of the organization to the client; null in the studio, which needs none. */
  grant: nullable(
    Type.Object({
      expiresAt: Moment,
      /** What the client may be used for; null: everything. */
      scopes: Type.Optional(nullable(Type.Array(ScopeSchema))),
    }),
  ),
  /** The delegation that was sent; null in the studio. */
  delegation: nullable(Type.Object({ issuer: Type.String(), expiresAt: Moment })),
})
export type DomainContext = Static<typeof DomainContext>
