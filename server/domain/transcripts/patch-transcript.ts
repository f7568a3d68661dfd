/** Corrects the words of a clip. */
import type { PatchTranscriptResponse } from '../../contract/clip-transcript.ts'
import { saveClipEdit, saveClipWords } from '../../db/edit-clips.ts'
import { withPlayedTimes } from '../../nodes/index.ts'
import { factsOfClip, isVisible, presentWords, requireClip, requireTranscript } from '../clips/get-clip.ts'
import { parseOperations } from './parse-operations.ts'
import { requestThumbnail } from '../rendering/request-thumbnail.ts'
import type { Services } from '../services.ts'
import { withTranscriptFiles } from './transcript-files.ts'
import { applyOperations } from './transcript-operations.ts'

/**
 * Applies the operations and stores the words; the cached render is cleared whatever they did. Throws
 * INVALID_OPERATIONS, CLIP_NOT_FOUND, NO_TRANSCRIPT.
 */
export function patchTranscript(
  services: Pick<Services, 'db' | 'home' | 'now'>,
  input: {
    readonly companyId: string
    readonly clipId: string
    readonly operations: unknown
    /** Throws when this is not the revision of the words that is meant. */
    readonly guard?: (revision: number) => void
  },
): PatchTranscriptResponse {
  const { db } = services
  const { operations, warnings } = parseOperations(input.operations)
  return db.orm.transaction(
    () => {
      const clip = requireClip(services, input)
      const transcript = requireTranscript(services, clip)
      input.guard?.(transcript.revision)
      const done = applyOperations(transcript.words, operations, (word) => isVisible(word, clip.document))
      const now = services.now()
      saveClipWords(db, clip.id, done.words, now)
      // Other words, other fillers: what the nodes cut out may change.
      const facts = factsOfClip(services, clip)
      const played =
        facts === null
          ? clip.document
          : withPlayedTimes({ document: clip.document, words: done.words, facts })
      const document = withTranscriptFiles(
        services,
        { companyId: clip.companyId, document: played },
        { language: transcript.language, words: done.words },
      )
      saveClipEdit(db, { companyId: clip.companyId, clipId: clip.id, document, clearRender: true, now })
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
    },
    { behavior: 'immediate' },
  )
}
