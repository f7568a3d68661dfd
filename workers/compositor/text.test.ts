import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyCase, balancedBreaks, directionOf } from './text.ts'

const gaps = (count: number): number[] => Array.from({ length: count }, () => 10)

describe('balancedBreaks', () => {
  it.each([
    ['one line when it fits', [50, 50], 200, [0]],
    ['as few lines as it takes', [60, 60, 60, 60], 140, [0, 2]],
    ['alike rather than greedy', [80, 80, 80, 20], 260, [0, 2]],
    ['a wide word alone', [300, 40, 40], 200, [0, 1]],
    ['nothing for nothing', [], 200, [0]],
  ])('%s', (_name, widths, limit, expected) => {
    expect(balancedBreaks(widths, gaps(widths.length), limit)).toEqual(expected)
  })

  it('breaks rather after punctuation', () => {
    const widths = [50, 50, 50, 50, 50]
    expect(balancedBreaks(widths, gaps(5), 185)).toEqual([0, 3])
    expect(balancedBreaks(widths, gaps(5), 185, [false, true, false, false, false])).toEqual([0, 2])
  })

  it('never makes a line wider than the limit, nor more lines than greedy', () => {
    const words = fc.array(fc.integer({ min: 5, max: 120 }), { minLength: 1, maxLength: 14 })
    fc.assert(
      fc.property(words, fc.integer({ min: 120, max: 400 }), (widths, limit) => {
        const breaks = balancedBreaks(widths, gaps(widths.length), limit)
        breaks.forEach((from, line) => {
          const own = widths.slice(from, breaks[line + 1])
          expect(own.length).toBeGreaterThan(0)
          expect(own.reduce((sum, width) => sum + width + 10, -10)).toBeLessThanOrEqual(limit)
        })
        let lines = 0
        let used = Infinity
        for (const width of widths) {
          if (used + 10 + width > limit) [lines, used] = [lines + 1, width]
          else used += 10 + width
        }
        expect(breaks).toHaveLength(lines)
      }),
    )
  })
})

describe('applyCase', () => {
  it.each([
    ['upper', 'straße und łódź', 'STRASSE UND ŁÓDŹ'],
    ['lower', 'ÅNGSTRÖM', 'ångström'],
    ['title', "don't stop BELIEVING", "Don't Stop Believing"],
    ['none', 'As Is', 'As Is'],
  ] as const)('%s', (textCase, given, expected) => {
    expect(applyCase(given, textCase)).toBe(expected)
  })
})

describe('directionOf', () => {
  it.each([
    ['hello', 'ltr'],
    ['123 مرحبا hello', 'rtl'],
    ['«שלום»', 'rtl'],
    ['42 %', null],
    ['日本', 'ltr'],
  ])('%s', (text, expected) => {
    expect(directionOf(text)).toBe(expected)
  })
})
