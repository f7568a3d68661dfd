/** Runs, as the studio starts, shows, stops and resumes them. */
import { Elysia } from 'elysia'
import { StudioRunRequest, StudioRuns, StudioRunStarted } from '../../contract/studio.ts'
import { cancelRun, resumeRun } from '../../domain/runs/runs.ts'
import type { Services } from '../../domain/services.ts'
import { startStudioRun } from '../../domain/runs/start-run.ts'
import { studioRuns } from '../../domain/clips/studio-overview.ts'
import { describeRoute } from '../answers.ts'
import { jsonBody, readQuery } from '../json-body.ts'
import { principalOf } from '../request-context.ts'
import { companyFor, companyInQuery, CompanyQuery } from './company.ts'
import { Type } from '@sinclair/typebox'
import {
  ListedOperations,
  OPERATION_FILTERS,
  OperationCancelled,
  OperationRetried,
} from '../../contract/settings.ts'
import { cancelRender } from '../../domain/rendering/render-jobs.ts'
import { listOperations, retryOperation } from '../../domain/operations/failed-operations.ts'

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

const OperationsQuery = Type.Object({
  companyId: Type.Optional(Type.String({ minLength: 1 })),
  state: Type.Optional(
    Type.Union(
      OPERATION_FILTERS.map((state) => Type.Literal(state)),
      { description: 'dead: failed, worth another try, and not tried again' },
    ),
  ),
})

export function operationRoutes(services: Services) {
  const company = (request: Request, given?: string) => companyFor(services, principalOf(request), given)
  return new Elysia({ prefix: '/studio' })
    .get(
      '/operations',
      (ctx) => {
        const { companyId, state } = readQuery(ctx, OperationsQuery)
        const filter = { companyId: company(ctx.request, companyId), state: state ?? null }
        return { operations: listOperations(services, filter) }
      },
      describeRoute('Newest operations, or those in one state', ListedOperations, {
        query: OperationsQuery,
        errors: ['COMPANY_NOT_FOUND'],
      }),
    )
    .post(
      '/operations/:operationId/retry',
      (ctx) => {
        const companyId = companyInQuery(services, ctx.request)
        return retryOperation(services, { companyId, operationId: ctx.params.operationId })
      },
      describeRoute('Try a failed operation once more', OperationRetried, {
        query: CompanyQuery,
        errors: ['NOT_FOUND', 'INVALID_STATE', 'COMPANY_NOT_FOUND'],
      }),
    )
    .post(
      '/operations/:operationId/cancel',
      (ctx) => {
        const companyId = companyInQuery(services, ctx.request)
        return cancelRender(services, { companyId, operationId: ctx.params.operationId })
      },
      describeRoute('Stop a render that waits or goes on', OperationCancelled, {
        query: CompanyQuery,
        errors: ['NOT_FOUND', 'INVALID_STATE', 'COMPANY_NOT_FOUND'],
      }),
    )
}
