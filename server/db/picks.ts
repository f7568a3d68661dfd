/** Queries of picks (schema-runs.ts): what people had found in a run besides what its workflow finds. */
import { and, asc, count, eq } from 'drizzle-orm'
import type { Failure } from '../contract/errors.ts'
import type { KnownRange, PickRequest, PickState } from '../contract/review.ts'
import { newId } from '../ids.ts'
import type { Db } from './client.ts'
import { insertUnlessQueued } from './operations.ts'
import { inTransaction } from './prepared.ts'
import { listBy } from './rows.ts'
import { runPicks } from './schema.ts'

export type RunPick = Readonly<typeof runPicks.$inferSelect>

/** The picks of a run in their order. */
export const listPicks = listBy(runPicks, ['runId'], 'number')

/** Stores a pick with the operation that carries it out; one that waits for this run already sees it too. */
export function insertPick(
  db: Db,
  run: { readonly id: string; readonly companyId: string },
  request: PickRequest,
  now: number,
): RunPick {
  return inTransaction(db, () => {
    const given = db.orm.select({ picks: count() }).from(runPicks).where(eq(runPicks.runId, run.id)).get()
    const number = (given?.picks ?? 0) + 1
    const place = { id: newId(), runId: run.id, number }
    const times = { createdAt: now, updatedAt: now }
    const row = db.orm
      .insert(runPicks)
      .values({ ...place, request, state: 'open', ...times })
      .returning()
      .get()
    insertUnlessQueued(db, { companyId: run.companyId, kind: 'pick', subjectId: run.id, now })
    return row
  })
}

/** Open picks of a run in their order. */
export function listOpenPicks(db: Db, runId: string): RunPick[] {
  return db.orm
    .select()
    .from(runPicks)
    .where(and(eq(runPicks.runId, runId), eq(runPicks.state, 'open')))
    .orderBy(asc(runPicks.number))
    .all()
}

/** Which of its candidates the run has already; stored once, so that the pick is the same after a crash. */
export function saveKnownRanges(db: Db, id: string, known: KnownRange[], now: number): void {
  db.orm.update(runPicks).set({ known, updatedAt: now }).where(eq(runPicks.id, id)).run()
}

/** Ends an open pick. May be called inside a transaction. */
export function settlePick(
  db: Db,
  id: string,
  state: Exclude<PickState, 'open'>,
  now: number,
  failure: Failure | null = null,
): void {
  db.orm
    .update(runPicks)
    .set({ state, failure, updatedAt: now })
    .where(and(eq(runPicks.id, id), eq(runPicks.state, 'open')))
    .run()
}

/** Ends every open pick of a run, with the failure of the operation that carried them out. */
export function settleOpenPicks(db: Db, runId: string, failure: Failure, now: number): void {
  const state = failure.code === 'CANCELLED' ? 'cancelled' : 'failed'
  for (const { id } of listOpenPicks(db, runId)) settlePick(db, id, state, now, failure)
}
