import { describe, expect, it } from 'vitest'
import { visualOrder } from './place-line.ts'
import type { Direction } from './text.ts'

/** Capitals stand for Hebrew, as in Unicode's own examples; the line from left to right. */
function shown(line: string, base: Direction): string {
  const hebrew = (word: string): string =>
    word.replace(/[A-Z]/g, (letter) => String.fromCodePoint(0x5d0 + letter.charCodeAt(0) - 65))
  const words = line.split(' ')
  return visualOrder(words.map(hebrew), base)
    .map((index) => words[index])
    .join(' ')
}

describe('visualOrder', () => {
  it.each<[string, Direction, string, string]>([
    ['one direction', 'ltr', 'a b c', 'a b c'],
    ['the other', 'rtl', 'A B C', 'C B A'],
    ['a phrase of the other direction', 'ltr', 'a B C d', 'a C B d'],
    ['a foreign phrase keeps its order', 'rtl', 'A node canvas B', 'B node canvas A'],
    ['two foreign phrases', 'rtl', 'A b c D e f', 'e f D b c A'],
    ['a number after foreign letters goes with them', 'rtl', 'A node 24 B', 'B node 24 A'],
    ['a number after own letters', 'rtl', 'A 24 B', 'B 24 A'],
    ['numbers one by one', 'rtl', 'A 10 20 B', 'B 20 10 A'],
    ['a number at the end of a phrase', 'ltr', 'a B 24', 'a 24 B'],
    ['a number first', 'rtl', '24 A', 'A 24'],
    ['signs between foreign words', 'rtl', 'A b & c D', 'D b & c A'],
    ['signs between both', 'rtl', 'A & b', 'b & A'],
    ['nothing', 'ltr', '', ''],
    ['a number in Arabic digits', 'rtl', 'A ٢٤ B', 'B ٢٤ A'],
    ['a bracket around a foreign phrase', 'rtl', 'A (b c) D', 'D (b c) A'],
    ['a date after a foreign word', 'rtl', 'A b 24/12 C', 'C b 24/12 A'],
  ])('%s (%s)', (_name, base, given, expected) => {
    expect(shown(given, base)).toBe(expected)
  })
})
