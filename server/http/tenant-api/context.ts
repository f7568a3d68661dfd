/** GET /context. */
import { DomainContext } from '../../contract/tenant-api/envelope.ts'
import { single } from '../../contract/tenant-api/envelope.ts'
import { describeCaller } from '../../domain/access/authorise.ts'
import { tenantRoute } from './declare.ts'

export const contextRoutes = [
  tenantRoute({
    method: 'GET',
    path: '/context',
    operationId: 'getContext',
    summary: 'For which organization and principal the caller acts',
    answer: single(DomainContext),
    success: 'The bound organization and principal',
    handle: (services, { caller, delegation }) => ({ data: describeCaller(services, caller, delegation) }),
  }),
]
