/** PURE. Words as terms: bare form, stem, numbers. */
import { isUnspacedLetter } from '../../../../server/contract/join-words.ts'
import { NUMBER_WORDS, STOP_WORDS, FIRST_NAMES } from './word-lists.ts'
import type { Sentence } from './sentences.ts'

/** Lower case without surrounding punctuation; apostrophes inside stay. */
export function bare(word: string): string {
  return word
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}%]+$/gu, '')
}

/** A simple stem: removes plural, possessive and the most common endings, so that forms of a word match. */
export function stem(word: string): string {
  let base = word.replace(/'s$|'$/, '')
  if (base.length > 4)
    base = base
      .replace(/(?<=[^aeiou])ies$/, 'y')
      .replace(/sses$/, 'ss')
      .replace(/(?<=(ch|sh|x|z))es$/, '')
  if (base.length > 3) base = base.replace(/(?<=[^su])s$/, '')
  if (base.length > 5)
    base = base
      .replace(/(?<=[a-z]{3})ing$/, '')
      .replace(/(?<=[a-z]{3})ed$/, '')
      .replace(/(?<=[a-z]{4})ly$/, '')
  // running, stopped: the doubled letter belongs to the ending; store, stored: the e was removed.
  return base.replace(/([bdgmnprt])\1$/, '$1').replace(/(?<=[a-z]{3})e$/, '')
}

const SEGMENTER = new Intl.Segmenter('ja', { granularity: 'word' })

/** The words of a text with their punctuation; by dictionary for scripts without spaces. */
export function wordsIn(text: string): string[] {
  const spaced = text.split(' ')
  if (!isUnspacedLetter(text)) return spaced
  return spaced.flatMap((part) => {
    if (!isUnspacedLetter(part)) return [part]
    const words: string[] = []
    for (const { segment, isWordLike } of SEGMENTER.segment(part)) {
      if (isWordLike === true || words.length === 0) words.push(segment)
      else words[words.length - 1] += segment
    }
    return words
  })
}

/** Whether the word says something about the topic. */
export function isContent(bareWord: string): boolean {
  const shortest = isUnspacedLetter(bareWord) ? 2 : 3
  return bareWord.length >= shortest && !STOP_WORDS.has(bareWord) && !/^\d+$/.test(bareWord)
}

export function isFigure(bareWord: string): boolean {
  return /\d/.test(bareWord) || NUMBER_WORDS.has(bareWord)
}

/** Shortens text to `length` characters at a word boundary, with an ellipsis. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text
  const cut = text.slice(0, length - 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), length >> 1)).replace(/[\s,;:.–—-]+$/, '')}…`
}

/** Inverse document frequency over passages of eight sentences, at least 0.3. */
export function termWeights(sentences: readonly (readonly string[])[]): Map<string, number> {
  const size = 8
  const passages = Math.max(1, Math.ceil(sentences.length / size))
  const seen = new Map<string, number>()
  for (let passage = 0; passage < passages; passage += 1) {
    const terms = new Set(sentences.slice(passage * size, (passage + 1) * size).flat())
    for (const term of terms) seen.set(term, (seen.get(term) ?? 0) + 1)
  }
  return new Map(
    [...seen].map(([term, count]) => [term, Math.max(0.3, Math.log((passages + 1) / (count + 0.5)))]),
  )
}

/** Verbs, adverbs and similar words are poor keywords. */
const POOR =
  /(ly|ing|ed|n't|ould)$|^(stay|fix|built|build|walk|walks|ask|asks|turn|turns|run|runs|came|stood|stand|check|cost|costs|charg|belong|throw|threw|painted|work|works|need|needs|found|find|call|called|happen|happens|feel|felt|start|started|stop|help|keep|kept|left|leave|bring|brought|show|tried|try|open|late|fine|true|real|whole|worth|together|enough|away|around|almost|already|else|soon|later|sure|able|small|large|cheap|wrong|doubled|bought|said|write|visit|other|others|mind|year|years|minute|minutes|week|weeks|morning|hour|hours|number|numbers)$/

export interface KeywordFacts {
  readonly idf: ReadonlyMap<string, number>
  readonly names: readonly string[]
}

/** Up to `count` keywords of these sentences: the heaviest noun-like words and pairs, best first. */
export function keywordsOf(sentences: readonly Sentence[], facts: KeywordFacts, count: number): string[] {
  const nameWords = new Set(facts.names.flatMap((name) => name.toLowerCase().split(' ')))
  const found = new Map<string, { weight: number; forms: Map<string, number> }>()
  const add = (key: string, form: string, weight: number): void => {
    const entry = found.get(key) ?? { weight: 0, forms: new Map<string, number>() }
    entry.weight += weight
    entry.forms.set(form, (entry.forms.get(form) ?? 0) + 1)
    found.set(key, entry)
  }
  for (const sentence of sentences) {
    const words = wordsIn(sentence.text)
    words.forEach((written, index) => {
      const word = bare(written)
      if (!isKeyword(word, nameWords)) return
      const before = bare(words[index - 1] ?? '')
      const led = /^(a|an|the|my|your|his|her|our|their|this|that|every|each|of)$/.test(before) ? 1.5 : 1
      add(stem(word), word, (facts.idf.get(stem(word)) ?? 1) * led)
      const next = bare(words[index + 1] ?? '')
      if (/[.,;:!?]$/.test(written) || !isKeyword(next, nameWords) || (led === 1 && !/s$/.test(next))) return
      add(
        `${stem(word)} ${stem(next)}`,
        `${word} ${next}`,
        ((facts.idf.get(stem(word)) ?? 1) + (facts.idf.get(stem(next)) ?? 1)) * 0.8,
      )
    })
  }
  return bestForms(found, count)
}

function isKeyword(word: string, names: ReadonlySet<string>): boolean {
  return (
    isContent(word) &&
    !isFigure(word) &&
    !word.includes("'") &&
    (word.length > 3 || isUnspacedLetter(word)) &&
    !POOR.test(word) &&
    !names.has(word) &&
    !FIRST_NAMES.has(word)
  )
}

function bestForms(
  found: ReadonlyMap<string, { weight: number; forms: Map<string, number> }>,
  count: number,
): string[] {
  const ranked = [...found].sort((a, b) => b[1].weight - a[1].weight || (a[0] < b[0] ? -1 : 1))
  const chosen: string[] = []
  const used = new Set<string>()
  for (const [key, { forms }] of ranked) {
    if (chosen.length >= count) break
    const parts = key.split(' ')
    if (parts.some((part) => used.has(part))) continue
    for (const part of parts) used.add(part)
    chosen.push([...forms].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? key)
  }
  return chosen
}
