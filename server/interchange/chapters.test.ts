import { expect, it } from 'vitest'
import { rate } from '../../test/support/export-clip.ts'
import { writeChapters } from './chapters.ts'
import type { EditedWord } from './words.ts'

const says = (text: string, start: number, speaker: number): EditedWord[] =>
  text.split(' ').map((word, index) => ({
    text: word,
    startFrame: start * 25 + index * 5,
    endFrame: start * 25 + index * 5 + 4,
    speaker,
    joinsNext: false,
  }))
const chapters = (words: readonly EditedWord[], speakers: readonly string[] = []): string =>
  writeChapters({ title: '', language: 'en', rate: rate(25), durationFrames: 1500, words, speakers })

it('begins one at each turn, without a gap, named by its first words', () => {
  const words = [
    ...says('Why do bikes fall over & how', 2, 0),
    ...says('one two three four five six seven eight, nine', 30, 1),
  ]
  expect(chapters(words, ['Ann', 'Bo'])).toBe(
    [
      'WEBVTT\n',
      '1\n00:00:00.000 --> 00:00:30.000\nAnn: Why do bikes fall over &amp; how\n',
      '2\n00:00:30.000 --> 00:01:00.000\nBo: one two three four five six seven eight…\n',
    ].join('\n'),
  )
})

it('has none that is shorter than ten seconds', () => {
  const words = [...says('one', 0, 0), ...says('two', 8, 1), ...says('three', 20, 0), ...says('four', 55, 1)]
  expect(chapters(words).match(/-->/gu)?.length).toBe(2)
  expect(chapters([])).toBe('WEBVTT\n')
})
