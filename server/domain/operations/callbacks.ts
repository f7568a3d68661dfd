/**
 * What the platform's callbacks do. The appliance works through its queue by itself, so an execute callback is a nudge,
 * and reconciling takes up what nobody touched for a while: after a crash, a machine that slept, a clock that jumped.
 */
import {
  RECONCILE_DEFAULTS,
  type CallbackAnswer,
  type CallbackOutcome,
  type ReconcileAnswer,
  type ReconcileRequest,
} from '../../contract/tenant-api/callbacks.ts'
import { AppError } from '../../contract/errors.ts'
import { applyToDispatch, listStaleDispatches } from '../../db/dispatches.ts'
import { listExpiredLeases, listStaleQueued } from '../../db/operation-list.ts'
import { getOperation, requeueOperation, type Operation } from '../../db/operations.ts'
import { newId } from '../../ids.ts'
import { recoverLost } from '../runs/runs.ts'
import type { Services } from '../services.ts'
import { executeDispatch, type DispatchOutcome } from '../runs/run-workflow.ts'

type Deps = Pick<Services, 'db' | 'jobs' | 'log' | 'now'>

function outcomeOf({ state, availableAt }: Operation, now: number): CallbackOutcome {
  if (state === 'running') return 'leased'
  if (state !== 'queued') return 'finished'
  return availableAt > now ? 'waiting' : 'accepted'
}

/** Has the queue looked at now. NOT_FOUND. */
export function executeOperationCallback(services: Deps, operationId: string): CallbackAnswer {
  const operation = getOperation(services.db, operationId)
  if (operation === null) throw new AppError('NOT_FOUND', { message: 'There is no such operation.' })
  const outcome = outcomeOf(operation, services.now())
  if (outcome === 'accepted') services.jobs.wake()
  return { id: operation.id, state: operation.state, outcome }
}

const DISPATCH_OUTCOMES: Readonly<Record<DispatchOutcome, CallbackOutcome>> = {
  started: 'accepted',
  finished: 'finished',
  leased: 'leased',
  waiting: 'waiting',
}

/** Starts the run here and now, if it waits for that. NOT_FOUND. */
export function executeDispatchCallback(services: Deps, dispatchId: string): CallbackAnswer {
  const owner = `callback-${newId()}`
  const { dispatch, outcome } = executeDispatch(services, { id: dispatchId, owner })
  if (outcome === 'started') services.jobs.wake()
  return { id: dispatch.id, state: dispatch.state, outcome: DISPATCH_OUTCOMES[outcome] }
}

function boundsOf(request: ReconcileRequest, now: number): { limit: number; before: number } {
  const { limit, minimumAgeSeconds } = { ...RECONCILE_DEFAULTS, ...request }
  return { limit, before: now - minimumAgeSeconds * 1000 }
}

/** Expired leases go first: that work has stopped, while queued work is only late. */
export function reconcileOperations(services: Deps, request: ReconcileRequest): ReconcileAnswer {
  const { db, jobs, now } = services
  const { limit, before } = boundsOf(request, now())
  const lost = listExpiredLeases(db, before, limit)
  const waiting = listStaleQueued(db, before, limit - lost.length)
  const recovered = recoverLost(
    services,
    lost.map((id) => ({ id })),
  )
  const again = recovered.filter(({ state }) => state === 'queued').length
  const nudged = waiting.filter((id) => requeueOperation(db, id, now()) !== null).length
  if (again + nudged > 0) jobs.wake()
  return {
    examined: lost.length + waiting.length,
    requeued: again + nudged,
    ended: recovered.length - again,
  }
}

/** The same of dispatches; what is queued is carried out by the work loop, which is woken. */
export function reconcileDispatches(services: Deps, request: ReconcileRequest): ReconcileAnswer {
  const { db, jobs, now } = services
  const { limit, before } = boundsOf(request, now())
  const lost = listStaleDispatches(db, 'leased', before, limit)
  const waiting = listStaleDispatches(db, 'queued', before, limit - lost.length)
  const recovered = lost.flatMap((id) => applyToDispatch(db, id, { kind: 'lost', now: now() }, now()) ?? [])
  const again = recovered.filter(({ state }) => state === 'queued').length
  const nudged = waiting.filter(
    (id) => applyToDispatch(db, id, { kind: 'requeue', now: now() }, now()) !== null,
  ).length
  if (again + nudged > 0) jobs.wake()
  return {
    examined: lost.length + waiting.length,
    requeued: again + nudged,
    ended: recovered.length - again,
  }
}
