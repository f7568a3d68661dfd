import { describe, expect, it } from 'vitest'
import { bare, endsInMark, endsSentence, gapBetween, undrawn } from './spoken-text.ts'

it.each([
  ['“Hello,”', 'hello'],
  ['DON’T', "don't"],
  ["rock'n'roll!", "rock'n'roll"],
  ['—¿Qué?—', 'qué'],
  ['cafe\u0301', 'café'],
  ['50%', '50'],
  ['e-mail', 'e-mail'],
  ['...', ''],
  ['', ''],
])('%s is compared as "%s"', (text, expected) => expect(bare(text)).toBe(expected))

it.each([
  ['ummm', 'um'],
  ['aaahhh', 'ah'],
  ['book', 'bok'],
  ['1000', '1000'],
])('%s without drawn-out letters is %s', (text, expected) => expect(undrawn(text)).toBe(expected))

describe('marks', () => {
  it.each([
    'end.',
    'end!',
    'end?',
    'end…',
    '終。',
    '終！',
    '終？',
    'end."',
    'end.”)',
    'end!’»',
    'end?]',
    "end.'",
  ])('%s ends a sentence', (text) => {
    expect(endsSentence(text)).toBe(true)
    expect(endsInMark(text)).toBe(true)
  })
  it.each(['so,', 'so;', 'so:', 'so–', 'so—', 'so-', 'so,"', 'so—”', 'so:)', '東、', '東，'])(
    '%s is set off, and no end',
    (text) => {
      expect(endsSentence(text)).toBe(false)
      expect(endsInMark(text)).toBe(true)
    },
  )
  it.each(['end', '3.5', 'a.b', 'no,no', '."x', ''])('%s is neither', (text) => {
    expect(endsSentence(text)).toBe(false)
    expect(endsInMark(text)).toBe(false)
  })
})

it('measures the pause between two words, none where they overlap', () => {
  const word = (start: number, end: number) => ({ word: 'x', start, end })
  expect(gapBetween(word(1, 2), word(2.5, 3))).toBe(0.5)
  expect(gapBetween(word(1, 2), word(1.5, 3))).toBe(0)
})
