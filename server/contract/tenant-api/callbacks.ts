/** Responses to callbacks of the platform's workers: /internal/operations and /internal/workflow-dispatches. */
import { Type, type Static } from '@sinclair/typebox'
import { closedObject, oneOf } from '../config-fields.ts'

/**
 * `accepted`: it will be, or was, executed. `finished`: it had already ended. `leased`: it is being worked on.
 * `waiting`: it failed, and its retry is scheduled. With the last three the callback changed nothing.
 */
export const CALLBACK_OUTCOMES = ['accepted', 'finished', 'leased', 'waiting'] as const
export type CallbackOutcome = (typeof CALLBACK_OUTCOMES)[number]

export const CallbackAnswer = closedObject({
  id: Type.String(),
  state: Type.String(),
  outcome: oneOf(CALLBACK_OUTCOMES),
})
export type CallbackAnswer = Static<typeof CallbackAnswer>

export const ReconcileRequest = closedObject({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 500,
      default: 100,
      description: 'How many are looked at, at most',
    }),
  ),
  minimumAgeSeconds: Type.Optional(
    Type.Integer({
      minimum: 60,
      maximum: 86_400,
      default: 300,
      description: 'Nothing younger is touched',
    }),
  ),
})
export type ReconcileRequest = Static<typeof ReconcileRequest>
export const RECONCILE_DEFAULTS = { limit: 100, minimumAgeSeconds: 300 } as const

export const ReconcileAnswer = closedObject({
  examined: Type.Integer({ minimum: 0 }),
  /** Operations whose pause was ended, and operations that are queued again because their lease expired. */
  requeued: Type.Integer({ minimum: 0 }),
  /** Ended instead: lost once too often, or cancelled while they were lost. */
  ended: Type.Integer({ minimum: 0 }),
})
export type ReconcileAnswer = Static<typeof ReconcileAnswer>
