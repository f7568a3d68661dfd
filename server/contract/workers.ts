/** The page of worker nodes: this machine, the nodes that have joined, and a token for another one. */
import { Type, type Static } from '@sinclair/typebox'
import { PromiseSummary } from './promises.ts'
import { choice, closedObject, nullable } from './config-fields.ts'

const NODE_STATES = ['working', 'ready', 'away', 'revoked'] as const

export const StudioWorkerNode = Type.Object({
  id: Type.String(),
  name: Type.String(),
  /** `away`: it does not say that it is there. */
  state: choice(NODE_STATES),
  joinedAt: Type.String(),
  /** When it renewed its token last: every 20 minutes while it is there. */
  seenAt: Type.String(),
  /** What it does now, in words. */
  doing: Type.Array(Type.String()),
  /** Its cores, graphics card and installed models; null: it is away, or of an older version. */
  cores: nullable(Type.Integer()),
  /** Whether its models run on a graphics card. */
  card: nullable(Type.Boolean()),
  models: Type.Array(Type.String()),
})
export type StudioWorkerNode = Static<typeof StudioWorkerNode>

export const StudioWorkers = Type.Object({
  /** Whether stages go to worker nodes; else this machine does everything. */
  takesNodes: Type.Boolean(),
  /** Whether the queue of the nodes can be reached; true where there is none. */
  queueThere: Type.Boolean(),
  here: Type.Object({
    name: Type.String(),
    cores: Type.Integer(),
    card: Type.Boolean(),
    running: Type.Integer(),
    waiting: Type.Integer(),
  }),
  /** How well promised times were held on this appliance. */
  promises: Type.Array(PromiseSummary),
  nodes: Type.Array(StudioWorkerNode),
})
export type StudioWorkers = Static<typeof StudioWorkers>

export const WorkerTokenRequest = closedObject({ name: Type.String({ pattern: '^[\\w.-]{1,60}$' }) })

/** Shown once. `server`: the address by which the node reaches the appliance. */
export const WorkerTokenMade = Type.Object({
  token: Type.String(),
  expiresAt: Type.String(),
  server: Type.String(),
})
export type WorkerTokenMade = Static<typeof WorkerTokenMade>
