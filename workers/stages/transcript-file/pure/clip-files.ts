/** PURE. The content of a clip's caption files, padding included; times count from the extended cut's start. */
import type { Transcript, TranscriptWord } from '../../../../server/contract/transcript.ts'
import { toSrt, toWebVtt } from './caption-files.ts'
import { regroup } from './regroup.ts'
import { omitUndefined } from '../../../../server/contract/omit-undefined.ts'

export interface ClipFileRange {
  /** The extended range, in seconds of the source. */
  readonly start: number
  readonly end: number
  /** Whether the clip shows this moment of the source. A word belongs to the clip if its middle does. */
  readonly isVisible: (moment: number) => boolean
}

export interface ClipFiles {
  readonly json: string
  readonly srt: string
  readonly vtt: string
  /** The words in the files: those in the range that are not removed from the captions. */
  readonly words: readonly Readonly<Record<string, unknown>>[]
}

const middleOf = (word: TranscriptWord): number => (word.start + word.end) / 2

export function clipFiles(
  transcript: Pick<Transcript, 'language' | 'speakers' | 'words'>,
  range: ClipFileRange,
): ClipFiles {
  const { language, speakers } = transcript
  // A word that the edge cuts belongs to the side with most of it.
  const inside = transcript.words.filter(
    (word) => word.isDeleted !== true && middleOf(word) >= range.start && middleOf(word) < range.end,
  )
  const timed = inside.map((word) => shiftWord(word, range.start, range.end - range.start))
  const words = timed.map((word, index) => ({
    word: word.word,
    start: word.start,
    end: word.end,
    ...omitUndefined({ speaker: word.speaker }),
    /** Whether it is inside the visible cut, and not only in the padding. */
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

function shiftWord(word: TranscriptWord, by: number, length: number): TranscriptWord {
  const at = (seconds: number): number =>
    Math.round(Math.min(length, Math.max(0, seconds - by)) * 1000) / 1000
  return { ...word, start: at(word.start), end: at(word.end) }
}
