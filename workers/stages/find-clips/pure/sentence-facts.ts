/** PURE. What a sentence says of itself and of its place: the facts from which stories are recognised, in any language. */
import type { SoundEvent } from '../../../../server/contract/source-facts.ts'
import type { LanguagePatterns } from './languages.ts'
import type { Sentence } from './sentences.ts'
import { bare, wordsIn } from './text-tools.ts'
import { countMatches, plainText } from './word-patterns.ts'

export interface SentenceFacts {
  readonly words: number
  /** The speaker, where short replies in between do not count; null where speakers are not known. */
  readonly voice: number | null
  readonly changes: boolean
  readonly question: boolean
  readonly leaning: boolean
  readonly opening: boolean
  readonly saying: number
  readonly past: number
  readonly first: number
  readonly second: number
  readonly negation: number
  readonly contrast: number
  readonly reason: number
  readonly strong: number
  readonly feeling: number
  readonly family: number
  readonly announcement: boolean
  readonly point: boolean
  readonly number: number
  readonly name: number
  readonly housekeeping: number
  readonly reaction: boolean
  readonly filler: number
  readonly unfinished: boolean
  /** Seconds of laughter, applause or cheering that begin at its last words or in the pause after it. */
  readonly reacted: number
  readonly terms: ReadonlySet<string>
}

export function factsOf(
  sentences: readonly Sentence[],
  patterns: LanguagePatterns | null,
  events: readonly SoundEvent[],
): SentenceFacts[] {
  const plain = sentences.map(({ text }) =>
    wordsIn(text)
      .map(bare)
      .filter((word) => word !== ''),
  )
  const common = commonWords(plain)
  const voices = mainVoices(sentences, plain)
  const capitals = capitalShare(sentences)
  return sentences.map((sentence, index) => {
    const text = plainText(sentence.text)
    const words = plain[index] ?? []
    const of = (name: keyof LanguagePatterns): number => countMatches(text, patterns?.[name])
    return {
      words: words.length,
      voice: voices[index] ?? null,
      changes: index > 0 && voices[index] !== voices[index - 1],
      question: /[?？]["'”’)」』]*$/.test(sentence.text),
      leaning: of('leaning') > 0,
      opening: of('opening') > 0,
      saying: of('saying'),
      past: of('past'),
      first: of('firstPerson'),
      second: of('secondPerson'),
      negation: of('negation'),
      contrast: of('contrast'),
      reason: of('reason'),
      strong: of('strong'),
      feeling: of('feeling'),
      family: of('family'),
      announcement: of('announcement') > 0,
      point: of('point') > 0,
      number: patterns === null ? countMatches(text, /\d\S*/gu) : of('number'),
      name: Math.max(0, inCapitals(sentence.text) - capitals * words.length),
      housekeeping: of('housekeeping'),
      reaction: of('reaction') > 0 || words.length <= 2,
      filler: of('filler'),
      unfinished: /[,;:—–-]["'”’]?$/.test(sentence.text),
      reacted: reactionAfter(sentence, events),
      terms: new Set(words.filter((word) => word.length > 2 && !common.has(word))),
    }
  })
}

/** Words in so many sentences that they say nothing of a topic, by frequency in the transcript itself. */
function commonWords(plain: readonly (readonly string[])[]): ReadonlySet<string> {
  const seen = new Map<string, number>()
  for (const words of plain) for (const word of new Set(words)) seen.set(word, (seen.get(word) ?? 0) + 1)
  const most = Math.max(6, plain.length * 0.025)
  return new Set([...seen].flatMap(([word, times]) => (times > most ? [word] : [])))
}

/** Words of a reply that is only there to show that somebody listens. */
const REPLY_WORDS = 6

/** A short turn between two longer ones of one speaker belongs to that speaker's. */
function mainVoices(
  sentences: readonly Sentence[],
  plain: readonly (readonly string[])[],
): (number | null)[] {
  const turns: { from: number; to: number; speaker: number | null; words: number }[] = []
  sentences.forEach(({ speaker }, index) => {
    const words = plain[index]?.length ?? 0
    const last = turns.at(-1)
    if (last?.speaker !== speaker) turns.push({ from: index, to: index, speaker, words })
    else {
      last.to = index
      last.words += words
    }
  })
  const voices = sentences.map(({ speaker }) => speaker)
  turns.forEach((turn, at) => {
    const before = turns[at - 1]
    const after = turns[at + 1]
    if (before === undefined || before.speaker === null || before.speaker !== after?.speaker) return
    if (turn.words > REPLY_WORDS || turn.words >= Math.min(before.words, after.words)) return
    voices.fill(before.speaker, turn.from, turn.to + 1)
  })
  return voices
}

const inCapitals = (text: string): number =>
  text.match(/(?<![.?!…]["'”’)]* )(?<=\s)\p{Lu}\p{L}{2,}/gu)?.length ?? 0

/** Share of words inside sentences that are written with a capital: high in German, where it says little. */
function capitalShare(sentences: readonly Sentence[]): number {
  const capitals = sentences.reduce((sum, { text }) => sum + inCapitals(text), 0)
  const words = sentences.reduce((sum, { first, last }) => sum + last - first + 1, 0)
  return capitals / Math.max(1, words)
}

function reactionAfter({ end, after }: Sentence, events: readonly SoundEvent[]): number {
  const heard = events.filter(
    ({ kind, start }) => kind !== 'music' && start > end - 0.7 && start < end + Math.min(after, 1.5) + 0.05,
  )
  return heard.reduce((sum, event) => sum + event.end - event.start, 0)
}
