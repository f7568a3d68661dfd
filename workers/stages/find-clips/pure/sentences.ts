/** PURE. Groups words to sentences: by punctuation if there is any, otherwise by pauses and length. */
import { joinWords } from '../../../../server/contract/join-words.ts'
import type { TranscriptWord } from '../../../../server/contract/transcript.ts'
import { roundMs } from './numbers.ts'

export interface Sentence {
  /** Indexes of the first and last word. */
  readonly first: number
  readonly last: number
  readonly start: number
  readonly end: number
  readonly text: string
  /** Seconds of silence before and after, to the neighbouring words or the ends of the video. */
  readonly before: number
  readonly after: number
  readonly speaker: number | null
  /** False for a part of a longer sentence, which is used only if whole sentences cannot meet the limits. */
  readonly edgeStart: boolean
  readonly edgeEnd: boolean
}

const ABBREVIATION =
  /^(mr|mrs|ms|dr|prof|st|sr|jr|vs|etc|inc|ltd|co|corp|gen|col|sgt|capt|rev|hon|approx|dept|est|fig|no|vol|e\.g|i\.e|u\.s|u\.k|a\.m|p\.m|ph\.d|[a-z])\.$/i
const TERMINAL = /[.!?…。！？؟।][)"'”’»\]」』）]*$/u
const MAX_WORDS = 45
/** Without punctuation: a pause of this many seconds ends a sentence. */
const PAUSE_END = 0.55
const LONG_PAUSE = 2

/** Whether the words have sentence punctuation (captions do, the output of speech models may not). */
export function isPunctuated(words: readonly TranscriptWord[]): boolean {
  const ends = words.filter((word) => TERMINAL.test(word.word)).length
  return ends * 60 >= words.length
}

/** Sentences in order; every word belongs to exactly one. `durationSeconds`: of the video. */
export function splitSentences(words: readonly TranscriptWord[], durationSeconds: number): Sentence[] {
  const punctuated = isPunctuated(words)
  const sentences: Sentence[] = []
  let first = 0
  for (let index = 0; index < words.length; index += 1) {
    const ends =
      index === words.length - 1 || (punctuated ? endsByMark(words, index) : endsByPause(words, first, index))
    if (!ends) continue
    sentences.push(makeSentence(words, first, index, durationSeconds, true, true))
    first = index + 1
  }
  return sentences
}

/** Parts of sentences at commas and pauses, for limits that whole sentences cannot meet. */
export function splitPhrases(words: readonly TranscriptWord[], durationSeconds: number): Sentence[] {
  const phrases: Sentence[] = []
  for (const sentence of splitSentences(words, durationSeconds)) {
    let first = sentence.first
    for (let index = first; index <= sentence.last; index += 1) {
      const last = index === sentence.last
      const breaks =
        /[,;:—–、，；：]["'”’」』]?$/.test(words[index]?.word ?? '') || gapAfter(words, index) > 0.3
      if (!last && !(breaks && index > first) && index - first < 11) continue
      phrases.push(makeSentence(words, first, index, durationSeconds, first === sentence.first, last))
      first = index + 1
    }
  }
  return phrases
}

function endsByMark(words: readonly TranscriptWord[], index: number): boolean {
  const word = words[index]?.word ?? ''
  const next = words[index + 1]
  const gap = gapAfter(words, index)
  if (gap > LONG_PAUSE || speakerChanges(words, index)) return true
  if (!TERMINAL.test(word)) return false
  if (ABBREVIATION.test(word.replace(/^[("'“‘]+/, ''))) return gap > 0.6
  // "said no. and then" is one sentence with careless punctuation: lower case without a pause continues it.
  return !/^["'“‘(]?\p{Ll}/u.test(next?.word ?? '') || gap > 0.35 || /[!?]/.test(word)
}

function endsByPause(words: readonly TranscriptWord[], first: number, index: number): boolean {
  const gap = gapAfter(words, index)
  const length = index - first + 1
  if (speakerChanges(words, index) || gap >= PAUSE_END) return true
  if (TERMINAL.test(words[index]?.word ?? '')) return true
  // The longer the sentence, the shorter the pause that ends it.
  return (length > 20 && gap > 0.3) || (length > 32 && gap > 0.15) || length >= MAX_WORDS
}

function speakerChanges(words: readonly TranscriptWord[], index: number): boolean {
  const here = words[index]?.speaker
  const next = words[index + 1]?.speaker
  return here !== undefined && next !== undefined && here !== next
}

function gapAfter(words: readonly TranscriptWord[], index: number): number {
  const next = words[index + 1]
  return next === undefined ? 0 : Math.max(0, next.start - (words[index]?.end ?? 0))
}

function makeSentence(
  words: readonly TranscriptWord[],
  first: number,
  last: number,
  durationSeconds: number,
  edgeStart: boolean,
  edgeEnd: boolean,
): Sentence {
  const head = words[first]
  const tail = words[last]
  const start = head?.start ?? 0
  const end = Math.max(start, tail?.end ?? start)
  return {
    first,
    last,
    start,
    end,
    text: joinWords(words.slice(first, last + 1).map((word) => word.word)),
    before: Math.max(0, start - (words[first - 1]?.end ?? 0)),
    after: Math.max(0, (words[last + 1]?.start ?? Math.max(end, durationSeconds)) - end),
    speaker: head?.speaker ?? null,
    edgeStart,
    edgeEnd,
  }
}

const LEAD_SECONDS = 0.12
const TAIL_SECONDS = 0.25

/** Where a clip starts that begins with this sentence: slightly before its first word. */
export function startBefore(sentence: Sentence): number {
  return roundMs(Math.max(0, sentence.start - Math.min(LEAD_SECONDS, sentence.before / 2)))
}

/** Where a clip ends that ends with this sentence: slightly after its last word, with space left for the next one. */
export function endAfter(sentence: Sentence): number {
  const space = sentence.after > 0.4 ? sentence.after - 0.15 : sentence.after * 0.6
  return roundMs(sentence.end + Math.min(TAIL_SECONDS, space))
}
