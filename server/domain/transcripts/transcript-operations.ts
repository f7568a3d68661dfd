/**
 * PURE: corrections of a clip's words. An operation names a span of words by their text, by a range of time or by a
 * position, and puts one text in its place: the first word takes the text and the whole span's time, the others leave
 * the captions and stay where they are, so that positions never change.
 */
import { invalidRequest } from '../../contract/errors.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import { type TranscriptOperation, joinPunctuation, tokensOf, type Token } from './parse-operations.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

export interface Applied {
  readonly words: TranscriptWord[]
  /** Operations processed; one that matches nothing is processed too. */
  readonly applied: number
  /** Spans that were replaced. */
  readonly replaced: number
  /** Of those, spans whose new word the clip does not play. */
  readonly appliedToHiddenWords: number
  readonly warnings: string[]
}

/** A caption word is never longer: operations that double a text must not add up. */
export const MAX_WORD_CHARACTERS = 500

/**
 * A patch is done in one go while everybody else waits, so there is an end to it: about a second, in looks at a word of
 * about 12 ns. Twenty thousand corrections of a clip fit; a hostile patch that swaps every word back and forth does not.
 */
const MAX_EFFORT = 60_000_000
const EFFORT_OF_SPAN = 200

interface Work {
  readonly words: TranscriptWord[]
  /** Of each word as it is now; made when first needed. */
  readonly tokens: (readonly Token[] | undefined)[]
  replaced: number
  hidden: number
  effort: number
  readonly visible: (word: TranscriptWord) => boolean
}

/**
 * Applies operations in order, each to what the ones before have left. `words` is not changed. Throws INVALID_REQUEST
 * when it is more than can be done in one request.
 */
export function applyOperations(
  words: readonly TranscriptWord[],
  operations: readonly TranscriptOperation[],
  visible: (word: Pick<TranscriptWord, 'start' | 'end'>) => boolean,
): Applied {
  const work: Work = {
    words: [...words],
    tokens: Array.from({ length: words.length }, () => undefined),
    replaced: 0,
    hidden: 0,
    effort: 0,
    visible,
  }
  const warnings: string[] = []
  for (const operation of operations) {
    const before = work.replaced
    const tooLong = applyOne(work, operation)
    const name = `operations[${operation.position}]`
    if (tooLong)
      warnings.push(
        `${name} would make a word of over ${MAX_WORD_CHARACTERS} characters; it was left out there.`,
      )
    else if (work.replaced === before) warnings.push(`${name} matched no words.`)
  }
  return {
    words: work.words,
    applied: operations.length,
    replaced: work.replaced,
    appliedToHiddenWords: work.hidden,
    warnings,
  }
}

function spend(work: Work, effort: number): void {
  work.effort += effort
  if (work.effort > MAX_EFFORT)
    throw invalidRequest('operations', 'These operations are too much for one request; send them in several.')
}

/** Returns whether a text was too long for its word. */
function applyOne(work: Work, operation: TranscriptOperation): boolean {
  if (operation.by !== 'index') spend(work, work.words.length)
  switch (operation.by) {
    case 'text':
      return replaceText(work, operation)
    case 'time': {
      const { start, end, to } = operation
      const inside = work.words.flatMap((word, index) =>
        word.isDeleted !== true && word.start < end && word.end > start ? [index] : [],
      )
      return collapse(work, inside, to)
    }
    case 'index': {
      const word = work.words[operation.index]
      // A word that was removed comes back when it is given a text; there is nothing more to remove of it.
      if (word === undefined || (word.isDeleted === true && operation.to === '')) return false
      return collapse(work, [operation.index], operation.to)
    }
  }
}

/** Puts `text` in the place of the words at these positions; an empty text removes them. */
function collapse(work: Work, indices: readonly number[], text: string): boolean {
  const [first] = indices
  const span = indices.flatMap((index) => work.words[index] ?? [])
  const [head] = span
  if (first === undefined || head === undefined) return false
  if (text.length > MAX_WORD_CHARACTERS) return true
  spend(work, EFFORT_OF_SPAN * indices.length)
  const start = span.reduce((least, word) => Math.min(least, word.start), head.start)
  const end = span.reduce((most, word) => Math.max(most, word.end), head.end)
  for (const index of text === '' ? indices : indices.slice(1)) {
    const word = work.words[index]
    if (word !== undefined) work.words[index] = { ...word, isDeleted: true }
  }
  const landed: TranscriptWord = {
    word: text,
    start,
    end,
    ...omitUndefined({ speaker: head.speaker }),
    ...(span.at(-1)?.endsCue === true ? { endsCue: true } : {}),
  }
  if (text !== '') work.words[first] = landed
  work.tokens[first] = undefined
  work.replaced += 1
  if (!work.visible(landed)) work.hidden += 1
  return false
}

interface Place {
  readonly word: number
  readonly token: number
}

/** First and last place of what was found, both inside. */
interface Match {
  readonly first: Place
  readonly last: Place
}

function replaceText(
  work: Work,
  operation: { from: readonly Token[]; to: string; matchCase: boolean },
): boolean {
  const { from, to, matchCase } = operation
  const [wanted] = from
  if (wanted === undefined) return false
  const same = (a: Token, b: Token): boolean => (matchCase ? a.core === b.core : a.folded === b.folded)
  const inserted = tokensOf(to).length
  let tooLong = false
  for (let word = 0; word < work.words.length; word++) {
    for (let token = 0; ; token++) {
      const here = liveTokens(work, word)?.[token]
      if (here === undefined) break
      if (!same(here, wanted)) continue
      const match = matchAt(work, { word, token }, from, same)
      if (match === null) continue
      if (replaceMatch(work, match, to)) tooLong = true
      // What was put in is not looked at again.
      else token += inserted - 1
    }
  }
  return tooLong
}

/** The tokens of a word that is not deleted. */
function liveTokens(work: Work, index: number): readonly Token[] | undefined {
  const word = work.words[index]
  if (word === undefined || word.isDeleted === true) return undefined
  return (work.tokens[index] ??= tokensOf(word.word))
}

/** A deleted word ends the search: nothing is found across it. */
function matchAt(
  work: Work,
  first: Place,
  from: readonly Token[],
  same: (a: Token, b: Token) => boolean,
): Match | null {
  let place = first
  for (const [position, wanted] of from.entries()) {
    if (position > 0) place = { word: place.word, token: place.token + 1 }
    if (liveTokens(work, place.word)?.[place.token] === undefined) place = { word: place.word + 1, token: 0 }
    const found = liveTokens(work, place.word)?.[place.token]
    if (found === undefined || !same(found, wanted)) return null
  }
  return { first, last: place }
}

/** The text that was found is replaced; what else its first and last word hold stays. */
function replaceMatch(work: Work, { first, last }: Match, to: string): boolean {
  const head = liveTokens(work, first.word) ?? []
  const tail = liveTokens(work, last.word) ?? []
  const middle =
    to === '' ? '' : joinPunctuation(head[first.token]?.lead ?? '', to, tail[last.token]?.trail ?? '')
  // The tokens of what stays are known; reading the whole text again for each find would be slow in a long one.
  const tokens = [...head.slice(0, first.token), ...tokensOf(middle), ...tail.slice(last.token + 1)]
  const text = tokens.map((token) => token.text).join(' ')
  const indices = Array.from({ length: last.word - first.word + 1 }, (_, offset) => first.word + offset)
  const tooLong = collapse(work, indices, text)
  if (!tooLong) work.tokens[first.word] = tokens
  return tooLong
}
