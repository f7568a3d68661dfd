/** PURE. The words of a clip, padding included, as the texts of its files; times count from the extended cut's start. */
import type { Transcript, TranscriptWord } from '../../../../server/contract/transcript.ts'
import { toSrt, toWebVtt } from './caption-files.ts'
import { regroup } from './regroup.ts'
import { omitUndefined } from '../../../../server/contract/omit-undefined.ts'

export interface ClipFileRange {
  /** The extended range, seconds in the source. */
  readonly start: number
  readonly end: number
  /** Whether the clip shows this moment of the source: the middle of a word decides for the word. */
  readonly isVisible: (moment: number) => boolean
}

export interface ClipFiles {
  readonly json: string
  readonly srt: string
  readonly vtt: string
  /** The words that the files have: those in the range that are not removed from the captions. */
  readonly words: readonly Readonly<Record<string, unknown>>[]
}

const middleOf = (word: TranscriptWord): number => (word.start + word.end) / 2

export function clipFiles(
  transcript: Pick<Transcript, 'language' | 'speakers' | 'words'>,
  range: ClipFileRange,
): ClipFiles {
  const { language, speakers } = transcript
  // A word that the edge cuts through belongs to the side where most of it lies.
  const inside = transcript.words.filter(
    (word) => word.isDeleted !== true && middleOf(word) >= range.start && middleOf(word) < range.end,
  )
  const timed = inside.map((word) => shifted(word, range.start, range.end - range.start))
  const words = timed.map((word, index) => ({
    word: word.word,
    start: word.start,
    end: word.end,
    ...omitUndefined({ speaker: word.speaker }),
    /** Inside the visible cut, not only in the padding around it. */
    visible: range.isVisible(middleOf(inside[index] ?? word)),
  }))
  const cues = regroup(timed)
  return {
    json: JSON.stringify({ language, ...omitUndefined({ speakers }), words }),
    srt: toSrt(cues),
    vtt: toWebVtt(cues, language, speakers ?? []),
    words,
  }
}

function shifted(word: TranscriptWord, by: number, length: number): TranscriptWord {
  const at = (seconds: number): number =>
    Math.round(Math.min(length, Math.max(0, seconds - by)) * 1000) / 1000
  return { ...word, start: at(word.start), end: at(word.end) }
}
