/** GET /context: the tenant that the caller acts for, and its permissions. */
import { Type, type Static } from '@sinclair/typebox'
import { Moment } from './envelope.ts'
import { choice, closedObject, nullable } from '../config-fields.ts'

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
  grant: nullable(Type.Object({ expiresAt: Moment })),
  /** The delegation that was sent; null in the studio. */
  delegation: nullable(Type.Object({ issuer: Type.String(), expiresAt: Moment })),
})
export type DomainContext = Static<typeof DomainContext>
