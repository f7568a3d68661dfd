/** Queries of clips and of their transcripts, for reading; what a run writes of them is in run-clips.ts. */
import { and, count, desc, eq, inArray, max, sql } from 'drizzle-orm'
import type { Db } from './client.ts'
import { findBy, listWhere, type Orm } from './rows.ts'
import { clips, clipTranscripts, listedClips } from './schema.ts'
import type { ClipStatus } from '../contract/tenant-api/clip.ts'
import { statusesOf } from './clip-lists/statuses.ts'

/** A clip as stored. Times are epoch milliseconds. */
export type Clip = Readonly<typeof clips.$inferSelect>

export type ClipTranscript = Readonly<typeof clipTranscripts.$inferSelect>

const findClip = findBy(clips, 'companyId', 'id')

/** The company's clip with this id; one that its run has not published yet only on request. */
export function getClip(
  db: Db,
  companyId: string,
  clipId: string,
  options: { unpublished?: boolean } = {},
): Clip | null {
  const row = findClip(db, companyId, clipId)
  return row === null || (!row.published && options.unpublished !== true) ? null : row
}

/** Published clips of a run: highest score first, then in the order they were found. */
export function listClipsOfRun(db: Db, runId: string): Clip[] {
  const where = and(eq(clips.runId, runId), eq(clips.published, true))
  return listWhere(db, clips, { where, order: [desc(clips.viralityScore), clips.ordinal] })
}

/** Published clips of a company, those of the newest run first; those of one run by score. */
export function listRecentClips(db: Db, companyId: string, limit: number): Clip[] {
  const where = and(eq(clips.companyId, companyId), eq(clips.published, true))
  const order = [desc(clips.createdAt), desc(clips.viralityScore), clips.ordinal]
  return listWhere(db, clips, { where, order, limit })
}

/** How many published clips each of these runs has. */
export function countClipsOfRuns(db: Db, runIds: readonly string[]): Map<string, number> {
  const rows = db.orm
    .select({ runId: clips.runId, clips: count() })
    .from(clips)
    .where(and(inArray(clips.runId, [...runIds]), eq(clips.published, true)))
    .groupBy(clips.runId)
    .all()
  return new Map(rows.flatMap((row) => (row.runId === null ? [] : [[row.runId, row.clips] as const])))
}

/** What a list of runs shows of the clips of each: how many, how many nobody has decided about, and the best one's picture. */
export function summariseClipsOfRuns(
  db: Db,
  runIds: readonly string[],
): Map<string, { readonly clips: number; readonly undecided: number; readonly thumbnail: string | null }> {
  const rows = db.orm
    .select({
      runId: clips.runId,
      clips: count(),
      undecided: sql<number>`sum(${clips.review} = 'undecided')`,
      // SQLite takes the other columns of an aggregate with max() from the row that has it.
      thumbnail: listedClips.thumbnailMedia,
      best: max(clips.viralityScore),
    })
    .from(clips)
    .leftJoin(listedClips, eq(listedClips.clipId, clips.id))
    .where(and(inArray(clips.runId, [...runIds]), eq(clips.published, true)))
    .groupBy(clips.runId)
    .all()
  return new Map(rows.flatMap(({ runId, ...row }) => (runId === null ? [] : [[runId, row] as const])))
}

export const getClipTranscript = findBy(clipTranscripts, 'clipId')

/** All statuses that apply to a published clip; the first one is that of its video. */
export function statusesOfClip(db: Orm, clipId: string): ClipStatus[] {
  const { rendered, edited, renderState, postStates } = listedClips
  const row = db.orm
    .select({ rendered, edited, renderState, postStates })
    .from(listedClips)
    .where(eq(listedClips.clipId, clipId))
    .get()
  return row === undefined ? ['unrendered'] : statusesOf(row)
}
