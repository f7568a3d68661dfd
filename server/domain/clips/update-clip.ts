/** Saves editable fields of a clip. */
import type { ManualOverridesChange } from '../../contract/manual-overrides.ts'
import type { ClipMedia } from '../../contract/clip.ts'
import { AppError } from '../../contract/errors.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import type { UpdateClipResponse } from '../../contract/update-clip.ts'
import { getClipTranscript, type Clip } from '../../db/clips.ts'
import { saveClipEdit, saveClipWords, removeClip } from '../../db/edit-clips.ts'
import { renewMediaTokens } from '../../db/media.ts'
import { markExampleDeleted } from '../../db/learning.ts'
import { inTransaction } from '../../db/prepared.ts'
import { getRun } from '../../db/runs.ts'
import { newMediaId } from '../../ids.ts'
import { renameMedia } from '../rendering/register-media.ts'
import { requestThumbnail } from '../rendering/render-clip.ts'
import type { ClockServices, Services } from '../services.ts'
import { withTranscriptFiles } from '../transcripts/transcript-files.ts'
import { requireClip } from './get-clip.ts'
import { readClipUpdates } from './read-clip-updates.ts'
import { prepareTimes, type Change, type Prepared } from './retime-clip.ts'

type Deps = Omit<Services, 'jobs'>

export interface ClipUpdate {
  readonly companyId: string
  readonly clipId: string
  /** The request's body; its other fields are the ones to edit. */
  readonly body: Readonly<Record<string, unknown>>
  readonly merge: boolean
  /** Labels that replace those it has; they alone are an update too. */
  readonly tags?: readonly string[]
  /** Changes of manual overrides; they alone are an update too. */
  readonly overrides?: ManualOverridesChange
  /** What segments count in; `played` where it is not given. */
  readonly segmentsIn?: 'played' | 'cut'
  /** Name of the person who edits. */
  readonly editor?: string
  /** Throws when this is not the version of the clip that is meant; whatever is stored is stored over that version. */
  readonly guard?: (clip: Clip) => void
}

export interface UpdatedClip {
  readonly answer: UpdateClipResponse
  /** As this edit stored it: another may have followed by the time that it is read again. */
  readonly clip: Clip
}

/** Throws UNSUPPORTED_CLIP_FIELDS, INVALID_CLIP_UPDATE, CLIP_NOT_FOUND. */
export async function updateClip(services: Deps, input: ClipUpdate): Promise<UpdatedClip> {
  const { tags, overrides, body } = input
  const beside = tags !== undefined || overrides !== undefined
  const updates = beside && Object.keys(body).length === 0 ? {} : readClipUpdates(body)
  for (;;) {
    const clip = requireClip(services, input)
    input.guard?.(clip)
    const { merge, segmentsIn = 'played' } = input
    const edited = await prepareEdit(services, clip, { updates, merge, overrides, segmentsIn })
    const prepared =
      tags === undefined ? edited : { ...edited, document: { ...edited.document, tags: [...tags] } }
    const saved = save(services, clip, prepared, input.editor)
    if (saved === null) continue
    const { applied } = prepared.edit
    const answer: UpdateClipResponse = {
      clipId: clip.id,
      status: 'success',
      updatedFields: Object.keys(applied),
      updates: applied,
      ...(prepared.warnings.length === 0 ? {} : { warnings: prepared.warnings }),
    }
    return { answer, clip: saved }
  }
}

/** What an edit would make of the clip; nothing is stored. */
export async function prepareEdit(services: Deps, clip: Clip, change: Change): Promise<Prepared> {
  const { retimed, ...prepared } = await prepareTimes(services, clip, change)
  const transcript = getClipTranscript(services.db, clip.id)
  const named = change.overrides !== undefined && Object.hasOwn(change.overrides, 'speakers')
  if (transcript === null || !(named || retimed)) return prepared
  const words = prepared.words ?? transcript.words
  const owner = { companyId: clip.companyId, clipId: clip.id, document: prepared.document }
  return {
    ...prepared,
    document: withTranscriptFiles(services, owner, { language: transcript.language, words }),
  }
}

/** The clip's own thumbnail may have been taken since it was read: that is no edit. */
function withThumbnailOf({ thumbnail: _old, ...media }: ClipMedia, { thumbnail }: ClipMedia): ClipMedia {
  return thumbnail === undefined ? media : { ...media, thumbnail }
}

/** The clip as it is stored now; null when it was edited in the meantime. */
function save(
  services: Deps,
  clip: Clip,
  { edit, document, words }: Prepared,
  editor: string | undefined,
): Clip | null {
  const { db } = services
  const now = services.now()
  return inTransaction(db, () => {
    const current = requireClip(services, { companyId: clip.companyId, clipId: clip.id })
    if (current.revision !== clip.revision) return null
    if (words !== null) saveClipWords(db, clip.id, words, now)
    const { companyId, id: clipId } = clip
    const edited = { ...document, media: withThumbnailOf(document.media, current.document.media) }
    const change = { document: edited, clearRender: edit.changesRender, ...omitUndefined({ editor }) }
    const { renderedMedia: before } = current
    const isRenamed = document.title !== clip.document.title && !edit.changesRender
    const renderedMedia =
      isRenamed && before !== null
        ? renameMedia(services, clipId, { id: before, title: document.title })
        : undefined
    saveClipEdit(db, { companyId, clipId, ...change, ...omitUndefined({ renderedMedia }), now })
    if (edit.changesRender || edit.changesThumbnail) requestThumbnail(services, current)
    return requireClip(services, { companyId, clipId })
  })
}

/**
 * Deletes the clip's document and words, and its addresses: none of them leads anywhere from now on. Its files stay while
 * other clips may use them (they are stored by content), and so do its posts. Throws CLIP_NOT_FOUND, and INVALID_STATE while its run is running, because that would make it again.
 */
export function deleteClip(services: ClockServices, clip: { companyId: string; clipId: string }): void {
  const { runId } = requireClip(services, clip)
  const status = runId === null ? undefined : getRun(services.db, runId)?.status
  if (status !== undefined && status !== 'Completed' && status !== 'Error')
    throw new AppError('INVALID_STATE', {
      message: 'The run that made this clip still goes on; delete the clip when it has ended.',
      details: { clipId: clip.clipId, status },
    })
  inTransaction(services.db, () => {
    markExampleDeleted(services.db, clip, services.now())
    // Those of its own rows go with it; the others are from before clips had rows of their own.
    renewMediaTokens(services.db, clip, newMediaId)
    removeClip(services.db, clip)
  })
}

/**
 * Ends every address that was given away of the clip's files; what is read of it from now on holds new ones. Share links are
 * apart from that: they are revoked by themselves. Throws CLIP_NOT_FOUND.
 */
export function revokeClipAddresses(
  services: ClockServices,
  clip: { companyId: string; clipId: string },
): void {
  requireClip(services, clip)
  inTransaction(services.db, () => renewMediaTokens(services.db, clip, newMediaId))
}
