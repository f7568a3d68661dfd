/** Replaces the words of clips by a subtitle file that a person gives later. */
import { readFile, stat } from 'node:fs/promises'
import { invalidRequest } from '../../contract/errors.ts'
import { ticksToSeconds } from '../../contract/time.ts'
import type { StudioCaptioned, StudioWords } from '../../contract/studio.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import { getClipTranscript, listClipsOfRun, type Clip } from '../../db/clips.ts'
import { saveClipEdit, saveClipWords } from '../../db/edit-clips.ts'
import { inTransaction } from '../../db/prepared.ts'
import { decodeCaptionBytes } from '../../../workers/stages/captions/decode-caption-bytes.ts'
import { parseCaptions } from '../../../workers/stages/captions/pure/parse-captions.ts'
import { settleCues } from '../../../workers/stages/captions/pure/settle-cues.ts'
import { inSequence, wordsFromCue } from '../../../workers/stages/captions/pure/words-from-cues.ts'
import { factsOfClip, requireClip, requireTranscript } from '../clips/get-clip.ts'
import { uploadSource } from '../library/uploads.ts'
import { requestThumbnail } from '../rendering/render-clip.ts'
import { requireMatch } from '../revisions.ts'
import { requireRun } from '../runs/runs.ts'
import type { Services } from '../services.ts'
import { transcriptEtag } from './page-transcript.ts'
import { keepSpokenTimes } from './keep-spoken-times.ts'
import { withWords } from './with-words.ts'

type Deps = Pick<Services, 'config' | 'db' | 'home' | 'now'>

/** As much as a caption file of a run may have. */
const MAX_BYTES = 2 * 1024 ** 2

interface Given {
  readonly companyId: string
  /** The upload of the subtitle file. */
  readonly uploadId: string
}

/** The words of one clip. Throws CLIP_NOT_FOUND, INVALID_REQUEST where the file is none that can be read. */
export async function captionClip(
  services: Deps,
  given: Given & { clipId: string },
): Promise<StudioCaptioned> {
  requireClip(services, given)
  const wordsOf = () => getClipTranscript(services.db, given.clipId)?.words ?? []
  const before = wordsOf()
  const done = await replaceWords(services, given, () => [requireClip(services, given)])
  return done.clips === 0 ? done : { ...done, words: { before, after: wordsOf() } }
}

/**
 * Puts all words of a clip in place of those with this revision, as an undo does. Throws CLIP_NOT_FOUND,
 * PRECONDITION_FAILED where there are newer ones, INVALID_REQUEST where they are out of order or not of its source.
 */
export function setClipWords(
  services: Deps,
  { companyId, clipId, words, etag }: StudioWords & { readonly companyId: string; readonly clipId: string },
): void {
  inTransaction(services.db, () => {
    const clip = requireClip(services, { companyId, clipId })
    const { revision } = requireTranscript(services, clip)
    requireMatch(etag, transcriptEtag(clipId, revision))
    const facts = factsOfClip(services, clip)
    const length = facts === null ? Infinity : ticksToSeconds(facts.duration)
    const isRight = words.every(
      ({ start, end }, index) => start >= (words[index - 1]?.start ?? 0) && end >= start && start <= length,
    )
    if (!isRight) throw invalidRequest('words', 'they are in the order of their times, within the source.')
    storeWords(services, clip, words)
  })
}

/** The words of every clip of a run. Throws TRIGGER_NOT_FOUND, INVALID_REQUEST as captionClip. */
export async function captionRun(services: Deps, given: Given & { runId: string }): Promise<StudioCaptioned> {
  const { companyId, runId: triggerId } = given
  requireRun(services, { companyId, triggerId })
  return replaceWords(services, given, () => listClipsOfRun(services.db, triggerId))
}

async function replaceWords(
  services: Deps,
  given: Given,
  listClips: () => readonly Clip[],
): Promise<StudioCaptioned> {
  const text = await readSubtitles(services, given)
  return inTransaction(services.db, () => {
    const warnings: string[] = []
    let clips = 0
    for (const clip of listClips()) {
      const problem = replaceOf(services, clip, text)
      if (problem === null) clips += 1
      else warnings.push(problem)
    }
    return { clips, warnings: [...new Set(warnings)] }
  })
}

async function readSubtitles(services: Deps, given: Given): Promise<string> {
  const { path, displayName } = uploadSource(services, given)
  const { size } = await stat(path)
  const text = size > MAX_BYTES ? '' : decodeCaptionBytes(await readFile(path))
  if (parseCaptions(text).cues.length === 0)
    throw invalidRequest(
      'uploadId',
      `“${displayName}” cannot be read as subtitles: give a .srt, .vtt or .ass of up to 2 MB.`,
    )
  return text
}

/** Null where the words are replaced; otherwise why they are not. */
function replaceOf(services: Deps, clip: Clip, text: string): string | null {
  const transcript = getClipTranscript(services.db, clip.id)
  const facts = factsOfClip(services, clip)
  if (transcript === null || facts === null)
    return `“${clip.document.title}” keeps its words: its run is not there any more.`
  const words = wordsBetween(text, ticksToSeconds(facts.duration), clip.document.extended)
  if (words.length === 0) return `“${clip.document.title}” keeps its words: the file has none for it.`
  storeWords(services, clip, keepSpokenTimes(words, transcript.words))
  return null
}

/** The clip plays these words, whose captions and thumbnail are made anew. */
function storeWords(services: Deps, clip: Clip, words: readonly TranscriptWord[]): void {
  const { language } = requireTranscript(services, clip)
  const { db } = services
  const now = services.now()
  const { companyId } = clip
  saveClipWords(db, clip.id, words, now)
  const document = withWords(services, clip, { language, words })
  saveClipEdit(db, { companyId, clipId: clip.id, document, clearRender: true, now })
  requestThumbnail(services, clip)
}

function wordsBetween(
  text: string,
  durationSeconds: number,
  { start, end }: { readonly start: number; readonly end: number },
): TranscriptWord[] {
  const { cues } = settleCues(parseCaptions(text).cues, durationSeconds)
  const words: TranscriptWord[] = []
  for (const [index, cue] of cues.entries()) {
    if (cue.end <= start || cue.start >= end) continue
    const neighbours = { earliest: words.at(-1)?.end ?? 0, latest: cues[index + 1]?.start ?? cue.end }
    words.push(...wordsFromCue(cue, neighbours, null))
  }
  return inSequence(words).filter((word) => word.start < end && word.end > start)
}
