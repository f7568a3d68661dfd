/**
 * What the platform's callbacks do. The appliance works through its queue without them, so an execute callback only
 * speeds it up, and reconciling recovers what was left: after a crash, sleep, or a clock that jumped.
 */
import {
  RECONCILE_DEFAULTS,
  type CallbackAnswer,
  type CallbackOutcome,
  type ReconcileAnswer,
  type ReconcileRequest,
} from '../../contract/tenant-api/callbacks.ts'
import { refuse } from '../../contract/errors.ts'
import { applyToDispatch, listStaleDispatches } from '../../db/dispatches.ts'
import { listExpiredLeases, listStaleQueued } from '../../db/operation-list.ts'
import { getOperation, requeueOperation, type Operation } from '../../db/operations.ts'
import { newId } from '../../ids.ts'
import type { QueueEvent } from '../../jobs/queue.ts'
import { recoverLost } from '../runs/runs.ts'
import type { Services } from '../services.ts'
import { executeDispatch } from '../runs/run-workflow.ts'

type Deps = Pick<Services, 'db' | 'jobs' | 'log' | 'now'>

function outcomeOf({ state, availableAt }: Operation, now: number): CallbackOutcome {
  if (state === 'running') return 'leased'
  if (state !== 'queued') return 'finished'
  return availableAt > now ? 'waiting' : 'accepted'
}

/** Has the queue looked at now. NOT_FOUND. */
export function executeOperationCallback(services: Deps, operationId: string): CallbackAnswer {
  const operation =
    getOperation(services.db, operationId) ?? refuse('NOT_FOUND', 'There is no such operation.')
  const outcome = outcomeOf(operation, services.now())
  if (outcome === 'accepted') services.jobs.wake()
  return { id: operation.id, state: operation.state, outcome }
}

/** Starts the run here and now, if it waits for that. NOT_FOUND. */
export function executeDispatchCallback(services: Deps, dispatchId: string): CallbackAnswer {
  const owner = `callback-${newId()}`
  const { dispatch, outcome } = executeDispatch(services, { id: dispatchId, owner })
  if (outcome === 'started') services.jobs.wake()
  return { id: dispatch.id, state: dispatch.state, outcome: outcome === 'started' ? 'accepted' : outcome }
}

function boundsOf(request: ReconcileRequest, now: number): { limit: number; before: number } {
  const { limit, minimumAgeSeconds } = { ...RECONCILE_DEFAULTS, ...request }
  return { limit, before: now - minimumAgeSeconds * 1000 }
}

/** Takes up what was lost and what waits too long. Expired leases go first: that work has stopped, queued work is only late. */
function reconcile(
  { jobs }: Deps,
  lost: readonly string[],
  waiting: readonly string[],
  act: {
    recover: (lost: readonly string[]) => readonly { state: string }[]
    requeue: (id: string) => object | null
  },
): ReconcileAnswer {
  const recovered = act.recover(lost)
  const again = recovered.filter(({ state }) => state === 'queued').length
  const requeued = again + waiting.filter((id) => act.requeue(id) !== null).length
  if (requeued > 0) jobs.wake()
  return { examined: lost.length + waiting.length, requeued, ended: recovered.length - again }
}

/** Operations with an expired lease, or queued for too long. */
export function reconcileOperations(services: Deps, request: ReconcileRequest): ReconcileAnswer {
  const { db, now } = services
  const { limit, before } = boundsOf(request, now())
  const lost = listExpiredLeases(db, before, limit)
  return reconcile(services, lost, listStaleQueued(db, before, limit - lost.length), {
    recover: (ids) =>
      recoverLost(
        services,
        ids.map((id) => ({ id })),
        'lease',
      ),
    requeue: (id) => requeueOperation(db, id, now()),
  })
}

/** The same of dispatches; what is queued is carried out by the work loop, which is woken. */
export function reconcileDispatches(services: Deps, request: ReconcileRequest): ReconcileAnswer {
  const { db, now } = services
  const { limit, before } = boundsOf(request, now())
  const lost = listStaleDispatches(db, 'leased', before, limit)
  const apply = (id: string, event: QueueEvent) => applyToDispatch(db, id, event, now())
  return reconcile(services, lost, listStaleDispatches(db, 'queued', before, limit - lost.length), {
    recover: (ids) => ids.flatMap((id) => apply(id, { kind: 'lost', by: 'lease', now: now() }) ?? []),
    requeue: (id) => apply(id, { kind: 'requeue', now: now() }),
  })
}
