/** /internal/social-actions: what workers of the platform call. */
import { Type } from '@sinclair/typebox'
import {
  CallbackAnswer,
  RECONCILE_DEFAULTS,
  ReconcileAnswer,
  ReconcileRequest,
} from '../../contract/tenant-api/callbacks.ts'
import { single } from '../../contract/tenant-api/envelope.ts'
import { executeSocialAction, reconcileSocialActions } from '../../domain/publishing/runner.ts'
import type { Services } from '../../domain/services.ts'
import { serviceRoute, type Answer } from './declare.ts'

const Named = Type.Object({ operationId: Type.String({ minLength: 1 }) }, { additionalProperties: false })

const ACKNOWLEDGED = 'Carried out, ended before, or waiting for its own time'
const LEASED = { 202: 'Somebody else is at it' }

async function execute(services: Services, id: string): Promise<Answer> {
  const data = await executeSocialAction(services, id)
  return { data, status: data.outcome === 'leased' ? 202 : 200 }
}

export const socialCallbackRoutes = [
  serviceRoute({
    method: 'POST',
    path: '/internal/social-actions/{socialActionId}/execute',
    operationId: 'executeSocialAction',
    summary: 'Carry an action of the outbox out',
    answer: single(CallbackAnswer),
    success: ACKNOWLEDGED,
    also: LEASED,
    errors: ['NOT_FOUND'],
    handle: (services, { params }) => execute(services, params['socialActionId'] ?? ''),
  }),
  serviceRoute({
    method: 'POST',
    path: '/internal/social-actions:execute',
    operationId: 'executeSocialOperation',
    summary: 'Carry an action of the outbox out, named as its operation',
    body: Named,
    answer: single(CallbackAnswer),
    success: ACKNOWLEDGED,
    also: LEASED,
    errors: ['NOT_FOUND'],
    handle: (services, { body }) => execute(services, body.operationId),
  }),
  serviceRoute({
    method: 'POST',
    path: '/internal/social-actions:reconcile',
    operationId: 'reconcileSocialActions',
    summary: 'Queue again what is stale: due for long, or left by somebody who is gone',
    body: ReconcileRequest,
    bodyOptional: true,
    answer: single(ReconcileAnswer),
    success: 'What was found',
    handle: (services, { body }) => ({
      data: reconcileSocialActions(services, {
        limit: body.limit ?? RECONCILE_DEFAULTS.limit,
        minimumAgeSeconds: body.minimumAgeSeconds ?? RECONCILE_DEFAULTS.minimumAgeSeconds,
      }),
    }),
  }),
]
