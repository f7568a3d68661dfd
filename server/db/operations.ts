/** Queries of the durable queue. Every change goes through the rules of jobs/queue.ts, in one short transaction. */
import { and, asc, desc, eq, inArray, lt, lte, sql } from 'drizzle-orm'
import { type Failure, failureOf } from '../contract/errors.ts'
import { newId } from '../ids.ts'
import { nextEntry, type Candidate, type OperationKind, type QueueEvent } from '../jobs/queue.ts'
import type { Db } from './client.ts'
import { findBy, listIds, type Orm } from './rows.ts'
import { companies, operations } from './schema.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'

/** One row of the queue. Times are epoch milliseconds, `progress` is 0 to 1. */
export type Operation = Readonly<typeof operations.$inferSelect>

export interface NewOperation {
  /** Where it was given out before; else a new one. */
  readonly id?: string
  readonly companyId: string
  readonly kind: OperationKind
  readonly subjectId: string
  readonly input?: unknown
  readonly now: number
}

/** Queues an operation; returns its id. May be called inside a transaction of the same connection. */
export function insertOperation(db: Orm, operation: NewOperation): string {
  const id = operation.id ?? newId()
  db.orm
    .insert(operations)
    .values({
      id,
      companyId: operation.companyId,
      kind: operation.kind,
      subjectId: operation.subjectId,
      state: 'queued',
      input: operation.input ?? null,
      availableAt: operation.now,
      createdAt: operation.now,
      updatedAt: operation.now,
    })
    .run()
  return id
}

export const getOperation = findBy(operations, 'id')

/**
 * The operation of this kind for this subject that is still queued or running, or null; one being cancelled comes last.
 * `strict`: only one that was queued so, or not so.
 */
export function findOpenOperation(
  db: Db,
  kind: OperationKind,
  subjectId: string,
  strict?: boolean,
): Operation | null {
  const row = db.orm
    .select()
    .from(operations)
    .where(
      and(
        eq(operations.kind, kind),
        eq(operations.subjectId, subjectId),
        inArray(operations.state, ['queued', 'running']),
        strict === undefined
          ? undefined
          : sql`coalesce(${operations.input} ->> '$.strict', 0) = ${Number(strict)}`,
      ),
    )
    .orderBy(asc(operations.cancelRequested), desc(operations.createdAt))
    .get()
  return row ?? null
}

/** Whether it is a render that fails where it loses something. */
export const isStrict = ({ input }: { readonly input?: unknown }): boolean =>
  (input as { readonly strict?: unknown } | null | undefined)?.strict === true

/**
 * The open operation of this kind for this subject, or a new one: two callers at the same moment get the same id. One that
 * is strict is not joined by those who did not ask for that, nor the other way round.
 */
export function joinOrInsertOperation(db: Db, operation: NewOperation): { id: string; joined: boolean } {
  return db.orm.transaction(
    () => {
      const open = findOpenOperation(db, operation.kind, operation.subjectId, isStrict(operation))
      return open === null || open.cancelRequested
        ? { id: insertOperation(db, operation), joined: false }
        : { id: open.id, joined: true }
    },
    { behavior: 'immediate' },
  )
}

/** Queues an operation unless one waits for this subject already, which will see it as it is then. */
export function insertUnlessQueued(db: Orm, operation: NewOperation): void {
  const { kind, subjectId } = operation
  const queued = db.orm
    .select({ id: operations.id })
    .from(operations)
    .where(
      and(
        eq(operations.kind, kind),
        eq(operations.subjectId, subjectId),
        eq(operations.state, 'queued'),
        eq(operations.cancelRequested, false),
      ),
    )
    .get()
  if (queued === undefined) insertOperation(db, operation)
}

interface Settlement {
  readonly result?: unknown
  readonly failure?: Failure
  readonly progress?: number
}

/** Applies an event to one operation by the rules; null when they refuse it or there is no such operation. */
function applyEvent(
  db: Db,
  id: string,
  event: QueueEvent,
  now: number,
  settlement: Settlement = {},
): Operation | null {
  return db.orm.transaction(
    () => {
      const current = getOperation(db, id)
      const next = current === null ? null : nextEntry(current, event)
      if (current === null || next === null) return null
      const failure: Failure | null = next.gaveUp
        ? failureOf('INTERRUPTED')
        : (settlement.failure ?? current.failure)
      const { state, attempts, availableAt, leaseOwner, leaseUntil, cancelRequested } = next.entry
      const changes = {
        state,
        attempts,
        availableAt,
        leaseOwner,
        leaseUntil,
        cancelRequested,
        failure,
        result: settlement.result ?? current.result,
        progress: settlement.progress ?? current.progress,
        updatedAt: now,
      }
      db.orm.update(operations).set(changes).where(eq(operations.id, id)).run()
      return { ...current, ...changes }
    },
    { behavior: 'immediate' },
  )
}

