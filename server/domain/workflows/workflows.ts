/** Saved workflows: list, read, import, export. */
import { Value } from '@sinclair/typebox/value'
import { inCharacters } from '../../contract/characters.ts'
import { AppError } from '../../contract/errors.ts'
import {
  WorkflowFile,
  type EditedWorkflow,
  type WorkflowDocument,
  type WorkflowSummary,
} from '../../contract/workflow.ts'
import * as workflows from '../../db/workflows.ts'
import { newId } from '../../ids.ts'
import { validateGraph } from '../../nodes/index.ts'
import { firstProblem } from '../../nodes/validate.ts'
import { requireCompany } from '../people/companies.ts'
import type { Services } from '../services.ts'

type WorkflowServices = Pick<Services, 'db'>
interface WorkflowAddress {
  readonly companyId: string
  readonly workflowId: string
}

/** The company's workflows, oldest first. */
export function listWorkflows(services: WorkflowServices, input: { companyId: string }): WorkflowSummary[] {
  return workflows.listWorkflows(services.db, input.companyId)
}

/** The company's workflow as it is stored. WORKFLOW_NOT_FOUND, also for one of another company. */
export function requireWorkflow(services: WorkflowServices, input: WorkflowAddress): workflows.Workflow {
  const workflow = workflows.getWorkflow(services.db, input.companyId, input.workflowId)
  if (workflow === null)
    throw new AppError('WORKFLOW_NOT_FOUND', { details: { workflowId: input.workflowId } })
  return workflow
}

/** One workflow with its nodes and edges. WORKFLOW_NOT_FOUND. */
export function getWorkflow(services: WorkflowServices, input: WorkflowAddress): WorkflowDocument {
  const { id, name, description, graph } = requireWorkflow(services, input)
  return { id, name, description, nodes: graph.nodes, edges: graph.edges }
}

/** The form that `importWorkflow` takes. WORKFLOW_NOT_FOUND. */
export function exportWorkflow(services: WorkflowServices, input: WorkflowAddress): WorkflowFile {
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
  services: WorkflowServices & Pick<Services, 'now'>,
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
export function openWorkflow(services: WorkflowServices, input: WorkflowAddress): EditedWorkflow {
  return { ...getWorkflow(services, input), revision: requireWorkflow(services, input).revision }
}

/**
 * Saves another version in the place of the one with this revision; runs that have begun go on with theirs. Answers the
 * new revision. WORKFLOW_NOT_FOUND, PRECONDITION_FAILED when it was changed since, and what importWorkflow refuses.
 */
export function saveWorkflow(
  services: WorkflowServices & Pick<Services, 'now'>,
  input: WorkflowAddress & { readonly revision: number; readonly file: unknown },
): { revision: number } {
  const { workflowId: id, companyId, revision } = input
  const read = readWorkflowFile(input.file)
  requireWorkflow(services, input)
  const change = { id, companyId, revision, ...read, updatedAt: services.now() }
  if (!workflows.updateWorkflow(services.db, change)) throw new AppError('PRECONDITION_FAILED')
  return { revision: revision + 1 }
}

/** Runs and clips that it has made stay. WORKFLOW_NOT_FOUND. */
export function deleteWorkflow(services: WorkflowServices, input: WorkflowAddress): void {
  if (!workflows.deleteWorkflow(services.db, input.companyId, input.workflowId))
    throw new AppError('WORKFLOW_NOT_FOUND', { details: { workflowId: input.workflowId } })
}
