import { describe, expect, it } from 'vitest'
import { parseOperations } from '../../../server/domain/transcripts/parse-operations.ts'
import { applyOperations } from '../../../server/domain/transcripts/transcript-operations.ts'
import { setRateBetween } from '../../../server/nodes/editing/cut.ts'
import { type ClipCut } from '../../../server/contract/time-map/cut.ts'
import { SAMPLE_EDIT, SAMPLE_WORDS as WORDS, sampleContext } from '../../../test/support/sample-clip.ts'
import { asText, blocksOf, listWordStates, isUnsure, wordAt } from './marks.ts'
import { findPhrase, nearestPhrase, sentencesOf } from '../../../server/nodes/editing/phrases.ts'
import { inverseOf, replaceOperations } from '../corrections.ts'
import { nameIn, speakersIn } from '../../../server/nodes/editing/speakers.ts'
import { cursesOf, cutWordsOut, fillersOf, wordsBack } from '../../../server/nodes/editing/speech-cuts.ts'

const said = ({ first, last }: { first: number; last: number }): string =>
  WORDS.slice(first, last + 1)
    .map(({ word }) => word)
    .join(' ')

describe('phrases', () => {
  it('are found without regard to marks and case, and not across other words', () => {
    expect(findPhrase(WORDS, 'THREE times').map(said)).toEqual(['three times,', 'three times'])
    expect(findPhrase(WORDS, 'the budget').map(said)).toEqual(['the budget.'])
    expect(findPhrase(WORDS, 'point budget')).toEqual([])
    expect(findPhrase(WORDS, ' … ')).toEqual([])
  })

  it('the nearest is told, with how near it is', () => {
    const nearest = nearestPhrase(WORDS, 'nobudy lisstened')
    expect(nearest === null ? '' : said(nearest.span)).toBe('nobody listened.')
    expect(nearest?.likeness).toBeGreaterThan(0.72)
    expect(nearestPhrase(WORDS, 'zebra crossing')).toBeNull()
  })

  it('sentences end at marks, else at pauses', () => {
    const all = WORDS.map((_, at) => at)
    expect(sentencesOf(WORDS, all).map(said).slice(0, 2)).toEqual([
      'Welcome to the show.',
      'I said it three times, and nobody listened.',
    ])
    const bare = WORDS.map((word) => ({ ...word, word: word.word.replaceAll(/[.,]/gu, '') }))
    expect(sentencesOf(bare, all)).toEqual(sentencesOf(WORDS, all))
  })
})

