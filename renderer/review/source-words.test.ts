import { expect, it } from 'vitest'
import { paragraphsOf, stretchesOf, wordAt, type SourceWord } from './source-words.ts'

const words = (text: string, more: (index: number) => Partial<SourceWord> = () => ({})): SourceWord[] =>
  text.split(' ').map((word, index) => ({ index, word, start: index, end: index + 0.5, ...more(index) }))

it('begins a paragraph with a new speaker, and after a pause that follows a sentence', () => {
  const spoken = words('One two. Three four five', (index) => ({
    speaker: index < 2 ? 0 : 1,
    ...(index === 4 ? { start: 9, end: 9.5 } : {}),
  }))
  expect(paragraphsOf(spoken).map(({ from, to, speaker }) => [from, to, speaker])).toEqual([
    [0, 2, 0],
    [2, 5, 1],
  ])
  expect(paragraphsOf([])).toEqual([])
})

it('begins a paragraph with the first word of a topic, and names it', () => {
  const spoken = words('aa bb cc dd ee')
  const topics = [
    { start: 0, title: 'First' },
    { start: 2.01, title: 'Second' },
    { start: 99, title: 'After the last word' },
  ]
  expect(paragraphsOf(spoken, topics).map(({ from, to, topic }) => [from, to, topic])).toEqual([
    [0, 2, 'First'],
    [2, 5, 'Second'],
  ])
})

it('ends a long paragraph at a sentence, and any at a limit', () => {
  const long = words(Array.from({ length: 400 }, (_, index) => (index === 60 ? 'end.' : 'word')).join(' '))
  expect(paragraphsOf(long).map(({ to }) => to)).toEqual([61, 211, 361, 400])
})

it('cuts a paragraph where marks begin and end, and loses no letter', () => {
  const spoken = words('aa bb cc dd')
  const [paragraph] = paragraphsOf(spoken)
  if (paragraph === undefined) throw new Error('one paragraph')
  const stretches = stretchesOf(spoken, paragraph, [{ start: 1, end: 3 }])
  expect(stretches.map(({ text, mark }) => [text, mark !== null])).toEqual([
    ['aa', false],
    [' bb cc', true],
    [' dd', false],
  ])
})

it('finds the word at a place in the text', () => {
  const spoken = words('aa bb cc dd')
  const stretch = { from: 1, to: 3, text: ' bb cc' }
  expect([0, 1, 2, 3, 4, 5, 9].map((offset) => wordAt(spoken, stretch, offset))).toEqual([
    1, 1, 1, 2, 2, 2, 2,
  ])
})

it('writes no space between words of scripts that have none', () => {
  const spoken = words('私 は 行く')
  const [paragraph] = paragraphsOf(spoken)
  if (paragraph === undefined) throw new Error('one paragraph')
  expect(stretchesOf(spoken, paragraph, []).map(({ text }) => text)).toEqual(['私は行く'])
  expect(wordAt(spoken, { from: 0, to: 3, text: '私は行く' }, 2)).toBe(2)
})
