/** The audit log: one row for each call that changes something, successful or not. */
import { Type, type Static } from '@sinclair/typebox'
import { choice, nullable } from './config-fields.ts'

export const ACTOR_KINDS = [
  /** A person in the studio. */
  'person',
  'key',
  /** An OAuth client, in the name of a principal. */
  'client',
  /** A service of the platform, or a worker node. */
  'service',
  /** A user of the machine, by a command. */
  'cli',
  /** A caller with missing or invalid credentials. */
  'nobody',
] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]

export interface Actor {
  readonly kind: ActorKind
  /** Of the person, key, client or service; user name on the machine; address of an unidentified caller. */
  readonly id: string
  /** Name of the person, subject of a delegation, or the claimed requester behind a user of the machine. */
  readonly name: string | null
}

const Nullable = nullable(Type.String())

export const AuditRow = Type.Object({
  id: Type.Integer(),
  at: Type.String(),
  actor: Type.Object({ kind: choice(ACTOR_KINDS), id: Type.String(), name: Nullable }),
  companyId: Nullable,
  /** `CLI` for a command. */
  method: Type.String(),
  /** The route's template, never the address itself. */
  route: Type.String(),
  resourceId: Nullable,
  /** HTTP status of the response (499: the client had disconnected), or a command's exit code. */
  status: Type.Integer(),
  requestId: Type.String(),
})
export type AuditRow = Static<typeof AuditRow>

/** `before` is the id of the last row of the page before. */
export const AuditQuery = Type.Object({
  since: Type.Optional(Type.String({ maxLength: 40 })),
  actor: Type.Optional(choice(ACTOR_KINDS)),
  outcome: Type.Optional(choice(['done', 'refused'])),
  before: Type.Optional(Type.Integer({ minimum: 1 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
})

export const AuditPage = Type.Object({
  rows: Type.Array(AuditRow),
  /** For the next page; null at the end. */
  next: nullable(Type.Integer()),
  /** Days for which rows are stored. */
  keptDays: Type.Integer(),
})
export type AuditPage = Static<typeof AuditPage>
