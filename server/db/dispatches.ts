/** Queries of workflow dispatches, by the rules of jobs/queue.ts: `leased` is running, `done` succeeded. */
import { and, desc, eq, inArray, lte } from 'drizzle-orm'
import { type Failure, failureOf } from '../contract/errors.ts'
import type { DispatchState } from '../contract/tenant-api/workflow.ts'
import { nextEntry, type OperationState, type QueueEvent } from '../jobs/queue.ts'
import type { Db } from './client.ts'
import { findBy, insertInto, listIds, listWhere, type Orm } from './rows.ts'
import { workflowDispatches } from './schema.ts'

export type Dispatch = typeof workflowDispatches.$inferSelect

const table = workflowDispatches
/** A dispatch's state as the queue calls it. */
export const QUEUE_STATES: Readonly<Record<DispatchState, OperationState>> = {
  queued: 'queued',
  leased: 'running',
  done: 'succeeded',
  failed: 'failed',
}
const FROM_QUEUE: Readonly<Record<OperationState, DispatchState>> = {
  queued: 'queued',
  running: 'leased',
  succeeded: 'done',
  failed: 'failed',
  cancelled: 'failed',
}

/** May be called inside a transaction of the same connection. */
export const insertDispatch = insertInto(table)

export const getDispatch = findBy(table, 'id')

/** The dispatch that gave this id out for its run. */
export const getDispatchOfRun = findBy(table, 'runId')

/** The dispatch that gave this id out for its operation. */
export const getDispatchOfOperation = findBy(table, 'operationId')

/** Applies an event by the rules; null when they refuse it. May be called inside a transaction of the same connection. */
export function applyToDispatch(
  db: Orm,
  id: string,
  event: QueueEvent,
  now: number,
  failure?: Failure,
): Dispatch | null {
  return db.orm.transaction(
    () => {
      const current = getDispatch(db, id)
      if (current === null) return null
      const { attempts, availableAt, leaseOwner, leaseUntil } = current
      const entry = { attempts, availableAt, leaseOwner, leaseUntil, cancelRequested: false }
      const next = nextEntry({ kind: 'dispatch', state: QUEUE_STATES[current.state], ...entry }, event)
      if (next === null) return null
      const interrupted = failureOf('INTERRUPTED')
      const changes = {
        state: FROM_QUEUE[next.entry.state],
        attempts: next.entry.attempts,
        availableAt: next.entry.availableAt,
        leaseOwner: next.entry.leaseOwner,
        leaseUntil: next.entry.leaseUntil,
        failure: event.kind === 'revive' ? null : (failure ?? (next.gaveUp ? interrupted : current.failure)),
        updatedAt: now,
      }
      db.orm.update(table).set(changes).where(eq(table.id, id)).run()
      return { ...current, ...changes }
    },
    { behavior: 'immediate' },
  )
}

/** Dispatches whose run was not started (yet), the newest first. `companyId` null: of every company. */
export function listOpenDispatches(
  db: Db,
  filter: { companyId: string | null; states: readonly DispatchState[]; limit: number },
): Dispatch[] {
  const { companyId, limit } = filter
  const open = filter.states.filter((state) => state !== 'done')
  const own = companyId === null ? undefined : eq(table.companyId, companyId)
  const order = [desc(table.createdAt), desc(table.id)]
  return listWhere(db, table, { where: and(inArray(table.state, open), own), order, limit })
}

/** Ids of dispatches that could be taken now, oldest first. */
export function listReadyDispatches(db: Db, now: number, limit: number): string[] {
  const where = and(eq(table.state, 'queued'), lte(table.availableAt, now))
  return listIds(db, table, { where, order: [table.availableAt], limit })
}

/** Ids of dispatches that have not changed since `before`: queued, or leased with a lease that expired by then. */
export function listStaleDispatches(
  db: Db,
  state: 'queued' | 'leased',
  before: number,
  limit: number,
): string[] {
  const since = state === 'queued' ? lte(table.updatedAt, before) : lte(table.leaseUntil, before)
  return listIds(db, table, { where: and(eq(table.state, state), since), order: [table.availableAt], limit })
}
