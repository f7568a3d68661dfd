/** Queries by which the API edits clips. Every edit raises the revision, so no earlier render is used. */
import { and, eq, sql } from 'drizzle-orm'
import type { ClipDocument } from '../contract/clip.ts'
import type { TranscriptWord } from '../contract/transcript.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'
import type { Db } from './client.ts'
import { clips, clipTranscripts } from './schema.ts'

/** Forgets what was rendered: the clip does not look like that any more. */
const NO_RENDER = {
  renderKey: null,
  renderedMedia: null,
  renderedThumbnailMedia: null,
  renderWarnings: null,
} as const

/** Stores the words of a clip. May be called inside a transaction. */
export function saveClipWords(
  db: Pick<Db, 'orm'>,
  clipId: string,
  words: readonly TranscriptWord[],
  now: number,
): void {
  db.orm
    .update(clipTranscripts)
    .set({ words: [...words], revision: sql`${clipTranscripts.revision} + 1`, updatedAt: now })
    .where(eq(clipTranscripts.clipId, clipId))
    .run()
}

/** So many finished files of earlier edits are remembered. */
const MAX_EARLIER = 8

/** The document with one more file that shows an earlier state of its clip. */
export function withEarlierRender(
  document: ClipDocument,
  file: { readonly renderKey: string; readonly media: string },
): ClipDocument {
  const others = (document.earlierRenders ?? []).filter(({ renderKey }) => renderKey !== file.renderKey)
  return { ...document, earlierRenders: [file, ...others].slice(0, MAX_EARLIER) }
}

/** The document as it is edited, with the file that showed the clip until now. */
function editedDocument(
  { document: before, renderKey, renderedMedia: media }: typeof clips.$inferSelect,
  edit: { readonly document?: ClipDocument; readonly clearRender: boolean; readonly editor?: string },
): ClipDocument {
  const { editedBy: _before, ...rest } = edit.document ?? before
  const { earlierRenders } = before
  const document = { ...rest, ...omitUndefined({ earlierRenders, editedBy: edit.editor }) }
  return edit.clearRender && renderKey !== null && media !== null
    ? withEarlierRender(document, { renderKey, media })
    : document
}

/** Stores an edit of a clip: its document when that changed. May be called inside a transaction. */
export function saveClipEdit(
  db: Pick<Db, 'orm'>,
  edit: {
    readonly companyId: string
    readonly clipId: string
    readonly document?: ClipDocument
    readonly clearRender: boolean
    /** Name of the person who edits. */
    readonly editor?: string
    /** The rendered file under another name. */
    readonly renderedMedia?: string
    readonly now: number
  },
): void {
  const { now, renderedMedia } = edit
  const own = and(eq(clips.id, edit.clipId), eq(clips.companyId, edit.companyId))
  const row = db.orm.select().from(clips).where(own).get()
  if (row === undefined) return
  const document = editedDocument(row, edit)
  db.orm
    .update(clips)
    .set({
      document,
      title: document.title,
      duration: document.duration,
      ...(edit.clearRender ? NO_RENDER : omitUndefined({ renderedMedia })),
      revision: sql`${clips.revision} + 1`,
      updatedAt: now,
    })
    .where(own)
    .run()
}

/** Deletes a clip and its words. May be called inside a transaction. */
export function removeClip(
  db: Pick<Db, 'orm'>,
  clip: { readonly companyId: string; readonly clipId: string },
): void {
  db.orm
    .delete(clips)
    .where(and(eq(clips.id, clip.clipId), eq(clips.companyId, clip.companyId)))
    .run()
}

/** Sets or removes (null) a thumbnail, which is no part of the revision; false: edited since `revision`. */
export function saveThumbnail(db: Db, clipId: string, revision: number, mediaId: string | null): boolean {
  return db.orm.transaction(
    () => {
      const row = db.orm
        .select({ document: clips.document, revision: clips.revision })
        .from(clips)
        .where(eq(clips.id, clipId))
        .get()
      if (row?.revision !== revision) return false
      const { media, ...document } = row.document
      const { thumbnail, ...others } = media
      if (thumbnail === (mediaId ?? undefined)) return true
      const mediaAfter: ClipDocument['media'] = mediaId === null ? others : { ...others, thumbnail: mediaId }
      db.orm
        .update(clips)
        .set({ document: { ...document, media: mediaAfter } })
        .where(eq(clips.id, clipId))
        .run()
      return true
    },
    { behavior: 'immediate' },
  )
}

/** Stores the file of a clip's extended range, unless that changed since. It is no part of the revision. */
export function saveExtendedFile(
  db: Db,
  clipId: string,
  extended: ClipDocument['extended'],
  mediaId: string,
): void {
  db.orm.transaction(
    () => {
      const row = db.orm.select({ document: clips.document }).from(clips).where(eq(clips.id, clipId)).get()
      const document = row?.document
      if (document?.extended.start !== extended.start || document.extended.end !== extended.end) return
      const media = { ...document.media, extended: mediaId }
      db.orm
        .update(clips)
        .set({ document: { ...document, extended, media } })
        .where(eq(clips.id, clipId))
        .run()
    },
    { behavior: 'immediate' },
  )
}
