/** The words of a source as paragraphs to read, and places in their text as words. PURE. */
import { joinsWithoutSpace } from '../../server/contract/join-words.ts'
import type { ReviewTranscript } from '../../server/contract/review.ts'

export type SourceWord = ReviewTranscript['words'][number]

/** Words `from` to before `to`. */
export interface Paragraph {
  readonly from: number
  readonly to: number
  readonly start: number
  readonly end: number
  readonly speaker: number | null
  /** The topic that begins with it; null: none does. */
  readonly topic: string | null
}

/** Seconds of the source. */
interface TopicStart {
  readonly start: number
  readonly title: string
}

/** A pause of so many seconds ends a paragraph. */
const PAUSE_SECONDS = 1.5
/** From so many words on, the end of a sentence ends a paragraph; and any word at three times as many. */
const LONG = 50

const SENTENCE_END = /[.!?…。！？؟।]["'”’»)\]]*$/u

/** Paragraphs in order: a new one with a new topic or speaker, after a pause, and where one becomes long. */
export function paragraphsOf(words: readonly SourceWord[], topics: readonly TopicStart[] = []): Paragraph[] {
  const paragraphs: Paragraph[] = []
  const begins = topicsByWord(words, topics)
  let from = 0
  for (const [index, word] of words.entries()) {
    const next = words[index + 1]
    const count = index + 1 - from
    const ends =
      next === undefined ||
      begins.has(index + 1) ||
      next.speaker !== word.speaker ||
      (next.start - word.end >= PAUSE_SECONDS && SENTENCE_END.test(word.word)) ||
      (count >= LONG && SENTENCE_END.test(word.word)) ||
      count >= 3 * LONG
    if (!ends) continue
    const start = words[from]?.start ?? word.start
    const topic = begins.get(from) ?? null
    paragraphs.push({ from, to: index + 1, start, end: word.end, speaker: word.speaker ?? null, topic })
    from = index + 1
  }
  return paragraphs
}

/** Titles by the word with which a topic begins: the first whose middle is in it. Of topics without a word, the last one. */
function topicsByWord(
  words: readonly SourceWord[],
  topics: readonly TopicStart[],
): ReadonlyMap<number, string> {
  const begins = new Map<number, string>()
  let index = 0
  for (const { start, title } of topics) {
    while (index < words.length && middleOf(words[index]) < start) index += 1
    if (index < words.length) begins.set(index, title)
  }
  return begins
}

const middleOf = (word: SourceWord | undefined): number =>
  word === undefined ? 0 : (word.start + word.end) / 2

/** A stretch of a paragraph that is marked alike: its words and their text. */
export interface Stretch<Mark> {
  readonly from: number
  readonly to: number
  readonly text: string
  readonly mark: Mark | null
}

/** The separator before a word. */
const gapBefore = (words: readonly SourceWord[], index: number): string => {
  const before = words[index - 1]
  const word = words[index]
  if (before === undefined || word === undefined) return ''
  return joinsWithoutSpace(before.word, word.word) ? '' : ' '
}

const textOf = (words: readonly SourceWord[], from: number, to: number): string => {
  let text = ''
  for (let index = from; index < to; index += 1)
    text += (index === from ? '' : gapBefore(words, index)) + (words[index]?.word ?? '')
  return text
}

interface Marked {
  readonly start: number
  readonly end: number
}

/** The paragraph in stretches; a word has the first mark whose range has its middle. The space before one is its own. */
export function stretchesOf<Mark extends Marked>(
  words: readonly SourceWord[],
  { from, to, start, end }: Paragraph,
  marks: readonly Mark[],
): Stretch<Mark>[] {
  const near = marks.filter((mark) => mark.start < end && mark.end > start)
  const stretches: Stretch<Mark>[] = []
  let first = from
  const markAt = (index: number): Mark | null => {
    const word = words[index]
    if (word === undefined) return null
    const middle = middleOf(word)
    return near.find((mark) => mark.start <= middle && middle < mark.end) ?? null
  }
  for (let index = from; index < to; index += 1) {
    const mark = markAt(index)
    if (index + 1 < to && markAt(index + 1) === mark) continue
    const text = (first === from ? '' : gapBefore(words, first)) + textOf(words, first, index + 1)
    stretches.push({ from: first, to: index + 1, text, mark })
    first = index + 1
  }
  return stretches
}

/** The word at a place in the text of a stretch. */
export function wordAt(
  words: readonly SourceWord[],
  { from, to, text }: Pick<Stretch<unknown>, 'from' | 'to' | 'text'>,
  offset: number,
): number {
  const lead = text.length - textOf(words, from, to).length
  let at = lead
  for (let index = from; index < to; index += 1) {
    at += (index === from ? '' : gapBefore(words, index)).length + (words[index]?.word.length ?? 0)
    if (offset < at) return index
  }
  return to - 1
}
