/** GET /confirmations/{confirmationId} and its :decide. */
import { Confirmation, ConfirmationDecision } from '../../contract/tenant-api/confirmation.ts'
import { single } from '../../contract/tenant-api/envelope.ts'
import { decideConfirmation, readConfirmation } from '../../domain/operations/confirmations.ts'
import { tenantRoute } from './declare.ts'

const idOf = (params: Readonly<Record<string, string>>): string => params['confirmationId'] ?? ''

export const confirmationRoutes = [
  tenantRoute({
    method: 'GET',
    path: '/confirmations/{confirmationId}',
    operationId: 'getConfirmation',
    summary: 'What waits for a decision, and how it stands',
    answer: single(Confirmation),
    success: 'The preview and the state',
    errors: ['NOT_FOUND'],
    handle: (services, { caller, params }) => ({
      data: readConfirmation(services, { caller, id: idOf(params) }),
    }),
  }),
  tenantRoute({
    method: 'POST',
    path: '/confirmations/{confirmationId}:decide',
    operationId: 'decideConfirmation',
    summary: 'Record the decision of a person',
    description:
      'A decision is made once. An agent that carries a written consent sends the words of the person in consentText and source mcp_written_consent.',
    body: ConfirmationDecision,
    idempotent: 'atomic',
    answer: single(Confirmation),
    success: 'The decision is recorded',
    errors: ['NOT_FOUND', 'INVALID_STATE', 'CONFIRMATION_EXPIRED'],
    handle: (services, { caller, params, body }) => ({
      data: decideConfirmation(services, { caller, id: idOf(params), decision: body }),
    }),
  }),
]
