/** The studio's own routes, by session cookie or API key. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { AppError } from '../../contract/errors.ts'
import {
  StudioClips,
  StudioRunRequest,
  StudioRuns,
  StudioRunStarted,
  StudioSession,
} from '../../contract/studio.ts'
import { WorkflowSummary } from '../../contract/workflow.ts'
import { resumeRun } from '../../domain/resume-run.ts'
import type { Services } from '../../domain/services.ts'
import { startLocalRun } from '../../domain/start-run.ts'
import { sampleSource, studioClips, studioRuns, studioSession } from '../../domain/studio.ts'
import { uploadSource } from '../../domain/uploads.ts'
import { listWorkflows } from '../../domain/workflows.ts'
import { describe } from '../answers.ts'
import { boundCompany, type Principal } from '../authenticate.ts'
import { jsonBody, readQuery } from '../json-body.ts'
import { contextOf, principalOf } from '../request-context.ts'
import { companyFor } from './company.ts'

const CompanyQuery = Type.Object({ companyId: Type.Optional(Type.String({ minLength: 1 })) })
const ClipsQuery = Type.Object({
  companyId: Type.Optional(Type.String({ minLength: 1 })),
  runId: Type.Optional(Type.String({ minLength: 1 })),
})

function sourceOf(services: Services, companyId: string, { url, uploadId, sample }: StudioRunRequest) {
  if ([url, uploadId, sample].filter((given) => given !== undefined).length !== 1)
    throw new AppError('INVALID_REQUEST', {
      message: 'Give one of "url", "uploadId" and "sample".',
      details: { field: 'url' },
    })
  if (sample === true) return sampleSource(services)
  return uploadId === undefined
    ? { kind: 'url' as const, url: url ?? '' }
    : uploadSource(services, { companyId, uploadId })
}

const whoIs = (principal: Principal) => ({
  allCompanies: boundCompany(principal) === null,
  person: principal.kind === 'session' ? principal.person : null,
})

export function studioRoutes(services: Services, version: string) {
  const start = jsonBody(StudioRunRequest)
  const company = (request: Request, given?: string) => companyFor(services, principalOf(request), given)
  return new Elysia({ prefix: '/studio' })
    .get(
      '/session',
      (ctx): StudioSession =>
        studioSession(services, {
          companyId: company(ctx.request, readQuery(ctx, CompanyQuery).companyId),
          ...whoIs(principalOf(ctx.request)),
          version,
        }),
      { detail: describe('Who is signed in', StudioSession, { query: CompanyQuery }) },
    )
    .get(
      '/workflows',
      (ctx) => {
        const companyId = company(ctx.request, readQuery(ctx, CompanyQuery).companyId)
        return { workflows: listWorkflows(services, { companyId }) }
      },
      {
        detail: describe('Saved workflows', Type.Object({ workflows: Type.Array(WorkflowSummary) }), {
          query: CompanyQuery,
        }),
      },
    )
    .get(
      '/runs',
      (ctx) => {
        const companyId = company(ctx.request, readQuery(ctx, CompanyQuery).companyId)
        return { runs: studioRuns(services, { companyId }) }
      },
      { detail: describe('Newest runs', StudioRuns, { query: CompanyQuery }) },
    )
    .get(
      '/clips',
      (ctx) => {
        const query = readQuery(ctx, ClipsQuery)
        const { baseUrl } = contextOf(ctx.request)
        const companyId = company(ctx.request, query.companyId)
        return { clips: studioClips(services, { companyId, runId: query.runId ?? null, baseUrl }) }
      },
      { detail: describe('Newest clips, or those of one run', StudioClips, { query: ClipsQuery }) },
    )
    .post(
      '/runs/:runId/resume',
      (ctx) => {
        const companyId = company(ctx.request, readQuery(ctx, CompanyQuery).companyId)
        resumeRun(services, { companyId, triggerId: ctx.params.runId })
        return { triggerId: ctx.params.runId }
      },
      {
        detail: describe('Let a failed run go on where it stopped', StudioRunStarted, {
          query: CompanyQuery,
        }),
      },
    )
    .post(
      '/runs',
      (ctx) => {
        const companyId = company(ctx.request, ctx.body.companyId)
        const { workflowId, nodeConfigs } = ctx.body
        return startLocalRun(services, {
          companyId,
          workflowId,
          source: sourceOf(services, companyId, ctx.body),
          ...(nodeConfigs === undefined ? {} : { nodeConfigs }),
        })
      },
      {
        ...start,
        detail: describe('Run a workflow on an upload or an address', StudioRunStarted, {
          body: start.detail,
        }),
      },
    )
}
