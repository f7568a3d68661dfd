/**
 * PURE. What a line says of itself as a title, in numbers: how far it is from a clause or a noun phrase that needs nothing
 * around it, what it is about, and where it stands. The weights were learned from lines that people read (title-weights.ts).
 */
import { languageCode, type LanguagePatterns } from './languages.ts'
import { bare, stem, wordsIn } from './text-tools.ts'
import { LINE_KINDS, TITLE_LENGTH, type Line, type TextFacts } from './title-lines.ts'
import type { TitlePatterns } from './title-patterns.ts'
import type { Term } from './title-terms.ts'
import { countMatches, plainText } from './word-patterns.ts'

export interface LineContext {
  readonly facts: TextFacts
  readonly terms: ReadonlyMap<string, Term>
  readonly patterns: LanguagePatterns | null
  readonly titles: TitlePatterns | null
}

/** Somebody is called by name at the beginning or the end. */
const ADDRESSED =
  /^(?:\p{Lu}[\p{L}'’-]+ ?){1,2}, \p{L}+ |, (?:Herr |Frau |Mr\.? |Mrs\.? )?\p{Lu}[\p{Ll}]+\??$/u
/** One number each; `index`: of the line's sentence in the clip. */
export function titleInputs(line: Line & { readonly index: number }, context: LineContext): number[] {
  const words = wordsIn(line.text)
    .map(bare)
    .filter((word) => word !== '')
  return [
    ...LINE_KINDS.slice(1).map((kind) => Number(line.kind === kind)),
    ...placeInputs(line, context.facts),
    ...shapeInputs(line.text, words, context),
    ...grammarInputs(line, words, context),
  ]
}

/** Where the line's sentence stands, and whose it is. */
function placeInputs(
  { index }: { readonly index: number },
  { sentences, judged, inside }: TextFacts,
): number[] {
  const here = sentences[index]
  const last = sentences.length - 1
  const words = (of: (at: number) => boolean): number =>
    judged.reduce((sum, { wordCount }, at) => sum + (of(at) ? wordCount : 0), 0)
  const own =
    words((at) => sentences[at]?.speaker === here?.speaker) /
    Math.max(
      1,
      words(() => true),
    )
  // The place in the story, which seldom is the whole clip.
  const before = inside.slice(0, index + 1).reduce((sum, one) => sum + one, 0)
  const share =
    before /
    Math.max(
      1e-6,
      inside.reduce((sum, one) => sum + one, 0),
    )
  return [
    Number(index === 0),
    Number(index === last),
    Number(index === last - 1),
    index / Math.max(1, last),
    inside[index] ?? 0,
    inside[index + 1] ?? 0,
    (inside[index] ?? 0) * Number(share < 0.2),
    (inside[index] ?? 0) * Number(share > 0.8),
    own,
    Number(judged[index]?.logistics === true),
    Number(judged[index - 1]?.question === true),
  ]
}

/** What needs no knowledge of the language. */
function shapeInputs(text: string, words: readonly string[], { terms, facts }: LineContext): number[] {
  const weights = words
    .map((word) => terms.get(stem(word)))
    .flatMap((term) => (term === undefined ? [] : [term.weight]))
    .toSorted((a, b) => b - a)
  const isGerman = languageCode(facts.language) === 'de'
  const names = isGerman ? 0 : (text.match(/(?<=\p{L},? )\p{Lu}\p{Ll}+/gu)?.length ?? 0)
  const rarity = (word: string | undefined): number => facts.idf.get(stem(word ?? '')) ?? 0
  return [
    weights.reduce((sum, weight, at) => sum + weight * 0.8 ** at, 0),
    weights[0] ?? 0,
    weights.length / Math.max(1, words.length),
    Number(words.length < 4),
    Number(words.length === 4),
    Number(words.length > 11),
    text.length / TITLE_LENGTH,
    Math.min(2, names),
    Number(/\d/.test(text)),
    Number(text.endsWith('?')),
    Math.min(3, text.split(/[,;:]/).length - 1),
    Number(/^[^,]{1,12},/.test(text)),
    Math.min(2, rarity(words[0])),
    Math.min(2, rarity(words.at(-1))),
  ]
}

/** What the closed classes of words say; 0 in languages whose grammar is not known. */
function grammarInputs(
  { text, kind, rest, index }: Line & { readonly index: number },
  words: readonly string[],
  { titles, patterns, facts, terms }: LineContext,
): number[] {
  if (titles === null || patterns === null) return []
  const plain = plainText(tellGerman(text, facts.language)).replaceAll(titles.idiom, ' · ')
  const count = (pattern: RegExp, most = 2): number => Math.min(most, countMatches(plain, pattern))
  const first = words[0] ?? ''
  const isClause = kind !== 'phrase' && kind !== 'list'
  const hasVerb = count(titles.verb) > 0 || plain.includes('·')
  const pointsAt = plain.search(titles.pointing)
  const isSubordinate = isClause && !text.endsWith('?') && titles.subordinate.test(plain)
  const isQuestion = text.endsWith('?')
  return [
    count(titles.pointing, 3),
    Number(pointsAt >= 0 && !plain.slice(0, pointsAt).trim().includes(' ')),
    count(titles.elliptic),
    count(titles.announcing),
    Number(titles.subjectless.test(plain)),
    Number(isQuestion && !titles.asking.test(plain)),
    Number(isQuestion && titles.asking.test(plain) && index === 0),
    Number(isClause && !hasVerb),
    Number(isSubordinate),
    Number(isSubordinate && !text.includes(',')),
    Number(kind === 'clause' && patterns.leaning.test(plainText(rest))),
    ...phraseInputs(kind, words, { titles, terms }),
    Number(countMatches(first, patterns.firstPerson) > 0),
    Number(countMatches(first, patterns.firstPerson) > 0 && words.length < 7),
    Number(countMatches(first, titles.determiner) > 0),
    count(patterns.firstPerson),
    count(patterns.secondPerson),
    Number(ADDRESSED.test(text)),
    count(patterns.negation),
    count(patterns.strong),
    count(patterns.number),
    count(patterns.saying),
    count(patterns.past),
    count(patterns.contrast),
    count(patterns.reason),
    count(patterns.feeling),
    count(patterns.family),
    count(patterns.filler),
    count(patterns.housekeeping),
    Number(patterns.leaning.test(plainText(facts.sentences[index]?.text ?? ''))),
    Number(patterns.opening.test(plainText(facts.sentences[index]?.text ?? ''))),
    Number(patterns.point.test(plain)),
  ]
}

/** Of a noun phrase: whether something is attached to its noun, whether it begins with "a", what its nouns weigh. */
function phraseInputs(
  kind: Line['kind'],
  words: readonly string[],
  { titles, terms }: { readonly titles: TitlePatterns; readonly terms: LineContext['terms'] },
): number[] {
  if (kind !== 'phrase') return [0, 0, 0, 0, 0, 0]
  const attached = words.slice(2).some((word) => titles.preposition.test(word))
  const found = words.flatMap((word) => terms.get(stem(word)) ?? [])
  return [
    Number(attached),
    Number(attached && words.length > 5),
    Number(/^(?:an?|une?|un|una|eine?)$/.test(words[0] ?? '')),
    Math.max(0, ...found.map(({ times }) => Math.min(3, times - 1))),
    Math.max(0, ...found.map(({ weight }) => weight)),
    found.length,
  ]
}

/**
 * German as the patterns expect it: the polite "Sie", which differs from "she" by its capital, is left out, and "das" without a noun,
 * which has a capital too, is told from the article.
 */
function tellGerman(text: string, language: string): string {
  if (languageCode(language) !== 'de') return text
  return text
    .replaceAll(/(?<!\p{L})[Dd]as(?= \p{Ll}+(?:$|[,.?! ](?![\p{L} ]*\p{Lu})))/gu, 'dies')
    .replace(/^Das(?= \p{Ll}+ (?:ich|wir|man|[Ss]ie|er|es)(?!\p{L}))/u, 'Dies')
    .replaceAll(/(?<=\S )(Sie|Ihnen|Ihr|Ihre|Ihren)(?!\p{L})/gu, '')
}
