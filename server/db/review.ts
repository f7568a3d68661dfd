/** Queries of what people decided about clips in Review. */
import { and, desc, eq, inArray, max } from 'drizzle-orm'
import type { ReviewState } from '../contract/review.ts'
import type { Db } from './client.ts'
import type { Clip } from './clips.ts'
import { inTransaction } from './prepared.ts'
import { clips, operations } from './schema.ts'

type RunOfClip = Pick<Clip, 'id' | 'runId'>

function nextKeptOrder(db: Db, runId: string | null): number {
  const row = db.orm
    .select({ newest: max(clips.keptOrder) })
    .from(clips)
    .where(eq(clips.runId, runId ?? ''))
    .get()
  return (row?.newest ?? 0) + 1
}

/** Stores a decision. A clip that was kept already stays where it is in the order. The document is not changed. */
export function saveReview(db: Db, clip: Pick<Clip, 'review'> & RunOfClip, review: ReviewState): void {
  if (clip.review === review) return
  const keptOrder = review === 'kept' ? nextKeptOrder(db, clip.runId) : null
  db.orm.update(clips).set({ review, keptOrder }).where(eq(clips.id, clip.id)).run()
}

/** A merged clip takes the place of its parts: kept where one of them was, while they are rejected. */
export function replaceMerged(db: Db, merged: RunOfClip, partIds: readonly string[]): void {
  inTransaction(db, () => {
    const parts = db.orm
      .select({ id: clips.id, runId: clips.runId, review: clips.review })
      .from(clips)
      .where(inArray(clips.id, [...partIds]))
      .all()
    if (parts.some(({ review }) => review === 'kept'))
      saveReview(db, { ...merged, review: 'undecided' }, 'kept')
    for (const part of parts) saveReview(db, part, 'rejected')
  })
}

/** The kept clips of a run, in the order of their keeping. */
export function listKeptClips(db: Db, runId: string): Clip[] {
  return db.orm
    .select()
    .from(clips)
    .where(and(eq(clips.runId, runId), eq(clips.published, true), eq(clips.review, 'kept')))
    .orderBy(clips.keptOrder)
    .all()
}

/** The newest render of each of these clips. */
export function newestRenders(
  db: Db,
  clipIds: readonly string[],
): Map<string, Readonly<typeof operations.$inferSelect>> {
  const rows = db.orm
    .select()
    .from(operations)
    .where(and(eq(operations.kind, 'render'), inArray(operations.subjectId, [...clipIds])))
    .orderBy(desc(operations.createdAt))
    .all()
  return new Map(rows.reverse().map((row) => [row.subjectId, row]))
}
