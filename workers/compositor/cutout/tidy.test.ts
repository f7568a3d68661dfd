import { describe, expect, it } from 'vitest'
import { tidyMask, tidyWithin } from './tidy.ts'

/** Rows of text: 'X' belongs to the person, 'C' as well and certainly, 'n' certainly not. */
function readMask(rows: readonly string[]): { person: Uint8Array; fixed: Uint8Array; width: number } {
  const marks = [...rows.join('')]
  return {
    person: Uint8Array.from(marks, (mark) => (mark === 'X' || mark === 'C' ? 1 : 0)),
    fixed: Uint8Array.from(marks, (mark) => (mark === 'C' ? 1 : mark === 'n' ? 2 : 0)),
    width: rows[0]!.length,
  }
}

const show = (mask: Uint8Array, width: number): string[] =>
  Array.from({ length: mask.length / width }, (_, y) =>
    [...mask.subarray(y * width, (y + 1) * width)].map((one) => (one === 1 ? 'X' : '-')).join(''),
  )

function tidied(rows: readonly string[]): string[] {
  const { person, fixed, width } = readMask(rows)
  tidyMask(person, fixed, width, rows.length)
  return show(person, width)
}

describe('pieces', () => {
  it('that are connected to a certain pixel are left, however small and however many', () => {
    expect(tidied(['XXX--C', 'XXX---', 'XXX-XC', '------', 'CX--X-'])).toEqual([
      '-----X',
      '------',
      '----XX',
      '------',
      'XX----',
    ])
  })

  it('are all removed but the largest where none is certain, the first of two alike', () => {
    expect(tidied(['XX--XX', '----XX', 'XXX---'])).toEqual(['----XX', '----XX', '------'])
    expect(tidied(['XX-X', 'n--X', 'XX-n'])).toEqual(['XX--', '----', '----'])
    expect(tidied(['---', '---'])).toEqual(['---', '---'])
  })

  it('hang together side by side, not by a corner, and not around the edge of the picture', () => {
    expect(tidied(['C-X', '-X-', 'X--'])).toEqual(['X--', '---', '---'])
    expect(tidied(['--C', 'X--'])).toEqual(['--X', '---'])
    expect(tidied(['X--', '--C'])).toEqual(['---', '--X'])
    expect(tidied(['-X', 'X-', 'XC'])).toEqual(['--', 'X-', 'XX'])
    // Through every turn.
    expect(tidied(['CXX-X', '--X-X', 'XXX-X', 'X----', 'XXXXX', '----X', 'XX-XX'])).toEqual([
      'XXX--',
      '--X--',
      'XXX--',
      'X----',
      'XXXXX',
      '----X',
      '---XX',
    ])
  })
})

/** A person that fills a picture but for these pixels. */
function filled(width: number, height: number, holes: readonly (readonly [number, number])[]): string[] {
  const rows = Array.from({ length: height }, () => Array.from({ length: width }, () => 'X'))
  for (const [x, y] of holes) rows[y]![x] = '-'
  return rows.map((row) => row.join(''))
}

describe('holes', () => {
  const whole = (width: number, height: number): string[] => filled(width, height, [])

  it('are filled up to 1.2 percent of the person', () => {
    // One of 83 pixels is more than that, one of 84 is less.
    expect(tidied(filled(12, 7, [[8, 2]]))).toEqual(filled(12, 7, [[8, 2]]))
    expect(tidied(filled(17, 5, [[8, 2]]))).toEqual(whole(17, 5))
    const two = [
      [3, 2],
      [4, 2],
    ] as const
    expect(tidied(filled(14, 12, two))).toEqual(filled(14, 12, two))
    expect(tidied(filled(13, 13, two))).toEqual(whole(13, 13))
    // Three of 250 are exactly as many.
    const three = [
      [5, 5],
      [6, 5],
      [6, 6],
    ] as const
    expect(tidied(filled(23, 11, three))).toEqual(whole(23, 11))
  })

  it('are filled each by its own size, also next to the rim, and in all corners', () => {
    const four = [
      [1, 1],
      [14, 1],
      [1, 9],
      [14, 9],
    ] as const
    expect(tidied(filled(16, 11, four))).toEqual(whole(16, 11))
  })

  it.each([
    ['left', 0, 5],
    ['right', 15, 5],
    ['top', 7, 0],
    ['bottom', 7, 10],
  ])('that reach the rim are none: %s', (_, x, y) => {
    expect(tidied(filled(16, 11, [[x, y]]))).toEqual(filled(16, 11, [[x, y]]))
    // Nor where only their end does.
    const long = [
      [x, y],
      [Math.min(14, Math.max(1, x)), Math.min(9, Math.max(1, y))],
    ] as const
    expect(tidied(filled(16, 11, long))).toEqual(filled(16, 11, long))
  })

  it('are measured against what is left of the person', () => {
    // 9 rows of 10 with a hole, and 60 loose pixels beside them.
    const rows = filled(10, 9, [[4, 4]]).map((row) => `${row.replaceAll('X', 'C')}-XXXXXX-`)
    expect(tidied(rows)[4]).toBe(`${'X'.repeat(10)}${'-'.repeat(8)}`)
    const small = filled(9, 9, [[4, 4]]).map((row) => `${row.replaceAll('X', 'C')}-XXXXXX-`)
    expect(tidied(small)[4]).toBe(`XXXX-XXXX${'-'.repeat(8)}`)
  })
})

describe('within a box', () => {
  const tidiedWithin = (
    rows: readonly string[],
    box: { x: number; y: number; width: number; height: number },
  ): string[] => {
    const { person, fixed, width } = readMask(rows)
    tidyWithin(box, person, fixed, width)
    return show(person, width)
  }

  it('a piece is removed that is connected only outside of it, and what is outside stays', () => {
    const rows = ['XXXXXX--', 'X----X--', 'X-CC-X--', 'X-CC-X--', 'X----X-X', '--------']
    expect(tidiedWithin(rows, { x: 1, y: 1, width: 6, height: 4 })).toEqual([
      'XXXXXX--',
      'X-------',
      'X-XX----',
      'X-XX----',
      'X------X',
      '--------',
    ])
  })

  it('a gap that is open to the lower edge of the picture is no hole', () => {
    const rows = filled(12, 9, [[5, 8]])
    expect(tidiedWithin(rows, { x: 0, y: 0, width: 12, height: 9 })).toEqual(rows)
  })

  it.each([
    [{ x: 0, y: 1, width: 5, height: 1 }, ['X-X-X', '--X--', 'X-X-X']],
    [{ x: 0.4, y: 0.4, width: 2.2, height: 2.2 }, ['--X-X', '--X-X', '--X-X']],
    [{ x: 0.6, y: 0.6, width: 4, height: 2 }, ['X-X-X', 'X-X--', 'X-X--']],
    // A centre on the edge of the box is inside.
    [{ x: 0.5, y: 0.5, width: 2, height: 1 }, ['--X-X', '--X-X', 'X-X-X']],
    [{ x: 2.5, y: 1.5, width: 2, height: 1 }, ['X-X-X', 'X-X--', 'X-X--']],
    [{ x: -5, y: -5, width: 20, height: 20 }, ['--X--', '--X--', '--X--']],
    [{ x: 9, y: 9, width: 2, height: 2 }, ['X-X-X', 'X-X-X', 'X-X-X']],
  ])('pixels count by their centres: %j', (box, expected) => {
    expect(tidiedWithin(['X-C-X', 'X-C-X', 'X-C-X'], box)).toEqual(expected)
  })
})
