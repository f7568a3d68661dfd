/** PURE. Words as terms: bare form, stem, numbers. */
import { isUnspacedLetter } from '../../../../server/contract/join-words.ts'
import { NUMBER_WORDS, STOP_WORDS } from './word-lists.ts'

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
