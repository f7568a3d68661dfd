/** Worker nodes for the settings: listed with what they do, invited by a token, revoked. */
import { summarisePromises } from '../promises/promised-times.ts'
import { availableParallelism, hostname } from 'node:os'
import { refuse } from '../../contract/errors.ts'
import type { StudioWorkerNode, StudioWorkers, WorkerTokenMade } from '../../contract/workers.ts'
import { countOpenWork } from '../../db/operation-list.ts'
import {
  findWorkerNode,
  listWorkerNodes,
  updateWorkerNode,
  type WorkerNodeRow,
} from '../../db/worker-nodes.ts'
import type { NodeReport } from '../../jobs/jobs.ts'
import { runsModelsOnCard } from '../../../models/machine.ts'
import { STAGES } from '../../../workers/stages/catalog.ts'
import { issueServiceToken } from '../access/service-tokens.ts'
import { ownIssuer } from '../access/signing-key.ts'
import { iso } from '../moments.ts'
import type { Services } from '../services.ts'
import { requireNodes } from '../worker-nodes/worker-nodes.ts'
import { holderOf } from '../worker-nodes/worker-calls.ts'

/** A token to join with is for now: whoever reads it later opens nothing. */
const JOIN_SECONDS = 3600
/** A token of a node is renewed for 30 days; what was not seen for longer has gone. */
const SHOWN_MS = 30 * 86_400_000

const labelOf = (stage: string): string =>
  Object.values(STAGES).find(({ name }) => name === stage)?.label ?? stage

/** A node that has joined, what it says of itself, and the stages that it works on. */
export interface SeenNode {
  readonly row: WorkerNodeRow
  /** Null: it is not there. */
  readonly report: NodeReport | null
  readonly stages: readonly string[]
}

/** Nodes that were seen in the last 30 days. `queueThere` false: their queue is away, so none is seen. */
export async function listSeenNodes(
  services: Services,
): Promise<{ readonly queueThere: boolean; readonly nodes: readonly SeenNode[] }> {
  const { db, jobs } = services
  const reports = jobs.nodes === undefined ? [] : await jobs.nodes.reports()
  const issuer = ownIssuer(services)
  const look = async (row: WorkerNodeRow): Promise<SeenNode> => {
    const report = reports?.find(({ nodeId }) => nodeId === row.id) ?? null
    const holder = holderOf({ issuer, subject: row.name, node: { id: row.id, since: 0 } })
    const held = report === null ? [] : ((await jobs.nodes?.heldBy(holder)) ?? [])
    return { row, report, stages: held.map(({ stage }) => stage) }
  }
  const rows = listWorkerNodes(db, services.now() - SHOWN_MS)
  return { queueThere: reports !== null, nodes: await Promise.all(rows.map(look)) }
}

function presentNode({ row, report, stages }: SeenNode, now: number): StudioWorkerNode {
  const { id, name, joinedAt, seenAt, revokedAt } = row
  const here =
    report === null ? ('away' as const) : stages.length > 0 ? ('working' as const) : ('ready' as const)
  return {
    id,
    name,
    state: revokedAt === null ? here : 'revoked',
    joinedAt: iso(joinedAt),
    seenAt: iso(report === null ? seenAt : now),
    doing: stages.map(labelOf),
    cores: report?.cores ?? null,
    card: report?.card ?? null,
    models: [...(report?.models ?? [])],
  }
}

export async function describeWorkers(services: Services): Promise<StudioWorkers> {
  const { db, config, now } = services
  const work = countOpenWork(db)
  const count = (state: string): number =>
    work.filter((one) => one.state === state).reduce((sum, one) => sum + one.count, 0)
  const { queueThere, nodes } = await listSeenNodes(services)
  return {
    takesNodes: config.queue === 'bullmq',
    queueThere,
    promises: summarisePromises(services),
    here: {
      name: hostname(),
      cores: availableParallelism(),
      card: runsModelsOnCard(config.inference),
      running: count('running'),
      waiting: count('queued'),
    },
    nodes: nodes.map((node) => presentNode(node, now())),
  }
}

/** A token that one more machine joins with. INVALID_STATE where the appliance has no worker nodes. */
export async function inviteNode(
  services: Services,
  { name, baseUrl }: { readonly name: string; readonly baseUrl: string },
): Promise<WorkerTokenMade> {
  requireNodes(services)
  const token = await issueServiceToken(services, { subject: name, lifeSeconds: JOIN_SECONDS, joins: true })
  return { token, expiresAt: iso(services.now() + JOIN_SECONDS * 1000), server: baseUrl }
}

/** Ends a node's token for good: what it holds goes to others. NOT_FOUND. */
export async function revokeNode(services: Services, id: string): Promise<StudioWorkers> {
  const row = findWorkerNode(services.db, id) ?? refuse('NOT_FOUND', 'There is no such worker node.')
  if (row.revokedAt === null) updateWorkerNode(services.db, id, { revokedAt: services.now() })
  return describeWorkers(services)
}
