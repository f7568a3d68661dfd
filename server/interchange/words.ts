/** The words of the clip as it is heard: what was cut out is not there, masked words are masked. PURE. */
import {
  regroup,
  toSrt,
  toWebVtt,
  type FileCue,
} from '../../workers/stages/transcript-file/pure/clip-files.ts'
import type { Rational } from '../contract/time.ts'

/** A word on the output's frames, end exclusive. */
export interface EditedWord {
  readonly text: string
  readonly startFrame: number
  readonly endFrame: number
  readonly speaker: number
  /** No space before the next one. */
  readonly joinsNext: boolean
}

export interface EditedTranscript {
  readonly title: string
  /** BCP 47, `und` where it is not known. */
  readonly language: string
  readonly rate: Rational
  readonly durationFrames: number
  readonly words: readonly EditedWord[]
  /** By number; empty where nobody knows who is who. */
  readonly speakers: readonly string[]
}

/** Words that are written without a space between them are one to a caption file, so that no space gets in. */
function joined({ rate, words }: EditedTranscript) {
  const whole: { word: string; start: number; end: number; speaker: number; joinsNext: boolean }[] = []
  for (const { text, startFrame, endFrame, speaker, joinsNext } of words) {
    const end = secondsOf(endFrame, rate)
    const last = whole.at(-1)
    if (last?.joinsNext && last.speaker === speaker) {
      last.word += text
      last.end = end
      last.joinsNext = joinsNext
    } else whole.push({ word: text, start: secondsOf(startFrame, rate), end, speaker, joinsNext })
  }
  return whole
}

/** To the millisecond. */
function secondsOf(frame: number, { numerator, denominator }: Rational): number {
  return Math.round((frame * denominator * 1000) / numerator) / 1000
}

export function writeSrt(transcript: EditedTranscript): string {
  return toSrt(captionCues(transcript))
}

export function writeVtt(transcript: EditedTranscript): string {
  const several = transcript.speakers.length > 1
  const cues = captionCues(transcript).map((cue) => ({ ...cue, speaker: several ? cue.speaker : null }))
  return toWebVtt(cues, transcript.language, transcript.speakers)
}

/** Captions of two lines at most, in seconds. */
export const captionCues = (transcript: EditedTranscript): FileCue[] => regroup(joined(transcript))

export interface Paragraph {
  readonly speaker: number
  readonly text: string
  /** Seconds. */
  readonly start: number
  readonly end: number
}

/** One for each speaker's turn and after each long pause. */
export function paragraphsOf(transcript: EditedTranscript): Paragraph[] {
  const paragraphs: { speaker: number; text: string; start: number; end: number }[] = []
  for (const { word, speaker, start, end } of joined(transcript)) {
    const last = paragraphs.at(-1)
    if (last?.speaker === speaker && start - last.end <= PARAGRAPH_PAUSE) {
      last.text += ` ${word}`
      last.end = end
    } else paragraphs.push({ speaker, text: word, start, end })
  }
  return paragraphs
}

/** Sentences, paragraph by paragraph. */
export function writeTxt(transcript: EditedTranscript): string {
  const paragraphs = paragraphsOf(transcript)
  return paragraphs.map(({ speaker, text }) => `${speakerPrefix(transcript, speaker)}${text}\n`).join('\n')
}

/** `Ada: ` before what somebody says; empty where one person speaks, or nobody knows who. */
export function speakerPrefix({ speakers }: Pick<EditedTranscript, 'speakers'>, speaker: number): string {
  return speakers.length > 1 ? `${speakers[speaker] ?? `Speaker ${speaker + 1}`}: ` : ''
}

/** Seconds without a word after which a new paragraph starts. */
const PARAGRAPH_PAUSE = 2

export function writeWordJson(transcript: EditedTranscript): string {
  const { title, language, rate, durationFrames, words, speakers } = transcript
  const document = {
    title,
    language,
    frameRate: rate,
    durationFrames,
    durationSeconds: secondsOf(durationFrames, rate),
    ...(speakers.length === 0 ? {} : { speakers }),
    words: words.map(({ text, startFrame, endFrame, speaker, joinsNext }) => ({
      word: text,
      start: secondsOf(startFrame, rate),
      end: secondsOf(endFrame, rate),
      startFrame,
      endFrame,
      speaker,
      ...(joinsNext ? { joinsNext } : {}),
    })),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}
