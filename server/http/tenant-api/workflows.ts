/** GET /workflows, GET /workflows/{workflowId}, GET /runs/{runId}; POST /workflows:prepare-run and /workflows:run. */
import { Type } from '@sinclair/typebox'
import {
  Confirmation,
  WorkflowDetail,
  WorkflowDispatch,
  WorkflowItem,
  WorkflowRequest,
} from '../../contract/tenant-api/workflow.ts'
import { list, PAGE_QUERY, single } from '../../contract/tenant-api/envelope.ts'
import { DomainRun } from '../../contract/tenant-api/operation.ts'
import { listDomainWorkflows, readDomainRun, readDomainWorkflow } from '../../domain/workflows/workflows.ts'
import { prepareRun, runWorkflow } from '../../domain/runs/run-workflow.ts'
import { tenantRoute } from './declare.ts'

export const workflowRoutes = [
  tenantRoute('GET /workflows', {
    operationId: 'listWorkflows',
    sharedAddress: true,
    summary: 'Saved workflows, oldest first',
    query: Type.Object(PAGE_QUERY),
    answer: list(WorkflowItem),
    success: 'A page of workflows',
    errors: ['INVALID_CURSOR'],
    handle: (services, { caller, query }) => {
      const { companyId } = caller
      const { workflows, nextCursor } = listDomainWorkflows(services, { ...query, companyId })
      return { data: workflows, meta: { nextCursor } }
    },
  }),
  tenantRoute('GET /workflows/{workflowId}', {
    operationId: 'getWorkflow',
    etag: true,
    summary: 'One workflow with its nodes and edges',
    answer: single(WorkflowDetail),
    success: 'The workflow',
    handle: (services, { caller, params }) => {
      const { companyId } = caller
      const { workflow, etag } = readDomainWorkflow(services, { companyId, ...params })
      return { data: workflow, etag }
    },
  }),
  tenantRoute('POST /workflows:prepare-run', {
    operationId: 'prepareWorkflowRun',
    summary: 'Ask a person whether a workflow may run on a video',
    description:
      'Needs workflowId and input.url. Everything about the run is checked here; the confirmation is for exactly this request, at the present revision of the workflow.',
    body: WorkflowRequest,
    idempotent: 'atomic',
    status: 201,
    answer: single(Confirmation),
    success: 'A confirmation that waits for its decision',
    errors: ['NOT_FOUND', 'PRECONDITION_FAILED', 'QUOTA_EXCEEDED'],
    handle: (services, { caller, body }) => ({ data: prepareRun(services, { caller, request: body }) }),
  }),
  tenantRoute('POST /workflows:run', {
    operationId: 'runWorkflow',
    summary: 'Run a workflow that was confirmed',
    description:
      'Needs the approved confirmationId and the same request that it was prepared with. The confirmation is used up; the run starts from what was confirmed.',
    body: WorkflowRequest,
    idempotent: 'atomic',
    status: 202,
    answer: single(WorkflowDispatch),
    success: 'The run is on its way',
    errors: [
      'NOT_FOUND',
      'PRECONDITION_FAILED',
      'CONFIRMATION_EXPIRED',
      'CONFIRMATION_NOT_APPROVED',
      'CONFIRMATION_CONSUMED',
      'CONFIRMATION_MISMATCH',
      'QUOTA_EXCEEDED',
    ],
    handle: (services, { caller, body }) => ({ data: runWorkflow(services, { caller, request: body }) }),
  }),
  tenantRoute('GET /runs/{runId}', {
    operationId: 'getRun',
    summary: 'How a run goes',
    answer: single(DomainRun),
    success: 'The run',
    handle: (services, { caller, params }) => ({
      data: readDomainRun(services, { companyId: caller.companyId, runId: params.runId }),
    }),
  }),
]
