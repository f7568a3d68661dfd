/** POST /trigger-template and GET /workflow-results/{triggerId}. */
import { Elysia } from 'elysia'
import { AppError } from '../../contract/errors.ts'
import { CHANNELS, type Channel } from '../../contract/run.ts'
import { CancelRunResponse, RunsQuery, RunsResponse } from '../../contract/run-list.ts'
import { TriggerBody, TriggerRequest, TriggerResponse } from '../../contract/trigger.ts'
import { WorkflowResults, WorkflowDocument, WorkflowSummary } from '../../contract/workflow.ts'
import { cancelRun, getWorkflowResults, pageRuns, requireRun } from '../../domain/runs/runs.ts'
import type { Services } from '../../domain/services.ts'
import { startRun } from '../../domain/runs/start-run.ts'
import { describeRoute } from '../answers.ts'
import { answerPost, type PostAnswer } from './answer-posts.ts'
import { boundCompany, type Principal } from '../authenticate.ts'
import { jsonBody, readQuery, readRoutes } from '../json-body.ts'
import { contextOf, principalOf } from '../request-context.ts'
import { Type } from '@sinclair/typebox'
import { getWorkflow, listWorkflows } from '../../domain/workflows/workflows.ts'

const CHANNEL_HEADER = 'service-workflow-channel'

/** `current` when the header is absent; anything but the two exact values, empty included, is refused. */
function channelOf(headers: Headers): Channel {
  const given = headers.get(CHANNEL_HEADER)
  if (given === null) return 'current'
  const channel = CHANNELS.find((one) => one === given)
  if (channel === undefined)
    throw new AppError('INVALID_WORKFLOW_CHANNEL', { details: { header: 'Service-Workflow-Channel' } })
  return channel
}

/** The company of a run that the caller may act on. TRIGGER_NOT_FOUND. */
const companyOf = (services: Services, principal: Principal, triggerId: string): string =>
  requireRun(services, { companyId: boundCompany(principal), triggerId }).companyId

const channelSchema = { type: 'string', enum: CHANNELS, default: 'current' }

const TRIGGER = {
  body: jsonBody(TriggerRequest, {
    first: ({ request }) => void channelOf(request.headers),
    shown: TriggerBody,
    keepsUnknown: true,
  }),
  once: true,
  errors: [
    'INVALID_WORKFLOW_CHANNEL',
    'INVALID_URL',
    'UNSUPPORTED_SOURCE_URL',
    'INVALID_NODE_CONFIG',
    'WORKFLOW_NOT_FOUND',
    'UPLOAD_NOT_FOUND',
    'UPLOAD_INCOMPLETE',
    'UPLOAD_EXPIRED',
    'QUOTA_EXCEEDED',
  ],
  headers: [{ name: 'Service-Workflow-Channel', in: 'header', required: false, schema: channelSchema }],
  answerHeaders: {
    'Service-Workflow-Channel': { description: 'The channel applied', schema: channelSchema },
  },
} as const

export function triggerRoutes(services: Services) {
  return new Elysia()
    .post(
      '/trigger-template',
      (ctx) => {
        const { request, set, body } = ctx
        const channel = channelOf(request.headers)
        const headers = { [CHANNEL_HEADER]: channel }
        const start = (): PostAnswer<TriggerResponse> => {
          const { baseUrl } = contextOf(request)
          const { triggerId } = startRun(services, { companyId: body.companyId, body, channel, baseUrl })
          const message = 'The run is queued; poll its results by triggerId.'
          return { data: { triggerId, status: 'pending', message }, headers }
        }
        return answerPost(services, { request, set, content: { body, channel } }, { atomic: start })
      },
      describeRoute('Start a clipping run', TriggerResponse, TRIGGER),
    )
    .use(
      readRoutes(
        ['/workflow-results', '/companies/:companyId/workflow-results'],
        (ctx) => pageRuns(services, readQuery(ctx, RunsQuery)),
        describeRoute('The runs of a company', RunsResponse, {
          query: RunsQuery,
          errors: ['INVALID_CURSOR'],
          description: 'Newest first. An addition to the service’s document.',
        }),
      ),
    )
    .post(
      '/workflow-results/:triggerId/cancel',
      ({ request, set, params }) => {
        const { triggerId } = params
        const companyId = companyOf(services, principalOf(request), triggerId)
        const cancel = (): PostAnswer<CancelRunResponse> => {
          cancelRun(services, { companyId, triggerId })
          return { data: { triggerId, status: 'success', message: 'The run is being stopped.' } }
        }
        return answerPost(services, { request, set, content: { triggerId } }, { atomic: cancel })
      },
      describeRoute('Stop a run', CancelRunResponse, {
        once: true,
        errors: ['TRIGGER_NOT_FOUND', 'INVALID_STATE'],
        description:
          'It ends in Error with the code CANCELLED; clips that were found before stay. It has no body. An addition to the service’s document.',
      }),
    )
    .get(
      '/workflow-results/:triggerId',
      (ctx): WorkflowResults => {
        return getWorkflowResults(services, {
          companyId: boundCompany(principalOf(ctx.request)),
          triggerId: ctx.params.triggerId,
          baseUrl: contextOf(ctx.request).baseUrl,
        })
      },
      describeRoute('Status and clips of a run', WorkflowResults, {
        errors: ['TRIGGER_NOT_FOUND'],
        description: 'Poll every 5 to 10 seconds until the status is Completed or Error.',
      }),
    )
}

const CompanyQuery = Type.Object({ companyId: Type.String({ minLength: 1 }) })
const WorkflowQuery = Type.Object({ ...CompanyQuery.properties, workflowId: Type.String({ minLength: 1 }) })
const Workflows = Type.Object({ workflows: Type.Array(WorkflowSummary) })
const OneWorkflow = Type.Object({ workflow: WorkflowDocument })

export function workflowRoutes(services: Services) {
  return new Elysia()
    .use(
      readRoutes(
        ['/workflows', '/companies/:companyId/workflows'],
        (ctx) => ({ workflows: listWorkflows(services, readQuery(ctx, CompanyQuery)) }),
        describeRoute('Saved workflows', Workflows, { query: CompanyQuery }),
      ),
    )
    .use(
      readRoutes(
        ['/workflow', '/companies/:companyId/workflows/:workflowId'],
        (ctx) => ({ workflow: getWorkflow(services, readQuery(ctx, WorkflowQuery)) }),
        describeRoute('One workflow', OneWorkflow, { query: WorkflowQuery, errors: ['WORKFLOW_NOT_FOUND'] }),
      ),
    )
}
