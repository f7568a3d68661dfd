/** Workflows and runs as services of the platform read them. */
import { DEFAULT_PAGE } from '../../contract/tenant-api/envelope.ts'
import type { DomainRun } from '../../contract/tenant-api/operation.ts'
import type { WorkflowDetail, WorkflowItem } from '../../contract/tenant-api/workflow.ts'
import { countClipsOfRuns } from '../../db/clips.ts'
import { getDispatchOfRun } from '../../db/dispatches.ts'
import { getRun } from '../../db/runs.ts'
import { pageWorkflows, type Workflow } from '../../db/workflows.ts'
import { AppError } from '../../contract/errors.ts'
import { decodeCursor, encodeCursor } from '../cursors.ts'
import { etagOf } from '../revisions.ts'
import type { Services } from '../services.ts'
import { requireWorkflow } from './workflows.ts'

type Deps = Pick<Services, 'db'>

const iso = (time: number): string => new Date(time).toISOString()
const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time))

/** The revision as it is told outside: the ETag without its quotes. */
export function workflowRevision({ id, revision }: Pick<Workflow, 'id' | 'revision'>): string {
  return etagOf('workflow', id, revision).slice(1, -1)
}

function present(workflow: Workflow): WorkflowItem {
  const { id, name, description, graph, createdAt, updatedAt } = workflow
  return {
    id,
    name,
    description,
    revision: workflowRevision(workflow),
    nodeTypes: [...new Set(graph.nodes.map(({ type }) => type))],
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  }
}

/** A page of the company's workflows, oldest first. INVALID_CURSOR. */
export function listDomainWorkflows(
  { db }: Deps,
  input: { companyId: string; limit?: number; cursor?: string },
): { workflows: WorkflowItem[]; nextCursor: string | null } {
  const { companyId, limit = DEFAULT_PAGE, cursor } = input
  const query = { list: 'workflows', companyId }
  const [createdAt, id] = cursor === undefined ? [] : decodeCursor(query, cursor, 2)
  const after = createdAt === undefined ? null : { createdAt: Number(createdAt), id: String(id) }
  const found = pageWorkflows(db, companyId, { after, limit: limit + 1 })
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  return {
    workflows: page.map(present),
    nextCursor: last === undefined ? null : encodeCursor(query, [last.createdAt, last.id]),
  }
}

/** One workflow with its graph, and its ETag. NOT_FOUND for another company's. */
export function readDomainWorkflow(
  services: Deps,
  input: { companyId: string; workflowId: string },
): { workflow: WorkflowDetail; etag: string } {
  const workflow = requireWorkflow(services, input)
  return {
    workflow: { ...present(workflow), nodes: workflow.graph.nodes, edges: workflow.graph.edges },
    etag: etagOf('workflow', workflow.id, workflow.revision),
  }
}

/** One run; also one that was confirmed and is about to be started. NOT_FOUND for another company's. */
export function readDomainRun({ db }: Deps, input: { companyId: string; runId: string }): DomainRun {
  const { companyId, runId } = input
  const run = getRun(db, runId)
  if (run === null) return readComing({ db }, input)
  if (run.companyId !== companyId) throw noRun()
  const { snapshot, status } = run
  return {
    id: run.id,
    workflowId: run.workflowId,
    workflowName: snapshot.workflowName,
    status,
    progress: run.progress,
    stage: run.stage,
    warnings: run.warnings,
    error:
      status === 'Error'
        ? { code: run.errorCode ?? 'INTERNAL', message: run.error ?? 'The run failed.' }
        : null,
    source: snapshot.originalUrl,
    clipCount: status === 'Completed' ? (countClipsOfRuns(db, [run.id]).get(run.id) ?? 0) : 0,
    channel: run.channel,
    pipelineVersion: run.pipelineVersion,
    createdAt: iso(run.createdAt),
    updatedAt: iso(run.updatedAt),
    startedAt: isoOrNull(run.startedAt),
    finishedAt: isoOrNull(run.finishedAt),
  }
}

const noRun = (): AppError => new AppError('NOT_FOUND', { message: 'There is no such run.' })

function readComing({ db }: Deps, input: { companyId: string; runId: string }): DomainRun {
  const dispatch = getDispatchOfRun(db, input.runId)
  if (dispatch?.companyId !== input.companyId) throw noRun()
  const { runId, workflowId, snapshot, warnings, state, failure, createdAt, updatedAt } = dispatch
  const failed = state === 'failed'
  return {
    id: runId,
    workflowId,
    workflowName: snapshot.workflowName,
    status: failed ? 'Error' : 'Pending',
    progress: 0,
    stage: '',
    warnings,
    error: failed
      ? { code: failure?.code ?? 'INTERNAL', message: failure?.message ?? 'The run failed.' }
      : null,
    source: snapshot.originalUrl,
    clipCount: 0,
    channel: snapshot.channel,
    pipelineVersion: snapshot.pipelineVersion,
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
    startedAt: null,
    finishedAt: failed ? iso(updatedAt) : null,
  }
}
