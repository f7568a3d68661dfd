/** Queries of examples from a company's results, and of the model learned from them. */
import { and, desc, eq, isNotNull, or, sql } from 'drizzle-orm'
import type { ClipFeatures } from '../contract/clip-candidate.ts'
import type { TasteModel } from '../contract/learning.ts'
import type { Db } from './client.ts'
import { findBy, insertNewInto, type Orm } from './rows.ts'
import { clipExamples, clips, posts, tasteModels } from './schema.ts'

export type TasteModelRow = typeof tasteModels.$inferSelect

/** Stores the features that a clip's score was computed from. May be called inside a transaction. */
export const insertClipExample = insertNewInto(clipExamples)

/** Marks the example of a deleted clip; the example stays. May be called inside a transaction. */
export function markExampleDeleted(
  db: Orm,
  clip: { readonly companyId: string; readonly clipId: string },
  now: number,
): void {
  const { companyId, clipId } = clip
  db.orm
    .update(clipExamples)
    .set({ deletedAt: now })
    .where(and(eq(clipExamples.clipId, clipId), eq(clipExamples.companyId, companyId)))
    .run()
}

/** What the scores of a run's clips were computed from, by clip. */
export function examplesOfRun(
  db: Db,
  runId: string,
): Map<string, { readonly features: ClipFeatures; readonly score: number }> {
  const rows = db.orm.select().from(clipExamples).where(eq(clipExamples.runId, runId)).all()
  return new Map(rows.map(({ clipId, features, score }) => [clipId, { features, score }]))
}

/** The newest examples of clips that people have seen; `revision` is null where a person deleted the clip. */
export function listCompanyExamples(db: Db, companyId: string, version: number, limit: number) {
  const seen = or(isNotNull(clipExamples.deletedAt), eq(clips.published, true))
  return db.orm
    .select({ example: clipExamples, revision: clips.revision })
    .from(clipExamples)
    .leftJoin(clips, eq(clips.id, clipExamples.clipId))
    .where(and(eq(clipExamples.companyId, companyId), eq(clipExamples.version, version), seen))
    .orderBy(desc(clipExamples.createdAt), desc(clipExamples.clipId))
    .limit(limit)
    .all()
    .map(({ example, revision }) => ({ ...example, revision }))
}

/** Counters of the company's newest posts, drafts included. */
export function listPostResults(db: Db, companyId: string, limit: number) {
  const { clipId, platform, status, publishedAt, engagementScore } = posts
  // Not the time of the last refresh: counters that did not change since are as old as their last change.
  const countedAt = sql<number | null>`coalesce((select max(refreshed_at) from post_analytics
    where post_id = posts.id), posts.analytics_at)`
  return db.orm
    .select({ clipId, platform, status, publishedAt, countedAt, engagementScore })
    .from(posts)
    .where(eq(posts.companyId, companyId))
    .orderBy(desc(posts.createdAt), desc(posts.id))
    .limit(limit)
    .all()
}

export const getTasteModel = findBy(tasteModels, 'companyId')

export interface LearnedTaste {
  readonly companyId: string
  readonly digest: string
  readonly examples: number
  readonly model: TasteModel
}

/** Puts a model in the place of the company's last one, with the next version. */
export function saveTasteModel(db: Db, learned: LearnedTaste, now: number): TasteModelRow {
  return db.orm.transaction(
    () => {
      const version = (getTasteModel(db, learned.companyId)?.version ?? 0) + 1
      const row = { ...learned, version, trainedAt: now }
      db.orm
        .insert(tasteModels)
        .values(row)
        .onConflictDoUpdate({ target: tasteModels.companyId, set: row })
        .run()
      return row
    },
    { behavior: 'immediate' },
  )
}
