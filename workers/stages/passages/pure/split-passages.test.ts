import { expect, it } from 'vitest'
import type { TranscriptWord } from '../../../../server/contract/transcript.ts'
import { PASSAGE_WORDS, splitPassages } from './split-passages.ts'

/** Sentences of ten words, one word a second. */
const sentences = (count: number): TranscriptWord[] =>
  Array.from({ length: count * 10 }, (_, index) => ({
    word: index % 10 === 9 ? `end${(index - 9) / 10}.` : index % 10 === 0 ? 'This' : 'word',
    start: index,
    end: index + 0.8,
  }))

it('takes whole sentences of about half a minute, each passage from the middle of the one before it', () => {
  const passages = splitPassages(sentences(20))
  const perPassage = PASSAGE_WORDS / 10
  expect(passages.map(({ start }) => start)).toEqual([0, 40, 80, 120])
  expect(passages.map(({ end }) => end)).toEqual([79.8, 119.8, 159.8, 199.8])
  expect(passages[0]?.text.match(/end\d+\./g)).toHaveLength(perPassage)
  expect(passages.every(({ text }) => text.startsWith('This') && /end\d+\.$/.test(text))).toBe(true)
})

it('makes one passage of a short transcript and none of an empty one', () => {
  expect(splitPassages(sentences(1))).toMatchObject([{ start: 0, end: 9.8 }])
  expect(splitPassages([])).toEqual([])
})

it('leaves out words that were deleted', () => {
  const words = sentences(1).map((word, index) => (index === 3 ? { ...word, isDeleted: true } : word))
  expect(splitPassages(words)[0]?.text.split(' ')).toHaveLength(9)
})

it('ends with a sentence that is longer than a passage', () => {
  const words = sentences(20).map((word) => ({ ...word, word: word.word.replace('.', '') }))
  const passages = splitPassages(words)
  expect(passages[0]?.start).toBe(0)
  expect(passages.at(-1)?.end).toBe(199.8)
})
