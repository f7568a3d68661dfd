/** GET /studio/operations: the queue as a person sees it. POST /studio/operations/{operationId}/retry, /cancel. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import {
  ListedOperations,
  OPERATION_FILTERS,
  OperationCancelled,
  OperationRetried,
} from '../../contract/settings.ts'
import { cancelRender } from '../../domain/rendering/render-jobs.ts'
import { listOperations, retryOperation } from '../../domain/operations/failed-operations.ts'
import type { Services } from '../../domain/services.ts'
import { describeRoute } from '../answers.ts'
import { readQuery } from '../json-body.ts'
import { principalOf } from '../request-context.ts'
import { companyFor, companyInQuery, CompanyQuery } from './company.ts'

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
