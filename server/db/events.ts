/** Queries of what happened (schema-events.ts), and of what is going on. Events are written by triggers only. */
import { and, asc, eq, gt, lt, sql } from 'drizzle-orm'
import type { Db } from './client.ts'
import { listWhere } from './rows.ts'
import { events, operations, runs } from './schema.ts'

export type EventRow = typeof events.$inferSelect

/** Events after this number, oldest first; of one company, or of all. */
export function listEventsAfter(
  db: Db,
  after: number,
  { companyId, limit }: { readonly companyId?: string; readonly limit: number },
): EventRow[] {
  const own = companyId === undefined ? undefined : eq(events.companyId, companyId)
  return listWhere(db, events, { where: and(gt(events.seq, after), own), order: [events.seq], limit })
}

/** Numbers of stored events: `newest` was assigned last, even if that event is deleted; `oldest` exists. */
export function eventRange(db: Db): { oldest: number; newest: number } {
  const rows = db.orm
    .select({ oldest: sql<number | null>`min(${events.seq})` })
    .from(events)
    .get()
  const given = db.sqlite.prepare(`select seq from sqlite_sequence where name = 'events'`).get() as
    { seq: number } | undefined
  const newest = given?.seq ?? 0
  return { oldest: rows?.oldest ?? newest + 1, newest }
}

/** Forgets events of before, some at a time; how many. Their deliveries go with them. */
export function deleteEventsBefore(db: Db, before: number, limit: number): number {
  const old = db.orm
    .select({ seq: events.seq })
    .from(events)
    .where(lt(events.at, before))
    .orderBy(asc(events.at))
    .limit(limit)
  return db.orm
    .delete(events)
    .where(sql`${events.seq} in ${old}`)
    .run().changes
}

export interface RunningWork {
  readonly operationId: string
  readonly companyId: string
  readonly kind: string
  readonly subjectId: string
  readonly progress: number
  /** Of a run: what it is doing, for people. */
  readonly stage: string | null
}

/** Runs and renders that are going on. */
export function listRunningWork(db: Db): RunningWork[] {
  return db.orm
    .select({
      operationId: operations.id,
      companyId: operations.companyId,
      kind: operations.kind,
      subjectId: operations.subjectId,
      progress: operations.progress,
      stage: runs.stage,
    })
    .from(operations)
    .leftJoin(runs, and(eq(operations.kind, 'run'), eq(runs.id, operations.subjectId)))
    .where(eq(operations.state, 'running'))
    .all()
}
