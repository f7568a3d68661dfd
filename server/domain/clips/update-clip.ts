/** Saves editable fields of a clip. */
import type { ManualOverridesChange } from '../../contract/manual-overrides.ts'
import type { ClipDocument, ClipMedia } from '../../contract/clip.ts'
import type { SourceFacts } from '../../contract/source-facts.ts'
import { ticksToSeconds } from '../../contract/time.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import type { EditableClip, UpdateClipResponse } from '../../contract/update-clip.ts'
import { getClipTranscript, type Clip } from '../../db/clips.ts'
import { saveClipEdit, saveClipWords, removeClip } from '../../db/edit-clips.ts'
import { applyOverrides, outputShape, withPlayedTimes } from '../../nodes/index.ts'
import { editClip, type ClipEdit } from './clip-edits.ts'
import { boundaryAt, widenedRange, widenedWords } from './clip-segments.ts'
import { readRunTranscript } from '../runs/finish-run.ts'
import { factsOfClip, requireClip } from './get-clip.ts'
import { measureSoundOfRun } from '../runs/measure-sound.ts'
import { readClipUpdates } from './read-clip-updates.ts'
import { renameMedia } from '../rendering/register-media.ts'
import { requestThumbnail } from '../rendering/render-clip.ts'
import type { ClockServices, Services } from '../services.ts'
import { withTranscriptFiles } from '../transcripts/transcript-files.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { AppError } from '../../contract/errors.ts'
import { getRun } from '../../db/runs.ts'
import { markExampleDeleted } from '../../db/learning.ts'
import { inTransaction } from '../../db/prepared.ts'

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
  /** Name of the person who edits. */
  readonly editor?: string
  /** Throws when this is not the version of the clip that is meant; whatever is stored is stored over that version. */
  readonly guard?: (clip: Clip) => void
}

/** Throws UNSUPPORTED_CLIP_FIELDS, INVALID_CLIP_UPDATE, CLIP_NOT_FOUND. */
export async function updateClip(services: Deps, input: ClipUpdate): Promise<UpdateClipResponse> {
  const { tags, overrides, body } = input
  const beside = tags !== undefined || overrides !== undefined
  const updates = beside && Object.keys(body).length === 0 ? {} : readClipUpdates(body)
  for (;;) {
    const clip = requireClip(services, input)
    input.guard?.(clip)
    const edited = await prepareEdit(services, clip, { updates, merge: input.merge, overrides })
    const prepared =
      tags === undefined ? edited : { ...edited, document: { ...edited.document, tags: [...tags] } }
    if (!save(services, clip, prepared, input.editor)) continue
    const { applied } = prepared.edit
    return {
      clipId: clip.id,
      status: 'success',
      updatedFields: Object.keys(applied),
      updates: applied,
      ...(prepared.warnings.length === 0 ? {} : { warnings: prepared.warnings }),
    }
  }
}

/** What is to be edited; configs are merged, one level deep, or replaced. */
export interface Change {
  readonly updates: EditableClip
  readonly merge: boolean
  readonly overrides?: ManualOverridesChange | undefined
}

/** An edited clip, not yet stored. */
export interface Prepared {
  readonly edit: ClipEdit
  readonly document: ClipDocument
  /** Null when they stay as they are. */
  readonly words: readonly TranscriptWord[] | null
  readonly warnings: string[]
}

/** What an edit would make of the clip; nothing is stored. */
export async function prepareEdit(services: Deps, clip: Clip, change: Change): Promise<Prepared> {
  const prepared = await prepareTimes(services, clip, change)
  const transcript = getClipTranscript(services.db, clip.id)
  const named = change.overrides !== undefined && Object.hasOwn(change.overrides, 'speakers')
  if (transcript === null || !(named || movesTimes(prepared, change))) return prepared
  const words = prepared.words ?? transcript.words
  const owner = { companyId: clip.companyId, document: prepared.document }
  return {
    ...prepared,
    document: withTranscriptFiles(services, owner, { language: transcript.language, words }),
  }
}

/** Whether what is played may have become longer or shorter: by the cut, or by a node that takes words out. */
const movesTimes = ({ edit }: Prepared, { overrides }: Change): boolean =>
  Object.hasOwn(edit.applied, 'duration') || (overrides !== undefined && Object.hasOwn(overrides, 'nodes'))

async function prepareTimes(services: Deps, clip: Clip, change: Change): Promise<Prepared> {
  const prepared = await prepareCut(services, clip, change)
  const facts = factsOfClip(services, clip)
  const { document, edit } = prepared
  if (facts === null || !movesTimes(prepared, change)) return prepared
  // A wider range has sound that was not measured.
  const remeasure = document.sound !== undefined && document.extended !== clip.document.extended
  const sound = remeasure ? await remeasureSound(services, clip, document) : null
  const words = prepared.words ?? getClipTranscript(services.db, clip.id)?.words ?? []
  const played = withPlayedTimes({
    document: { ...document, ...omitUndefined({ sound: sound ?? undefined }), ...shapeOf(document, facts) },
    words,
    facts,
  })
  const applied = { ...edit.applied, duration: played.duration }
  return { ...prepared, document: played, edit: { ...edit, applied } }
}

