/** GET /operations/{operationId}. */
import { single } from '../../contract/tenant-api/envelope.ts'
import { DomainOperation } from '../../contract/tenant-api/operation.ts'
import { readOperation } from '../../domain/operations/read-operation.ts'
import { tenantRoute } from './declare.ts'

export const operationRoutes = [
  tenantRoute({
    method: 'GET',
    path: '/operations/{operationId}',
    operationId: 'getOperation',
    summary: 'How durable work stands: a run, a render, a publishing',
    answer: single(DomainOperation),
    success: 'The operation',
    errors: ['NOT_FOUND'],
    handle: (services, { caller, params, baseUrl }) => ({
      data: readOperation(services, {
        companyId: caller.companyId,
        operationId: params['operationId'] ?? '',
        baseUrl,
      }),
    }),
  }),
]