describe('marks', () => {
  it('tell what is heard, what the cut leaves out, and what a node does', () => {
    const cut: ClipCut = { startTimestamp: 10.4, endTimestamp: 30, segments: [] }
    const [first, second, third] = WORDS
    const byNodes = [{ start: third?.start ?? 0, end: third?.end ?? 0 }]
    expect(listWordStates(WORDS, cut, byNodes).slice(0, 4)).toEqual(['cut', 'kept', 'node', 'kept'])
    expect(wordAt(WORDS, (second?.start ?? 0) + 0.1)).toBe(1)
    expect(wordAt(WORDS, (first?.start ?? 0) - 1)).toBe(-1)
    expect([isUnsure({ confidence: 0.2 }), isUnsure({ confidence: 0.9 }), isUnsure({})]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('find fillers and curse words by the rules of the nodes', () => {
    const named = (found: ReadonlySet<number>) => [...found].map((at) => WORDS[at]?.word)
    const clip = { words: WORDS, language: 'en' }
    expect(named(fillersOf(clip))).toEqual(['Um,', 'You', 'know,'])
    expect(named(cursesOf(clip))).toEqual(['shit'])
  })

  it('blocks hold every word once, and end where another one speaks', () => {
    const many = Array.from({ length: 4000 }, (_, at) => ({
      index: at,
      word: at % 9 === 8 ? 'end.' : 'word',
      start: at,
      end: at + 0.5,
      isDeleted: false,
      visible: true,
      speaker: Math.floor(at / 1000),
    }))
    const blocks = blocksOf(many)
    expect(blocks.flatMap(({ first, end }) => many.slice(first, end))).toEqual(many)
    expect(Math.max(...blocks.map(({ first, end }) => end - first))).toBeLessThanOrEqual(90)
    expect(blocks.filter(({ turn }) => turn).map(({ first }) => first)).toEqual([0, 1000, 2000, 3000])
  })

  it('are text, a turn a paragraph', () => {
    const text = asText(
      WORDS,
      (at) => at > 9 && at < 15,
      (speaker) => ['Anna', 'Ben'][speaker] ?? '',
    )
    expect(text).toBe('Anna: nobody listened.\n\nBen: Um, so the')
  })
})

it('speakers are named in the order of their numbers, or numbered where the names are of others', () => {
  const words = [{ speaker: 4 }, { speaker: 1 }, {}]
  expect(speakersIn(words, ['Anna', 'Ben'])).toEqual([
    { number: 1, name: 'Anna' },
    { number: 4, name: 'Ben' },
  ])
  expect(speakersIn(words, ['Anna']).map(({ name }) => name)).toEqual(['Speaker 2', 'Speaker 5'])
  expect([1, 4, 0].map((number) => nameIn(speakersIn(words, ['Anna', 'Ben']), number))).toEqual([
    'Anna',
    'Ben',
    'Speaker 1',
  ])
})

it('a replacement keeps the marks around it, and its inverse brings every word back', () => {
  const apply = (words: typeof WORDS, operations: unknown) => {
    const done = applyOperations(words, parseOperations(operations).operations, () => true)
    return done.words.map((word, index) => ({
      ...WORDS[index],
      ...word,
      isDeleted: word.isDeleted === true,
    })) as typeof WORDS
  }
  const shown = (words: typeof WORDS) =>
    words.flatMap(({ word, isDeleted }) => (isDeleted ? [] : [word])).join(' ')
  const operations = replaceOperations(WORDS, findPhrase(WORDS, 'three times'), 'twice')
  const after = apply(WORDS, operations)
  expect(shown(after)).toContain('I said it twice, and nobody listened.')
  expect(shown(after)).toContain('You know, twice is enough.')
  expect(shown(apply(after, inverseOf(WORDS, operations)))).toBe(shown(WORDS))
  expect(shown(apply(WORDS, replaceOperations(WORDS, findPhrase(WORDS, 'Um'), '')))).not.toContain('Um')
})

it('cuts words as the node does, and leaves the cut alone where they are out already', () => {
  const context = sampleContext()
  const { cut, dropped } = cutWordsOut(SAMPLE_EDIT.cut, fillersOf(context), context)
  expect(dropped.size).toBe(3)
  expect(cutWordsOut(cut, fillersOf(context), context).cut).toBe(cut)
})

it('a stretch gets a speed of its own, and pieces stay long enough to be played', () => {
  const cut: ClipCut = { startTimestamp: 10, endTimestamp: 20, segments: [] }
  expect(setRateBetween(cut, 12, 14, 2).segments).toEqual([
    { startSeconds: 0, endSeconds: 2 },
    { startSeconds: 2, endSeconds: 4, playbackRate: 2 },
    { startSeconds: 4, endSeconds: 10 },
  ])
  expect(setRateBetween(cut, 10.05, 19.95, 2).segments).toEqual([
    { startSeconds: 0, endSeconds: 10, playbackRate: 2 },
  ])
  expect(setRateBetween(cut, 12, 14, 1)).toBe(cut)
  expect(setRateBetween(cut, 12, 12.01, 2)).toBe(cut)
})

it('words that come back at an end bring no more of the source than they need', () => {
  const [, second, third] = WORDS
  const cut: ClipCut = { startTimestamp: (third?.start ?? 0) - 0.05, endTimestamp: 20, segments: [] }
  const back = wordsBack(cut, WORDS, { first: 1, last: 1 })
  expect(back.startTimestamp).toBeGreaterThanOrEqual((second?.start ?? 0) - 0.1)
  expect(back.startTimestamp).toBeLessThanOrEqual(second?.start ?? 0)
  expect([back.endTimestamp, back.segments]).toEqual([20, []])
})
