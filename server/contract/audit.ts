/** The audit log: one row for each call that changes something, whatever came of it. */
import { Type, type Static } from '@sinclair/typebox'

export const ACTOR_KINDS = [
  /** Somebody in the studio. */
  'person',
  /** An API key. */
  'key',
  /** An OAuth client, in the name of a principal. */
  'client',
  /** A service of the platform, or a worker node. */
  'service',
  /** Somebody at the machine itself, by a command. */
  'cli',
  /** Whose credentials were missing or not valid. */
  'nobody',
] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]

/** Who did it. */
export interface Actor {
  readonly kind: ActorKind
  /** Id of the person, key or client; subject of a service; user of the machine; address of nobody. */
  readonly id: string
  /** Name of the person, subject of a delegation, or who is said to be behind the user of the machine. */
  readonly name: string | null
}

const Nullable = Type.Union([Type.String(), Type.Null()])

export const AuditRow = Type.Object({
  id: Type.Integer(),
  at: Type.String(),
  actor: Type.Object({
    kind: Type.Union(ACTOR_KINDS.map((kind) => Type.Literal(kind))),
    id: Type.String(),
    name: Nullable,
  }),
  companyId: Nullable,
  /** `CLI` for a command. */
  method: Type.String(),
  /** The route's template, never the address itself. */
  route: Type.String(),
  resourceId: Nullable,
  /** HTTP status of the answer; 499: who asked had gone. Of a command its exit code. */
  status: Type.Integer(),
  requestId: Type.String(),
})
export type AuditRow = Static<typeof AuditRow>

/** `before` is the id of the last row of the page before. */
export const AuditQuery = Type.Object({
  since: Type.Optional(Type.String({ maxLength: 40 })),
  actor: Type.Optional(Type.Union(ACTOR_KINDS.map((kind) => Type.Literal(kind)))),
  outcome: Type.Optional(Type.Union([Type.Literal('done'), Type.Literal('refused')])),
  before: Type.Optional(Type.Integer({ minimum: 1 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
})

export const AuditPage = Type.Object({
  rows: Type.Array(AuditRow),
  /** For the next page; null at the end. */
  next: Type.Union([Type.Integer(), Type.Null()]),
  /** Days that a row is kept. */
  keptDays: Type.Integer(),
})
export type AuditPage = Static<typeof AuditPage>
