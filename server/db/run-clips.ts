/** Queries of the clips that a run makes and a render finishes. What the API reads and edits is in clips.ts. */
import type { RenderWarning } from '../contract/render-warnings.ts'
import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { FEATURES_VERSION, type ClipFeatures } from '../contract/clip-candidate.ts'
import type { ClipDocument } from '../contract/clip.ts'
import type { Transcript, TranscriptWord } from '../contract/transcript.ts'
import type { Db } from './client.ts'
import type { Clip } from './clips.ts'
import { withEarlierRender } from './edit-clips.ts'
import { clips, clipTranscripts } from './schema.ts'
import { insertClipExample } from './learning.ts'

/** A clip with its own words, padding included; none when the run had none. */
export type RunClip = Clip & { readonly words: readonly TranscriptWord[] }

const columns = { ...getTableColumns(clips), words: clipTranscripts.words }

const fromRow = (row: Clip & { readonly words: TranscriptWord[] | null }): RunClip => ({
  ...row,
  words: row.words ?? [],
})

const selectClips = (db: Db) =>
  db.orm.select(columns).from(clips).leftJoin(clipTranscripts, eq(clipTranscripts.clipId, clips.id))

/** The clips of a run with their words, in the order in which it found them; those of a recording chunk by chunk. */
export function listRunClips(db: Db, runId: string): RunClip[] {
  const found = selectClips(db).where(eq(clips.runId, runId)).orderBy(asc(clips.ordinal)).all().map(fromRow)
  // Chunks of a recording may be done in another order than they were recorded in.
  const chunkOf = ({ document }: RunClip): number => document.chunk?.index ?? 0
  return found.sort((a, b) => a.pick - b.pick || chunkOf(a) - chunkOf(b))
}

export function getRunClip(db: Db, clipId: string): RunClip | null {
  const row = selectClips(db).where(eq(clips.id, clipId)).get()
  return row === undefined ? null : fromRow(row)
}

export interface NewRunClip {
  readonly id: string
  /** Order in which it was found, within its pick or its chunk. */
  readonly ordinal: number
  /** 0: the run itself found it. */
  readonly pick: number
  readonly document: ClipDocument
  /** Null when the run has no words. */
  readonly transcript: Transcript | null
  /** What its score was computed from; null where nothing was scored. */
  readonly features: ClipFeatures | null
}

/** Stores hidden clips of a run; does nothing for those that are there from before a crash. */
export function insertRunClips(
  db: Db,
  run: { readonly id: string; readonly companyId: string; readonly workflowId: string },
  made: readonly NewRunClip[],
  now: number,
): void {
  db.orm.transaction(
    () => {
      const there = db.orm
        .select({ ordinal: clips.ordinal, pick: clips.pick, document: clips.document })
        .from(clips)
        .where(eq(clips.runId, run.id))
        .all()
      const isThere = ({ ordinal, pick, document: { chunk } }: NewRunClip): boolean =>
        there.some(
          (row) => row.ordinal === ordinal && row.pick === pick && row.document.chunk?.index === chunk?.index,
        )
      for (const clip of made) {
        if (isThere(clip)) continue
        const { id, ordinal, pick, document, transcript, features } = clip
        const { title, duration, viralityScore, sourceId: sourceDigest } = document
        const owner = { companyId: run.companyId, workflowId: run.workflowId, runId: run.id }
        db.orm
          .insert(clips)
          .values({
            id,
            ...owner,
            ordinal,
            pick,
            sourceDigest,
            title,
            duration,
            viralityScore,
            document,
            createdAt: now,
            updatedAt: now,
          })
          .run()
        if (features !== null) {
          const { companyId, id: runId } = run
          const example = { companyId, runId, version: FEATURES_VERSION, features, score: viralityScore }
          insertClipExample(db, { clipId: id, ...example, createdAt: now })
        }
        if (transcript === null) continue
        const { origin, language, words } = transcript
        db.orm.insert(clipTranscripts).values({ clipId: id, origin, language, words, updatedAt: now }).run()
      }
    },
    { behavior: 'immediate' },
  )
}

export interface RenderedClip {
  readonly renderKey: string
  readonly renderedMedia: string
  readonly renderedThumbnailMedia: string
  readonly renderWarnings: RenderWarning[]
}

/** Lists a clip whose own stages are finished. `rendered`: its first render; null where its run ends at found clips. */
export function publishRunClip(
  db: Pick<Db, 'orm'>,
  clipId: string,
  document: ClipDocument,
  rendered: RenderedClip | null,
  now: number,
): void {
  const { duration, viralityScore } = document
  const changes = { document, duration, viralityScore, ...rendered, published: true, updatedAt: now }
  db.orm.update(clips).set(changes).where(eq(clips.id, clipId)).run()
}

/**
 * Stores the files of a render and its length in seconds; where the clip was edited since `revision`, as those of an earlier
 * state. Returns whether they show the clip as it is.
 */
export function saveRenderedClip(
  db: Db,
  clipId: string,
  revision: number,
  { duration, ...rendered }: RenderedClip & { readonly duration: number },
  now: number,
): boolean {
  // What was fetched for the render may come before the clip and after it.
  const document = sql`json_set(${clips.document}, '$.duration', ${duration})`
  const { changes } = db.orm
    .update(clips)
    .set({ ...rendered, duration, document, updatedAt: now })
    .where(and(eq(clips.id, clipId), eq(clips.revision, revision)))
    .run()
  if (changes > 0) return true
  const row = db.orm.select().from(clips).where(eq(clips.id, clipId)).get()
  if (row !== undefined) {
    const { renderKey, renderedMedia: media } = rendered
    const document = withEarlierRender(row.document, { renderKey, media })
    db.orm.update(clips).set({ document }).where(eq(clips.id, clipId)).run()
  }
  return false
}
