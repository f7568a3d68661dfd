/** Runs, as the studio starts, shows, stops and resumes them. */
import { Elysia } from 'elysia'
import { StudioRunRequest, StudioRuns, StudioRunStarted } from '../../contract/studio.ts'
import { cancelRun, resumeRun } from '../../domain/runs/runs.ts'
import type { Services } from '../../domain/services.ts'
import { startStudioRun } from '../../domain/runs/start-run.ts'
import { studioRuns } from '../../domain/clips/studio-overview.ts'
import { describeRoute } from '../answers.ts'
import { jsonBody } from '../json-body.ts'
import { principalOf } from '../request-context.ts'
import { companyFor, companyInQuery, CompanyQuery } from './company.ts'

export function runRoutes(services: Services) {
  const company = (request: Request, given?: string) => companyFor(services, principalOf(request), given)
  return new Elysia({ prefix: '/studio' })
    .get(
      '/runs',
      (ctx) => {
        const companyId = companyInQuery(services, ctx.request)
        return { runs: studioRuns(services, { companyId }) }
      },
      describeRoute('Newest runs', StudioRuns, { query: CompanyQuery }),
    )
    .post(
      '/runs/:runId/resume',
      (ctx) => {
        const companyId = companyInQuery(services, ctx.request)
        resumeRun(services, { companyId, triggerId: ctx.params.runId })
        return { triggerId: ctx.params.runId }
      },
      describeRoute('Let a failed run go on where it stopped', StudioRunStarted, {
        query: CompanyQuery,
      }),
    )
    .post(
      '/runs/:runId/cancel',
      (ctx) => {
        const companyId = companyInQuery(services, ctx.request)
        cancelRun(services, { companyId, triggerId: ctx.params.runId })
        return { triggerId: ctx.params.runId }
      },
      describeRoute('Stop a run; what it has finished stays', StudioRunStarted, {
        query: CompanyQuery,
        errors: ['TRIGGER_NOT_FOUND', 'INVALID_STATE'],
      }),
    )
    .post(
      '/runs',
      (ctx) => {
        const companyId = company(ctx.request, ctx.body.companyId)
        return startStudioRun(services, { ...ctx.body, companyId })
      },
      describeRoute('Run a workflow on an upload or an address', StudioRunStarted, {
        body: jsonBody(StudioRunRequest),
      }),
    )
}
