/** Saved workflows: list, read, import, export. */
import { readyField } from '../promises/promised-times.ts'
import * as workflows from '../../db/workflows.ts'
import { Value } from '@sinclair/typebox/value'
import { inCharacters } from '../../contract/characters.ts'
import { AppError, refuse } from '../../contract/errors.ts'
import {
  WorkflowFile,
  type EditedWorkflow,
  type WorkflowDocument,
  type WorkflowSummary,
} from '../../contract/workflow.ts'
import { newId } from '../../ids.ts'
import { validateGraph } from '../../nodes/index.ts'
import { firstProblem } from '../../nodes/validate.ts'
import { requireCompany } from '../people/companies.ts'
import type { DbServices, Services } from '../services.ts'
import { DEFAULT_PAGE } from '../../contract/tenant-api/envelope.ts'
import type { DomainRun } from '../../contract/tenant-api/operation.ts'
import type { WorkflowDetail, WorkflowItem } from '../../contract/tenant-api/workflow.ts'
import { countClipsOfRuns } from '../../db/clips.ts'
import { getDispatchOfRun } from '../../db/dispatches.ts'
import { getRun, type Run } from '../../db/runs.ts'
import { pageWorkflows, type Workflow } from '../../db/workflows.ts'
import { decodeCursor, encodeCursor } from '../cursors.ts'
import { etagOf } from '../revisions.ts'
interface WorkflowAddress {
  readonly companyId: string
  readonly workflowId: string
}

/** The company's workflows, oldest first. */
export function listWorkflows(services: DbServices, input: { companyId: string }): WorkflowSummary[] {
  return workflows.listWorkflows(services.db, input.companyId)
}

/** The company's workflow as it is stored. WORKFLOW_NOT_FOUND, also for one of another company. */
export function requireWorkflow(services: DbServices, input: WorkflowAddress): workflows.Workflow {
  return (
    workflows.getWorkflow(services.db, input.companyId, input.workflowId) ??
    refuse('WORKFLOW_NOT_FOUND', { details: { workflowId: input.workflowId } })
  )
}

/** One workflow with its nodes and edges. WORKFLOW_NOT_FOUND. */
export function getWorkflow(services: DbServices, input: WorkflowAddress): WorkflowDocument {
  const { id, name, description, graph } = requireWorkflow(services, input)
  return { id, name, description, nodes: graph.nodes, edges: graph.edges }
}

/** The form that `importWorkflow` takes. WORKFLOW_NOT_FOUND. */
export function exportWorkflow(services: DbServices, input: WorkflowAddress): WorkflowFile {
  const { name, description, graph } = requireWorkflow(services, input)
  return { name, description, nodes: graph.nodes, edges: graph.edges }
}

/** A workflow file's content, checked: INVALID_REQUEST, INVALID_NODE_CONFIG. */
function readWorkflowFile(file: unknown): Pick<workflows.Workflow, 'name' | 'description' | 'graph'> {
  if (!Value.Check(inCharacters(WorkflowFile), file)) {
    const { path = '', expected = 'something else' } = firstProblem(WorkflowFile, file) ?? {}
    const where = path === '' ? 'the file' : path
    throw new AppError('INVALID_REQUEST', {
      message: `This is not a workflow file: ${where} should be ${expected}.`,
      details: { path: where },
    })
  }
  const graph = { nodes: file.nodes, edges: file.edges ?? [] }
  const problems = validateGraph(graph)
  if (problems.length > 0)
    throw new AppError('INVALID_REQUEST', {
      message: `The workflow cannot be used: ${problems.join(' ')}`,
      details: { problems },
    })
  return { name: file.name, description: file.description ?? '', graph }
}

/**
 * Checks a workflow file and saves it for a company. INVALID_REQUEST when it is not a workflow file or its graph does not
 * hold (unknown node types are named), INVALID_NODE_CONFIG when a node's config is wrong, COMPANY_NOT_FOUND.
 */