/** Claims a queued operation under a lease. Null when another owner was faster. */
export const claimOperation = (db: Db, id: string, owner: string, now: number): Operation | null =>
  applyEvent(db, id, { kind: 'claim', owner, now }, now)

/** Renews the lease; null when it is not ours any more. The result has `cancelRequested`. */
export const heartbeatOperation = (db: Db, id: string, owner: string, now: number): Operation | null =>
  applyEvent(db, id, { kind: 'heartbeat', owner, now }, now)

export function settleOperation(
  db: Db,
  id: string,
  owner: string,
  now: number,
  outcome: { state: 'succeeded' | 'failed' | 'cancelled'; result?: unknown; failure?: Failure },
): Operation | null {
  return applyEvent(db, id, { kind: 'settle', owner, state: outcome.state }, now, {
    ...omitUndefined({ result: outcome.result, failure: outcome.failure }),
    ...(outcome.state === 'succeeded' ? { progress: 1 } : {}),
  })
}

/** Lets go in good order: queued again at once, and the attempt does not count. */
export const releaseOperation = (db: Db, id: string, owner: string, now: number): Operation | null =>
  applyEvent(db, id, { kind: 'release', owner, now }, now)

/** Cancels what is queued, marks what runs; null when it is settled already. */
export function requestCancel(db: Db, id: string, now: number): Operation | null {
  const failure = failureOf('CANCELLED')
  return applyEvent(db, id, { kind: 'cancel' }, now, { failure })
}

/** Ends the pause of what is queued; null for anything else. */
export const requeueOperation = (db: Db, id: string, now: number): Operation | null =>
  applyEvent(db, id, { kind: 'requeue', now }, now)

/** Counts attempts from here, because the work came further; null when the lease is not ours any more. */
export const advanceOperation = (db: Db, id: string, owner: string, now: number): Operation | null =>
  applyEvent(db, id, { kind: 'advance', owner }, now)

/** Takes an operation from a dead owner: queued again (after a pause if its lease ran out), cancelled, or given up. */
export const recoverOperation = (db: Db, id: string, by: 'death' | 'lease', now: number): Operation | null =>
  applyEvent(db, id, { kind: 'lost', by, now }, now)

/** Running operations: all of them, or only those whose lease expired before `staleBefore`. */
export function listRunning(db: Db, staleBefore?: number): Operation[] {
  const running = eq(operations.state, 'running')
  return db.orm
    .select()
    .from(operations)
    .where(staleBefore === undefined ? running : and(running, lt(operations.leaseUntil, staleBefore)))
    .all()
}

/** Running operations whose cancellation was requested. */
export const listUnwanted = (db: Db): string[] =>
  listIds(db, operations, { where: and(eq(operations.state, 'running'), operations.cancelRequested) })

/** The oldest operations that could be taken now, a few for each company and kind: what chooseNext picks from. */
export function listCandidates(db: Db, now: number): Candidate[] {
  return db.orm
    .select({
      id: operations.id,
      companyId: operations.companyId,
      kind: operations.kind,
      subjectId: operations.subjectId,
      createdAt: operations.createdAt,
      input: operations.input,
    })
    .from(operations)
    .where(and(eq(operations.state, 'queued'), lte(operations.availableAt, now)))
    .orderBy(asc(operations.availableAt), asc(operations.createdAt))
    .limit(1000)
    .all()
    .map(({ input, ...row }) => ({ ...row, live: isLive({ input }) }))
}

/** Whether it records a live event, which cannot be paused. */
export const isLive = ({ input }: Pick<Operation, 'input'>): boolean =>
  (input as { readonly live?: unknown } | null)?.live === true

/**
 * For clients that poll an operation; not a state change. An attempt after a restart begins anew, but what is shown never
 * goes back.
 */
export function setOperationProgress(db: Db, id: string, progress: number, now: number): void {
  const furthest = sql`max(${operations.progress}, ${progress})`
  db.orm.update(operations).set({ progress: furthest, updatedAt: now }).where(eq(operations.id, id)).run()
}

/** Remembers the key of the stage whose partial work the next attempt goes on with. */
export function setResumableKey(db: Db, id: string, key: string): void {
  const input = sql`json_set(coalesce(${operations.input}, '{}'), '$.resumes', ${key})`
  db.orm.update(operations).set({ input }).where(eq(operations.id, id)).run()
}

/** Keys that `setResumableKey` has stored of operations that are not settled. */
export function listOperationKeys(db: Db): string[] {
  const key = sql<string>`${operations.input} ->> '$.resumes'`
  const open = inArray(operations.state, ['queued', 'running'])
  return db.orm
    .select({ key })
    .from(operations)
    .where(and(open, sql`${key} is not null`))
    .all()
    .map((row) => row.key)
}

/** How many renders a company may have going at once. */
export function renderConcurrencyOf(db: Db, companyId: string): number {
  const row = db.orm
    .select({ limit: companies.renderConcurrency })
    .from(companies)
    .where(eq(companies.id, companyId))
    .get()
  return row?.limit ?? 2
}