/** Shape and size, which the clip's own nodes may change. */
function shapeOf(document: ClipDocument, facts: SourceFacts): Partial<ClipDocument> {
  const { aspectRatio, width, height } = outputShape(applyOverrides(document).nodes, facts)
  return { aspectRatio, videoHeight: height, videoResolution: `${width}x${height}` }
}

async function remeasureSound(services: Deps, { runId }: Clip, { chunk, extended }: ClipDocument) {
  const transcript = runId === null ? null : await readRunTranscript(services, runId, chunk?.index)
  return measureSoundOfRun(services, runId, chunk?.index, extended, transcript)
}

async function prepareCut(
  services: Deps,
  clip: Clip,
  { updates, merge, overrides }: Change,
): Promise<Prepared> {
  const facts = factsOfClip(services, clip)
  const sourceDuration = facts === null ? null : ticksToSeconds(facts.duration)
  const edit = editClip({
    document: clip.document,
    updates,
    merge,
    sourceDuration,
    ...omitUndefined({ overrides }),
  })
  const { startTimestamp, endTimestamp } = clip.document
  const { document } = edit
  if (document.startTimestamp === startTimestamp && document.endTimestamp === endTimestamp)
    return { edit, document, words: null, warnings: [] }
  const wide = await widen(services, clip, document, sourceDuration)
  const own = wide.words ?? getClipTranscript(services.db, clip.id)?.words ?? []
  const { boundaries: before } = document
  const boundaries = {
    start:
      document.startTimestamp === startTimestamp ? before.start : boundaryAt(own, document.startTimestamp),
    end: document.endTimestamp === endTimestamp ? before.end : boundaryAt(own, document.endTimestamp),
  }
  return { edit, ...wide, document: { ...wide.document, boundaries } }
}

/** Document and words of a clip whose cut may have left its stored range. */
async function widen(
  services: Deps,
  clip: Clip,
  document: ClipDocument,
  sourceDuration: number | null,
): Promise<Omit<Prepared, 'edit'>> {
  const { extended } = document
  const to = widenedRange(document, sourceDuration ?? document.endTimestamp)
  if (to === null) return { document, words: null, warnings: [] }
  const wider = { ...document, extended: { ...extended, ...to, uncut: true } }
  const own = getClipTranscript(services.db, clip.id)
  if (own === null) return { document: wider, words: null, warnings: [] }
  const whole =
    clip.runId === null ? null : await readRunTranscript(services, clip.runId, document.chunk?.index)
  if (whole === null) {
    const message = 'The transcript of the whole source is gone; what was added to the clip has no captions.'
    return { document: wider, words: null, warnings: [message] }
  }
  return {
    document: wider,
    words: widenedWords(own.words, whole.words, { from: extended, to }),
    warnings: [],
  }
}

/** The clip's own thumbnail may have been taken since it was read: that is no edit. */
function withThumbnailOf({ thumbnail: _old, ...media }: ClipMedia, { thumbnail }: ClipMedia): ClipMedia {
  return thumbnail === undefined ? media : { ...media, thumbnail }
}

/** False when the clip was edited in the meantime. */
function save(
  services: Deps,
  clip: Clip,
  { edit, document, words }: Prepared,
  editor: string | undefined,
): boolean {
  const { db } = services
  const now = services.now()
  return inTransaction(db, () => {
    const current = requireClip(services, { companyId: clip.companyId, clipId: clip.id })
    if (current.revision !== clip.revision) return false
    if (words !== null) saveClipWords(db, clip.id, words, now)
    const { companyId, id: clipId } = clip
    const edited = { ...document, media: withThumbnailOf(document.media, current.document.media) }
    const change = { document: edited, clearRender: edit.changesRender, ...omitUndefined({ editor }) }
    const { renderedMedia: before } = current
    const isRenamed = document.title !== clip.document.title && !edit.changesRender
    const renderedMedia =
      isRenamed && before !== null ? renameMedia(services, before, document.title) : undefined
    saveClipEdit(db, { companyId, clipId, ...change, ...omitUndefined({ renderedMedia }), now })
    if (edit.changesRender || edit.changesThumbnail) requestThumbnail(services, current)
    return true
  })
}

/**
 * Deletes the clip's document and words. Its files stay while other clips may use them (they are stored by content), and so
 * do its posts. Throws CLIP_NOT_FOUND, and INVALID_STATE while its run is running, because that would make it again.
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
    removeClip(services.db, clip)
  })
}
