/** What the platform's schedulers call: execute and reconcile of operations and of workflow dispatches. */
import { Type } from '@sinclair/typebox'
import {
  CallbackAnswer,
  ReconcileAnswer,
  ReconcileRequest,
  type CallbackOutcome,
  RECONCILE_DEFAULTS,
} from '../../contract/tenant-api/callbacks.ts'
import { single } from '../../contract/tenant-api/envelope.ts'
import {
  executeDispatchCallback,
  executeOperationCallback,
  reconcileDispatches,
  reconcileOperations,
} from '../../domain/operations/callbacks.ts'
import { serviceRoute, type Answer } from './declare.ts'
import { executeSocialAction, reconcileSocialActions } from '../../domain/publishing/runner.ts'
import type { Services } from '../../domain/services.ts'

const Id = Type.String({ minLength: 1, maxLength: 200 })

/** A callback that changed nothing is acknowledged as well, so that it is not sent again. */
const operationAnswer = (data: CallbackAnswer): Answer => ({
  data,
  status: data.outcome === 'accepted' ? 200 : 202,
})
/** Here an end is no duplicate: the dispatch has done all that it was there for. */
const DISPATCH_OK: ReadonlySet<CallbackOutcome> = new Set(['accepted', 'finished'])
const dispatchAnswer = (data: CallbackAnswer): Answer => ({
  data,
  status: DISPATCH_OK.has(data.outcome) ? 200 : 202,
})

const NOT_THERE = ['NOT_FOUND'] as const
const executing = { answer: single(CallbackAnswer), errors: NOT_THERE }
const OPERATION = {
  ...executing,
  summary: 'Have a queued operation carried out',
  success: 'Acknowledged: it is carried out as soon as there is a place',
  also: { 202: 'Acknowledged, and nothing to do: it ended, somebody works on it, or it waits for its time' },
} as const
const DISPATCH = {
  ...executing,
  summary: 'Have a confirmed run started',
  success: 'Acknowledged: the run is started, or the dispatch had ended before',
  also: { 202: 'Acknowledged, and nothing to do: somebody starts it now, or its next try has a time' },
} as const
const reconciling = { body: ReconcileRequest, bodyOptional: true as const, answer: single(ReconcileAnswer) }

export const callbackRoutes = [
  serviceRoute('POST /internal/operations/{operationId}/execute', {
    ...OPERATION,
    operationId: 'executeOperation',
    handle: (services, { params }) => operationAnswer(executeOperationCallback(services, params.operationId)),
  }),
  serviceRoute('POST /internal/operations:execute', {
    ...OPERATION,
    operationId: 'executeOperationByBody',
    body: Type.Object({ operationId: Id }, { additionalProperties: false }),
    handle: (services, { body }) => operationAnswer(executeOperationCallback(services, body.operationId)),
  }),
  serviceRoute('POST /internal/operations:reconcile', {
    ...reconciling,
    operationId: 'reconcileOperations',
    summary: 'Take up operations that nobody touched for a while',
    success: 'What was found stale is queued again',
    handle: (services, { body }) => ({ data: reconcileOperations(services, body) }),
  }),
  serviceRoute('POST /internal/workflow-dispatches/{dispatchId}/execute', {
    ...DISPATCH,
    operationId: 'executeWorkflowDispatch',
    handle: (services, { params }) => dispatchAnswer(executeDispatchCallback(services, params.dispatchId)),
  }),
  serviceRoute('POST /internal/workflow-dispatches:execute', {
    ...DISPATCH,
    operationId: 'executeWorkflowDispatchByBody',
    body: Type.Object({ dispatchId: Id }, { additionalProperties: false }),
    handle: (services, { body }) => dispatchAnswer(executeDispatchCallback(services, body.dispatchId)),
  }),
  serviceRoute('POST /internal/workflow-dispatches:reconcile', {
    ...reconciling,
    operationId: 'reconcileWorkflowDispatches',
    summary: 'Take up confirmed runs that were not started',
    success: 'Queued dispatches are queued again and expired leases reconciled',
    handle: (services, { body }) => ({ data: reconcileDispatches(services, body) }),
  }),
]

const Named = Type.Object({ operationId: Type.String({ minLength: 1 }) }, { additionalProperties: false })

const ACKNOWLEDGED = 'Carried out, ended before, or waiting for its own time'
const LEASED = { 202: 'Somebody else is at it' }

async function execute(services: Services, id: string): Promise<Answer> {
  const data = await executeSocialAction(services, id)
  return { data, status: data.outcome === 'leased' ? 202 : 200 }
}

export const socialCallbackRoutes = [
  serviceRoute('POST /internal/social-actions/{socialActionId}/execute', {
    operationId: 'executeSocialAction',
    summary: 'Carry an action of the outbox out',
    answer: single(CallbackAnswer),
    success: ACKNOWLEDGED,
    also: LEASED,
    errors: ['NOT_FOUND'],
    handle: (services, { params }) => execute(services, params.socialActionId),
  }),
  serviceRoute('POST /internal/social-actions:execute', {
    operationId: 'executeSocialOperation',
    summary: 'Carry an action of the outbox out, named as its operation',
    body: Named,
    answer: single(CallbackAnswer),
    success: ACKNOWLEDGED,
    also: LEASED,
    errors: ['NOT_FOUND'],
    handle: (services, { body }) => execute(services, body.operationId),
  }),
  serviceRoute('POST /internal/social-actions:reconcile', {
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
