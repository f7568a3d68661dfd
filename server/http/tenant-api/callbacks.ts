/** What the platform's schedulers call: execute and reconcile of operations and of workflow dispatches. */
import { Type } from '@sinclair/typebox'
import { closedObject } from '../../contract/config-fields.ts'
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

const Id = Type.String({ minLength: 1, maxLength: 200 })

/** A callback that changed nothing is acknowledged as well, so that it is not sent again. */
const acknowledge =
  (...done: CallbackOutcome[]) =>
  (data: CallbackAnswer): Answer => ({ data, status: done.includes(data.outcome) ? 200 : 202 })
const operationAnswer = acknowledge('accepted')
/** Here an end is no duplicate: the dispatch has done all that it was there for. */
const dispatchAnswer = acknowledge('accepted', 'finished')
const socialAnswer = acknowledge('accepted', 'finished', 'waiting')

const executing = { answer: single(CallbackAnswer), errors: ['NOT_FOUND'] as const }
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
    body: closedObject({ operationId: Id }),
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
    body: closedObject({ dispatchId: Id }),
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

const SOCIAL = {
  ...executing,
  success: 'Carried out, ended before, or waiting for its own time',
  also: { 202: 'Somebody else is at it' },
} as const

export const socialCallbackRoutes = [
  serviceRoute('POST /internal/social-actions/{socialActionId}/execute', {
    ...SOCIAL,
    operationId: 'executeSocialAction',
    summary: 'Carry an action of the outbox out',
    handle: async (services, { params }) =>
      socialAnswer(await executeSocialAction(services, params.socialActionId)),
  }),
  serviceRoute('POST /internal/social-actions:execute', {
    ...SOCIAL,
    operationId: 'executeSocialOperation',
    summary: 'Carry an action of the outbox out, named as its operation',
    body: closedObject({ operationId: Type.String({ minLength: 1 }) }),
    handle: async (services, { body }) => socialAnswer(await executeSocialAction(services, body.operationId)),
  }),
  serviceRoute('POST /internal/social-actions:reconcile', {
    ...reconciling,
    operationId: 'reconcileSocialActions',
    summary: 'Queue again what is stale: due for long, or left by somebody who is gone',
    success: 'What was found',
    handle: (services, { body }) => {
      const { limit = RECONCILE_DEFAULTS.limit, minimumAgeSeconds = RECONCILE_DEFAULTS.minimumAgeSeconds } =
        body
      return { data: reconcileSocialActions(services, { limit, minimumAgeSeconds }) }
    },
  }),
]
