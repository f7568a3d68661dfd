/** Runs, as the studio starts, shows, stops and resumes them. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { AppError } from '../../contract/errors.ts'
import { StudioRunRequest, StudioRuns, StudioRunStarted } from '../../contract/studio.ts'
import { cancelRun } from '../../domain/cancel-run.ts'
import { resumeRun } from '../../domain/resume-run.ts'
import type { Services } from '../../domain/services.ts'
import { startLocalRun } from '../../domain/start-run.ts'
import { sampleSource, studioRuns } from '../../domain/studio.ts'
import { uploadSource } from '../../domain/uploads.ts'
import { describe } from '../answers.ts'
import { jsonBody, readQuery } from '../json-body.ts'
import { principalOf } from '../request-context.ts'
import { companyFor } from './company.ts'

const CompanyQuery = Type.Object({ companyId: Type.Optional(Type.String({ minLength: 1 })) })

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

export function runRoutes(services: Services) {
  const start = jsonBody(StudioRunRequest)
  const company = (request: Request, given?: string) => companyFor(services, principalOf(request), given)
  return new Elysia({ prefix: '/studio' })
    .get(
      '/runs',
      (ctx) => {
        const companyId = company(ctx.request, readQuery(ctx, CompanyQuery).companyId)
        return { runs: studioRuns(services, { companyId }) }
      },
      { detail: describe('Newest runs', StudioRuns, { query: CompanyQuery }) },
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
      '/runs/:runId/cancel',
      (ctx) => {
        const companyId = company(ctx.request, readQuery(ctx, CompanyQuery).companyId)
        cancelRun(services, { companyId, triggerId: ctx.params.runId })
        return { triggerId: ctx.params.runId }
      },
      {
        detail: describe('Stop a run; what it has finished stays', StudioRunStarted, {
          query: CompanyQuery,
          errors: ['TRIGGER_NOT_FOUND', 'INVALID_STATE'],
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
