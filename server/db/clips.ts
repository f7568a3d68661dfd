/** Queries of clips and of their transcripts, for reading; what a run writes of them is in run-clips.ts. */
import { and, asc, count, desc, eq, inArray, sql } from 'drizzle-orm'
import type { ClipDocument } from '../contract/clip.ts'
import type { TranscriptWord } from '../contract/transcript.ts'
import type { Db } from './client.ts'
import { oncePerConnection } from './prepared.ts'
import { clips, clipTranscripts, listedClips } from './schema.ts'
import type { ClipStatus } from '../contract/tenant-api/clip.ts'
import { statusesOf } from './clip-lists/statuses.ts'

/** A clip as stored. Times are epoch milliseconds. */
export interface Clip {
  readonly id: string
  readonly companyId: string
  readonly workflowId: string
  readonly runId: string | null
  readonly ordinal: number
  readonly sourceDigest: string
  readonly published: boolean
  readonly title: string
  readonly duration: number
  readonly viralityScore: number
  readonly document: ClipDocument
  readonly renderKey: string | null
  readonly renderedMedia: string | null
  readonly renderedThumbnailMedia: string | null
  readonly revision: number
  readonly createdAt: number
  readonly updatedAt: number
}

export interface ClipTranscript {
  readonly clipId: string
  readonly origin: string
  readonly language: string
  readonly words: TranscriptWord[]
  readonly revision: number
  readonly updatedAt: number
}

const byId = oncePerConnection((db) =>
  db.orm
    .select()
    .from(clips)
    .where(and(eq(clips.id, sql.placeholder('id')), eq(clips.companyId, sql.placeholder('companyId'))))
    .prepare(),
)

/** The company's clip with this id; one that its run has not published yet only on request. */
export function getClip(
  db: Db,
  companyId: string,
  clipId: string,
  options: { unpublished?: boolean } = {},
): Clip | null {
  const row = byId(db).get({ id: clipId, companyId })
  return row === undefined || (!row.published && options.unpublished !== true) ? null : row
}

/** Published clips of a run: highest score first, then in the order they were found. */
export function listClipsOfRun(db: Db, runId: string): Clip[] {
  return db.orm
    .select()
    .from(clips)
    .where(and(eq(clips.runId, runId), eq(clips.published, true)))
    .orderBy(desc(clips.viralityScore), asc(clips.ordinal))
    .all()
}

/** Published clips of a company, those of the newest run first; those of one run by score. */
export function listRecentClips(db: Db, companyId: string, limit: number): Clip[] {
  return db.orm
    .select()
    .from(clips)
    .where(and(eq(clips.companyId, companyId), eq(clips.published, true)))
    .orderBy(desc(clips.createdAt), desc(clips.viralityScore), asc(clips.ordinal))
    .limit(limit)
    .all()
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

export function getClipTranscript(db: Db, clipId: string): ClipTranscript | null {
  const row = db.orm.select().from(clipTranscripts).where(eq(clipTranscripts.clipId, clipId)).get()
  return row ?? null
}

/** All statuses that apply to a published clip; the first one is that of its video. */
export function statusesOfClip(db: Pick<Db, 'orm'>, clipId: string): ClipStatus[] {
  const { rendered, edited, renderState, postStates } = listedClips
  const row = db.orm
    .select({ rendered, edited, renderState, postStates })
    .from(listedClips)
    .where(eq(listedClips.clipId, clipId))
    .get()
  return row === undefined ? ['unrendered'] : statusesOf(row)
}
