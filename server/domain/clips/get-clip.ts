/** Reads one clip, or its words. Another company's clip is as unknown as any other. */
import type { ClipTranscriptResponse, PublicWord } from '../../contract/clip-transcript.ts'
import type { ClipDocument } from '../../contract/clip.ts'
import { refuse } from '../../contract/errors.ts'
import type { PublicClip } from '../../contract/public-clip.ts'
import { isPlayed } from '../../contract/time-map/clip-times.ts'
import type { SourceFacts } from '../../contract/source-facts.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import {
  getClip as findClip,
  getClipTranscript as findTranscript,
  type Clip,
  type ClipTranscript,
} from '../../db/clips.ts'
import { getRunStage } from '../../db/runs.ts'
import { presentClip } from './present-clip.ts'
import type { DbServices } from '../services.ts'
import { slotIn } from '../runs/plan/plan-draft.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

interface ClipAddress {
  readonly companyId: string
  readonly clipId: string
}

/** The company's clip, or CLIP_NOT_FOUND. */
export function requireClip(services: DbServices, { companyId, clipId }: ClipAddress): Clip {
  return findClip(services.db, companyId, clipId) ?? refuse('CLIP_NOT_FOUND', { details: { clipId } })
}

/** The clip's words, or NO_TRANSCRIPT. */
export function requireTranscript(services: DbServices, clip: Clip): ClipTranscript {
  return findTranscript(services.db, clip.id) ?? refuse('NO_TRANSCRIPT', { details: { clipId: clip.id } })
}

/** What is known of the clip's source; null when its run is not known any more. */
export function factsOfClip(
  { db }: DbServices,
  { runId, document }: Pick<Clip, 'runId' | 'document'>,
): SourceFacts | null {
  const probe = runId === null ? null : getRunStage(db, runId, slotIn(document.chunk?.index, 'probe'))
  return probe?.state === 'finished' ? (probe.output as SourceFacts) : null
}

/** The saved document as GET /clip shows it. CLIP_NOT_FOUND. */
export function getClip(services: DbServices, input: ClipAddress & { baseUrl: string }): PublicClip {
  return presentClip(services, requireClip(services, input), input.baseUrl)
}

/** Words as callers see them, each with its place in the list, and whether the clip as it is cut plays it. */
export function presentWords(words: readonly TranscriptWord[], document: ClipDocument): PublicWord[] {
  return words.map((word, index) => ({
    index,
    word: word.word,
    start: word.start,
    end: word.end,
    ...omitUndefined({ speaker: word.speaker }),
    isDeleted: word.isDeleted === true,
    visible: isPlayed(document, word),
  }))
}

/** The clip's words, padding included. CLIP_NOT_FOUND, NO_TRANSCRIPT. */
export function getClipTranscript(services: DbServices, input: ClipAddress): ClipTranscriptResponse {
  const clip = requireClip(services, input)
  const transcript = requireTranscript(services, clip)
  const words = presentWords(transcript.words, clip.document)
  return { clipId: clip.id, source: transcript.origin, wordCount: words.length, words }
}
