/** The studio's session, its runs and operations, workflows, and what it shows of posts and results. */
import { openAsBlob } from 'node:fs'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { choice } from '../../contract/config-fields.ts'
import { OPERATION_FILTERS } from '../../contract/settings.ts'
import { StudioWorkflowDraft } from '../../contract/studio-workflow.ts'
import { AnalyticsDaysQuery, StudioCaptions, StudioRunRequest } from '../../contract/studio.ts'
import { analyticsDays } from '../../domain/analytics/read.ts'
import { sampleSource, studioRuns, studioSession } from '../../domain/clips/studio-overview.ts'
import { describeLearning } from '../../domain/learning/learn.ts'
import { listWaiting } from '../../domain/operations/confirmations.ts'
import { listOperations, retryOperation } from '../../domain/operations/failed-operations.ts'
import { describePlatforms } from '../../domain/publishing/accounts.ts'
import { cancelRender } from '../../domain/rendering/render-clip.ts'
import { cancelRun, removeRun, resumeRun } from '../../domain/runs/runs.ts'
import { startStudioRun } from '../../domain/runs/start-run.ts'
import type { Services } from '../../domain/services.ts'
import { captionRun } from '../../domain/transcripts/replace-words.ts'
import { previewWorkflow } from '../../domain/workflows/preview-workflow.ts'
import {
  deleteWorkflow,
  importWorkflow,
  listWorkflows,
  openWorkflow,
  saveWorkflow,
} from '../../domain/workflows/workflows.ts'
import { boundCompany, type Principal } from '../authenticate.ts'
import { acceptBody, done, readQuery } from '../json-body.ts'
import { decideRange } from '../range.ts'
import { contextOf, principalOf } from '../request-context.ts'
import { companyInBody, companyInQuery } from './company.ts'

const OperationsQuery = Type.Object({ state: Type.Optional(choice(OPERATION_FILTERS)) })
const DaysQuery = Type.Omit(AnalyticsDaysQuery, ['companyId'])
/** The body only has to be present; the use case reports what is wrong with the file. */
const Create = Type.Object({ file: Type.Unknown() })
const Save = Type.Object({ revision: Type.Integer(), file: Type.Unknown() })

const describePrincipal = (principal: Principal) => ({
  allCompanies: boundCompany(principal) === null,
  person: principal.kind === 'session' ? principal.person : null,
})

export function studioRoutes(services: Services, version: string) {
  const company = companyInQuery(services)
  return new Elysia({ prefix: '/studio' })
    .get('/session', (ctx) => {
      const caller = describePrincipal(principalOf(ctx.request))
      return studioSession(services, { companyId: company(ctx), ...caller, version })
    })
    .get('/platforms', () => describePlatforms())
    .get('/confirmations', (ctx) => ({ confirmations: listWaiting(services, { companyId: company(ctx) }) }))
    .get('/analytics/days', (ctx) =>
      analyticsDays(services, { companyId: company(ctx), ...readQuery(ctx, DaysQuery) }),
    )
    .get('/learning', (ctx) => describeLearning(services, company(ctx)))
}

export function runRoutes(services: Services) {
  const company = companyInQuery(services)
  return new Elysia({ prefix: '/studio' })
    .get('/runs', (ctx) => {
      const { baseUrl } = contextOf(ctx.request)
      return { runs: studioRuns(services, { companyId: company(ctx), baseUrl }) }
    })
    .post('/runs/:runId/resume', (ctx) => {
      const triggerId = ctx.params.runId
      resumeRun(services, { companyId: company(ctx), triggerId })
      return { triggerId }
    })
    .post('/runs/:runId/cancel', (ctx) => {
      const triggerId = ctx.params.runId
      cancelRun(services, { companyId: company(ctx), triggerId })
      return { triggerId }
    })
    .delete('/runs/:runId', (ctx) => {
      removeRun(services, { companyId: company(ctx), triggerId: ctx.params.runId })
      return done
    })
    .post(
      '/runs/:runId/captions',
      (ctx) => captionRun(services, { ...ctx.body, companyId: company(ctx), ...ctx.params }),
      acceptBody(StudioCaptions),
    )
    .post(
      '/runs',
      (ctx) => startStudioRun(services, { ...ctx.body, companyId: companyInBody(services)(ctx) }),
      acceptBody(StudioRunRequest),
    )
    .get('/operations', (ctx) => {
      const { state = null } = readQuery(ctx, OperationsQuery)
      return { operations: listOperations(services, { companyId: company(ctx), state }) }
    })
    .post('/operations/:operationId/retry', (ctx) =>
      retryOperation(services, { companyId: company(ctx), ...ctx.params }),
    )
    .post('/operations/:operationId/cancel', (ctx) =>
      cancelRender(services, { companyId: company(ctx), ...ctx.params }),
    )
}

export function workflowEditorRoutes(services: Services) {
  const company = companyInQuery(services)
  return new Elysia({ prefix: '/studio' })
    .get('/workflows', (ctx) => ({ workflows: listWorkflows(services, { companyId: company(ctx) }) }))
    .post(
      '/workflows',
      (ctx) => importWorkflow(services, { companyId: company(ctx), file: ctx.body.file }),
      acceptBody(Create),
    )
    .post(
      '/workflow-preview',
      (ctx) => {
        const { baseUrl } = contextOf(ctx.request)
        return previewWorkflow(services, { ...ctx.body, companyId: company(ctx), baseUrl })
      },
      acceptBody(StudioWorkflowDraft),
    )
    .get('/workflow-sample', (ctx) => sendSample(services, ctx.request))
    .get('/workflows/:workflowId', (ctx) =>
      openWorkflow(services, { companyId: company(ctx), ...ctx.params }),
    )
    .put(
      '/workflows/:workflowId',
      (ctx) => saveWorkflow(services, { ...ctx.body, companyId: company(ctx), ...ctx.params }),
      acceptBody(Save),
    )
    .delete('/workflows/:workflowId', (ctx) => {
      deleteWorkflow(services, { companyId: company(ctx), ...ctx.params })
      return { deleted: true }
    })
}

/** The bundled sample, or the range of it that a player asks for. */
async function sendSample(services: Services, request: Request): Promise<Response> {
  const file = await openAsBlob(sampleSource(services).path, { type: 'video/mp4' })
  const range = decideRange(request.headers.get('range') ?? undefined, file.size)
  const headers = {
    'content-type': 'video/mp4',
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=3600',
  }
  if (range.kind === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${file.size}` } })
  if (range.kind === 'all') return new Response(file, { headers })
  const { start, end } = range
  return new Response(file.slice(start, end + 1), {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${start}-${end}/${file.size}` },
  })
}
