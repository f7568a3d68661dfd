/** The words of a clip for the domain API: bounded pages, and corrections that know which version they correct. */
import {
  DEFAULT_WORDS,
  type TranscriptPage,
  type TranscriptPatchMeta,
  type TranscriptQuery,
} from '../../contract/tenant-api/transcript.ts'
import { isPlayed } from '../../contract/time-map/clip-times.ts'
import { languageTag } from '../../contract/transcript.ts'
import { decodeCursor, encodeCursor } from '../cursors.ts'
import { presentWords, requireClip, requireTranscript } from '../clips/get-clip.ts'
import { etagOf, requireMatch } from '../revisions.ts'
import type { DbServices, Services } from '../services.ts'
import type { PatchTranscriptResponse } from '../../contract/clip-transcript.ts'
import { withSpellings } from './spellings.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { saveClipEdit, saveClipWords } from '../../db/edit-clips.ts'
import { parseOperations } from './parse-operations.ts'
import { requestThumbnail } from '../rendering/render-clip.ts'
import { applyOperations } from './transcript-operations.ts'
import { inTransaction } from '../../db/prepared.ts'
import { withWords } from './with-words.ts'

interface Address {
  readonly companyId: string
  readonly clipId: string
}

export interface PagedTranscript {
  readonly data: TranscriptPage
  readonly nextCursor: string | null
  readonly etag: string
}

/** The revision of a clip's words. */
export const transcriptEtag = (clipId: string, revision: number): string =>
  etagOf('transcript', clipId, revision)

/** The same of the words as they are now. CLIP_NOT_FOUND, NO_TRANSCRIPT. */
export const transcriptEtagNow = (services: DbServices, address: Address): string =>
  transcriptEtag(address.clipId, requireTranscript(services, requireClip(services, address)).revision)

/**
 * Words of the range, so many at a time. A cursor is for one revision: words may have moved since. Throws CLIP_NOT_FOUND,
 * NO_TRANSCRIPT, INVALID_CURSOR.
 */
export function pageTranscript(
  services: DbServices,
  address: Address,
  query: TranscriptQuery,
): PagedTranscript {
  const clip = requireClip(services, address)
  const transcript = requireTranscript(services, clip)
  const { start, end, limit = DEFAULT_WORDS, cursor } = query
  const bound = { list: 'words', clipId: clip.id, revision: transcript.revision, start, end }
  const [from = 0] = cursor === undefined ? [0] : (decodeCursor(bound, cursor, 1) as readonly number[])
  const words = presentWords(transcript.words, clip.document).filter(
    (word) => word.end > (start ?? -Infinity) && word.start < (end ?? Infinity),
  )
  const to = from + limit
  return {
    data: {
      clipId: clip.id,
      source: transcript.origin,
      wordCount: words.length,
      // Older clips have the tag of the file, `eng`.
      language: languageTag(transcript.language) ?? 'und',
      words: words.slice(from, to),
    },
    nextCursor: to < words.length ? encodeCursor(bound, [to]) : null,
    etag: transcriptEtag(clip.id, transcript.revision),
  }
}

/**
 * Corrects words of the version that was read; answers the first page of them as they are now. Synchronous, in the
 * caller's transaction. Throws PRECONDITION_FAILED, INVALID_OPERATIONS, CLIP_NOT_FOUND, NO_TRANSCRIPT.
 */
export function patchAndPage(
  services: Pick<Services, 'db' | 'home' | 'now'>,
  address: Address,
  patch: { operations: unknown; ifMatch: string; editor?: string | undefined },
): PagedTranscript & { meta: TranscriptPatchMeta } {
  const { applied, replaced, appliedToHiddenWords, warnings } = patchTranscript(services, {
    ...address,
    operations: patch.operations,
    editor: patch.editor,
    guard: (revision) => requireMatch(patch.ifMatch, transcriptEtag(address.clipId, revision)),
  })
  const page = pageTranscript(services, address, {})
  return { ...page, meta: { nextCursor: page.nextCursor, applied, replaced, appliedToHiddenWords, warnings } }
}

/**
 * Applies the operations and stores the words; the cached render is cleared whatever they did. Throws
 * INVALID_OPERATIONS, CLIP_NOT_FOUND, NO_TRANSCRIPT.
 */
export function patchTranscript(
  services: Pick<Services, 'db' | 'home' | 'now'>,
  input: {
    companyId: string
    clipId: string
    operations: unknown
    /** Name of the person who edits. */
    editor?: string | undefined
    /** Throws when this is not the revision of the words that is meant. */
    guard?: (revision: number) => void
  },
): PatchTranscriptResponse {
  const { db } = services
  const { operations, warnings } = parseOperations(input.operations)
  return inTransaction(db, () => {
    const clip = requireClip(services, input)
    const transcript = requireTranscript(services, clip)
    input.guard?.(transcript.revision)
    const done = applyOperations(transcript.words, operations, (word) => isPlayed(clip.document, word))
    const now = services.now()
    saveClipWords(db, clip.id, done.words, now)
    const document = withWords(services, clip, { language: transcript.language, words: done.words })
    const corrections = withSpellings(clip.document.corrections ?? [], transcript.words, done.words)
    const { corrections: _before, ...others } = document
    const corrected = corrections.length === 0 ? others : { ...others, corrections: [...corrections] }
    const edit = { document: corrected, clearRender: true, ...omitUndefined({ editor: input.editor }), now }
    saveClipEdit(db, { companyId: clip.companyId, clipId: clip.id, ...edit })
    // What is cut out of the clip may have changed with its words.
    requestThumbnail(services, clip)
    return {
      clipId: clip.id,
      status: 'success',
      applied: done.applied,
      replaced: done.replaced,
      appliedToHiddenWords: done.appliedToHiddenWords,
      warnings: [...warnings, ...done.warnings],
      words: presentWords(done.words, document),
    }
  })
}
