import { describe, expect, it } from 'vitest'
import { spoken } from '../../../test/support/node-values.ts'
import { findPhrase, nearestPhrase, sentencesOf, type WordSpan } from './phrases.ts'

const show = ({ first, last }: WordSpan) => `${first}-${last}`

describe('a phrase is found', () => {
  it.each([
    ['everywhere that it is said', 'so we go and so we stay', 'so we', '0-1 4-5'],
    ['whatever its case and marks', '“So, WE” go', 'so we!', '0-1'],
    ['once where it would overlap itself', 'go go go go go', 'go go', '0-1 2-3'],
    ['as one word', 'we go', 'go', '1-1'],
    ['at the very end', 'a b c', 'b c', '1-2'],
    ['as the whole', 'a b', 'a b', '0-1'],
    ['not beyond the end', 'a b', 'b c', ''],
    ['not when longer than all that is said', 'a', 'a b', ''],
    ['not in another order', 'b a', 'a b', ''],
    ['within a hyphenated word', 'a well-known man', 'known man', '1-2'],
    ['across marks that are no words', 'a - b', 'a b', '0-2'],
    ['not where nothing is looked for', 'a b', ' … ', ''],
    ['not where nothing is said', '', 'a', ''],
  ])('%s: "%s", "%s"', (_, text, phrase, expected) =>
    expect(findPhrase(spoken(text), phrase).map(show).join(' ')).toBe(expected),
  )

  it('within a word that was corrected to several', () =>
    expect(findPhrase([{ word: 'we' }, { word: 'go there' }, { word: 'now' }], 'there now')).toEqual([
      { first: 1, last: 2 },
    ]))
})

describe('the phrase that is most like', () => {
  it.each([
    ['is exact where it can be', 'so we go there now', 'we go there', '1-3 1.000'],
    ['may be misspelt', 'so we repair bicycles here', 'repare bicicles', '2-3 0.771'],
    ['may lack a word', 'so we quickly repair old bicycles here', 'repair bicycles here', '3-6 0.857'],
    ['may have a word too many', 'so we repair bicycles here', 'repair all bicycles', '2-3 0.800'],
    ['may begin with another word', 'so we repair bicycles here', 'you repair bicycles', '2-3 0.800'],
    ['may begin with two other words', 'so we repair bicycles here', 'oh you repair bicycles', '2-4 0.571'],
    ['may not begin with three', 'so we repair bicycles here', 'oh my dear repair', null],
    ['is the first of equals', 'go there and go there', 'go there', '0-1 1.000'],
    ['is the better of two', 'go their and go there', 'go there', '3-4 1.000'],
    ['is none where words are alike by half only', 'mouse', 'house party tonight', null],
    ['is none where words differ', 'one two three', 'alpha beta', null],
    ['is none of words of very different length', 'a', 'abc', null],
    ['is none where nothing is said', '', 'house', null],
    ['is none of nothing', 'house', '', null],
    ['is the nearest of one word', 'a house', 'mouse', '1-1 0.800'],
    ['is none of a word of which 0.6 does not fit', 'abxyz', 'abcde', null],
    ['is that of a word of which 0.6 fits', 'abcyz', 'abcde', '0-0 0.600'],
    ['runs to the last word', 'we go far', 'go far away', '1-2 0.800'],
  ])('%s: "%s", "%s"', (_, text, phrase, expected) => {
    const found = nearestPhrase(text === '' ? [] : spoken(text), phrase)
    expect(found && `${show(found.span)} ${found.likeness.toFixed(3)}`).toEqual(expected)
  })

  it('looks at forty words of what is asked for', () => {
    const text = Array.from({ length: 45 }, (_, at) => `word${at}`).join(' ')
    expect(nearestPhrase(spoken(text), text)).toEqual({ span: { first: 0, last: 39 }, likeness: 1 })
  })
})

describe('sentences', () => {
  const all = (words: readonly unknown[]) => words.map((_, at) => at)
  it.each([
    ['end with marks', 'We go. Do we? Yes', '0-1 2-3 4-4'],
    ['are one where there is one', 'We go now.', '0-2'],
    ['are one of a word', 'Go', '0-0'],
  ])('%s: %s', (_, text, expected) => {
    const words = spoken(text)
    expect(sentencesOf(words, all(words)).map(show).join(' ')).toBe(expected)
  })

  it('end with pauses of 0.6 s where nothing is marked', () => {
    const word = (start: number, text = 'x') => ({ word: text, start, end: start + 0.5 })
    const words = [word(0), word(1.1), word(2.15), word(3.25)]
    expect(sentencesOf(words, all(words)).map(show)).toEqual(['0-0', '1-2', '3-3'])
    const ending = [...words.slice(0, 3), word(3.25, 'x.')]
    expect(sentencesOf(ending, all(ending)).map(show)).toEqual(['0-0', '1-2', '3-3'])
    const marked = [word(0, 'x.'), ...words.slice(1)]
    expect(sentencesOf(marked, all(marked)).map(show)).toEqual(['0-0', '1-3'])
  })

  it('are of the words that are played', () => {
    const words = spoken('We go. Not this. Yes we do.')
    expect(sentencesOf(words, [0, 4, 5, 6]).map(show)).toEqual(['0-0', '4-6'])
    expect(sentencesOf(words, [1, 2, 4, 5]).map(show)).toEqual(['1-1', '2-5'])
    expect(sentencesOf(words, [])).toEqual([])
  })
})