export function importWorkflow(
  services: DbServices & Pick<Services, 'now'>,
  input: { companyId: string; file: unknown },
): { workflowId: string } {
  requireCompany(services, input.companyId)
  const read = readWorkflowFile(input.file)
  const now = services.now()
  const workflowId = newId()
  workflows.insertWorkflow(services.db, {
    id: workflowId,
    companyId: input.companyId,
    ...read,
    createdAt: now,
    updatedAt: now,
  })
  return { workflowId }
}

/** The workflow as an editor opens it. WORKFLOW_NOT_FOUND. */
export function openWorkflow(services: DbServices, input: WorkflowAddress): EditedWorkflow {
  return { ...getWorkflow(services, input), revision: requireWorkflow(services, input).revision }
}

/**
 * Saves another version in the place of the one with this revision; runs that have begun go on with theirs. Answers the
 * new revision. WORKFLOW_NOT_FOUND, PRECONDITION_FAILED when it was changed since, and what importWorkflow refuses.
 */
export function saveWorkflow(
  services: DbServices & Pick<Services, 'now'>,
  input: WorkflowAddress & { revision: number; file: unknown },
): { revision: number } {
  const { workflowId: id, companyId, revision } = input
  const read = readWorkflowFile(input.file)
  requireWorkflow(services, input)
  const change = { id, companyId, revision, ...read, updatedAt: services.now() }
  if (!workflows.updateWorkflow(services.db, change)) throw new AppError('PRECONDITION_FAILED')
  return { revision: revision + 1 }
}

/** Runs and clips that it has made stay. WORKFLOW_NOT_FOUND. */
export function deleteWorkflow(services: DbServices, input: WorkflowAddress): void {
  if (!workflows.deleteWorkflow(services.db, input.companyId, input.workflowId))
    throw new AppError('WORKFLOW_NOT_FOUND', { details: { workflowId: input.workflowId } })
}

const iso = (time: number): string => new Date(time).toISOString()
const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time))

/** The revision in the API: the ETag without its quotes. */
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
  { db }: DbServices,
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
  services: DbServices,
  input: { companyId: string; workflowId: string },
): { workflow: WorkflowDetail; etag: string } {
  const workflow = requireWorkflow(services, input)
  return {
    workflow: { ...present(workflow), nodes: workflow.graph.nodes, edges: workflow.graph.edges },
    etag: etagOf('workflow', workflow.id, workflow.revision),
  }
}

/** One run; also one that was confirmed and is about to be started. NOT_FOUND for another company's. */
export function readDomainRun(services: DbServices, input: { companyId: string; runId: string }): DomainRun {
  const { db } = services
  const { companyId, runId: id } = input
  const run = getRun(db, id)
  if (run?.companyId === companyId) {
    const clipCount = run.status === 'Completed' ? (countClipsOfRuns(db, [id]).get(id) ?? 0) : 0
    return { ...presentRun(run, clipCount), ...readyField(services, 'run', id) }
  }
  const dispatch = run === null ? getDispatchOfRun(db, id) : null
  if (dispatch?.companyId !== companyId) throw new AppError('NOT_FOUND', 'There is no such run.')
  const { snapshot, failure, state, updatedAt } = dispatch
  const hasFailed = state === 'failed'
  const pending = {
    ...dispatch,
    id,
    status: hasFailed ? ('Error' as const) : ('Pending' as const),
    progress: 0,
    stage: '',
    error: failure?.message ?? null,
    errorCode: failure?.code ?? null,
    channel: snapshot.channel,
    pipelineVersion: snapshot.pipelineVersion,
    startedAt: null,
    finishedAt: hasFailed ? updatedAt : null,
  }
  return presentRun(pending, 0)
}

function presentRun(run: Omit<Run, 'sourceDigest' | 'metadata'>, clipCount: number): DomainRun {
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
    metadata: snapshot.metadata ?? {},
    clipCount,
    channel: run.channel,
    pipelineVersion: run.pipelineVersion,
    createdAt: iso(run.createdAt),
    updatedAt: iso(run.updatedAt),
    startedAt: isoOrNull(run.startedAt),
    finishedAt: isoOrNull(run.finishedAt),
  }
}
