/** Lists and counts of operations; changes of one operation are in operations.ts. */
import { and, desc, eq, inArray, lte, sql, type SQL, count, min } from 'drizzle-orm'
import { ERRORS, type ErrorCode } from '../contract/errors.ts'
import type { OperationKind, OperationState } from '../jobs/queue.ts'
import type { Db } from './client.ts'
import { type Operation, findOpenOperation, insertOperation } from './operations.ts'
import { listIds, listWhere, type Orm } from './rows.ts'
import { operations, runs } from './schema.ts'

/** Failures after which the same work may well succeed. */
const WORTH_A_RETRY = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code].retryable)

/** A failed operation that could succeed and that nothing was queued after: it waits for a person. */
const isDead = (): SQL | undefined =>
  and(
    eq(operations.state, 'failed'),
    inArray(sql`json_extract(${operations.failure}, '$.code')`, WORTH_A_RETRY),
    sql`not exists (select 1 from ${operations} as later where later.kind = ${operations}.kind
      and later.subject_id = ${operations}.subject_id and later.rowid > ${operations}.rowid)`,
  )

/** The newest operations first. `companyId` null: of every company. */
export function listOperations(
  db: Db,
  filter: { companyId: string | null; state: OperationState | 'dead' | null; limit: number },
): Operation[] {
  const { companyId, state, limit } = filter
  const where = and(
    companyId === null ? undefined : eq(operations.companyId, companyId),
    state === null ? undefined : state === 'dead' ? isDead() : eq(operations.state, state),
  )
  return listWhere(db, operations, { where, order: [desc(operations.createdAt), desc(operations.id)], limit })
}

/** The operation of the same kind and subject that was queued last. */
export function latestOperationId(db: Orm, kind: OperationKind, subjectId: string): string | null {
  const row = db.orm
    .select({ id: operations.id })
    .from(operations)
    .where(and(eq(operations.kind, kind), eq(operations.subjectId, subjectId)))
    .orderBy(sql`rowid desc`)
    .limit(1)
    .get()
  return row?.id ?? null
}

/** Queued operations that could have been claimed since `before` and have not changed since then, oldest first. */
export function listStaleQueued(db: Db, before: number, limit: number): string[] {
  const { state, availableAt, updatedAt } = operations
  const where = and(eq(state, 'queued'), lte(availableAt, before), lte(updatedAt, before))
  return listIds(db, operations, { where, order: [availableAt], limit })
}

/** Running operations whose lease expired before `before`, the oldest lease first. */
export function listExpiredLeases(db: Db, before: number, limit: number): string[] {
  const { state, leaseUntil } = operations
  return listIds(db, operations, {
    where: and(eq(state, 'running'), lte(leaseUntil, before)),
    order: [leaseUntil],
    limit,
  })
}

/** Renders of a company that are queued or running. */
function countOpenRenders(db: Orm, companyId: string): number {
  const row = db.orm
    .select({ open: count() })
    .from(operations)
    .where(
      and(
        inArray(operations.state, ['queued', 'running']),
        eq(operations.kind, 'render'),
        eq(operations.companyId, companyId),
      ),
    )
    .get()
  return row?.open ?? 0
}

/**
 * The render of this clip that is queued or running, or a new one, unless the company has `most` going on already:
 * then null. Counted and queued in one transaction, so that of two callers at the same moment only one gets the last
 * place.
 */
export function joinOrInsertRender(
  db: Db,
  render: {
    readonly companyId: string
    readonly clipId: string
    readonly now: number
    readonly strict?: boolean
  },
  most: number,
): { readonly id: string; readonly joined: boolean } | null {
  const { companyId, clipId: subjectId, now, strict = false } = render
  return db.orm.transaction(
    () => {
      const open = findOpenOperation(db, 'render', subjectId, strict)
      if (open !== null && !open.cancelRequested) return { id: open.id, joined: true }
      if (countOpenRenders(db, companyId) >= most) return null
      const input = strict ? { strict } : null
      return { id: insertOperation(db, { companyId, kind: 'render', subjectId, input, now }), joined: false }
    },
    { behavior: 'immediate' },
  )
}

/** Operations that wait or go on, by kind and state, and when the oldest of them was created. */
export function countOpenWork(db: Db) {
  const { kind, state, createdAt } = operations
  const work = db.orm.select({ kind, state, count: count(), oldest: min(createdAt) }).from(operations)
  const open = work.where(inArray(state, ['queued', 'running'])).groupBy(kind, state)
  return open.all().map((row) => ({ ...row, oldest: row.oldest ?? 0 }))
}

/** Runs by status. */
export const countRuns = (db: Db): { readonly status: string; readonly count: number }[] =>
  db.orm.select({ status: runs.status, count: count() }).from(runs).groupBy(runs.status).all()

/** Whether the database answers at all. Throws when it does not. */
export function queryWorkCounts(db: Db): void {
  db.orm.select({ id: operations.id }).from(operations).where(eq(operations.id, '')).get()
}
