/** How much work there is, for whoever watches the appliance. */
import { and, count, eq, inArray, min } from 'drizzle-orm'
import type { Db } from './client.ts'
import { operations, runs } from './schema.ts'

export interface WorkCount {
  readonly kind: string
  readonly state: string
  readonly count: number
  /** When the oldest of them was asked for, milliseconds since the epoch. */
  readonly oldest: number
}

/** Operations that wait or go on, by kind and state. */
export function countOpenWork(db: Db): WorkCount[] {
  return db.orm
    .select({
      kind: operations.kind,
      state: operations.state,
      count: count(),
      oldest: min(operations.createdAt),
    })
    .from(operations)
    .where(inArray(operations.state, ['queued', 'running']))
    .groupBy(operations.kind, operations.state)
    .all()
    .map((row) => ({ ...row, oldest: row.oldest ?? 0 }))
}

/** Runs by status. */
export function countRuns(db: Db): { readonly status: string; readonly count: number }[] {
  return db.orm.select({ status: runs.status, count: count() }).from(runs).groupBy(runs.status).all()
}

/** Whether the database answers at all. Throws when it does not. */
export function queryWorkCounts(db: Db): void {
  db.orm
    .select({ id: operations.id })
    .from(operations)
    .where(and(eq(operations.id, ''), eq(operations.kind, '')))
    .get()
}
