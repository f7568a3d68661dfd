import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AppError } from '../../contract/errors.ts'
import { decodeCursor, encodeCursor } from '../cursors.ts'
import { engagementScore, growthRate } from './refresh-rules.ts'
import { parseMoment } from '../moments.ts'

describe('engagement', () => {
  it.each([
    [{ views: 0, likes: 0, comments: 0, shares: 0 }, 5],
    [{ views: 500, likes: 0, comments: 0, shares: 0 }, 5],
    [{ views: 12_345, likes: 0, comments: 0, shares: 0 }, 123.45],
    [{ views: 1000, likes: 7, comments: 3, shares: 2 }, 14 + 9 + 8 + 10],
  ])('likes*2 + comments*3 + shares*4 + max(5, views/100): %j is %d', (counters, score) => {
    expect(engagementScore(counters)).toBe(score)
  })

  it('growth is percent between the two latest refreshes; none before the second', () => {
    expect(growthRate(50, 40)).toBe(25)
    expect(growthRate(30, 40)).toBe(-25)
    expect(growthRate(50, undefined)).toBeNull()
  })
})

describe('dates that callers send', () => {
  const at = (text: string, edge: 'start' | 'end' = 'start') => {
    const moment = parseMoment(text, edge)
    return moment === null ? null : new Date(moment).toISOString()
  }

  it.each([
    ['2026-02-28', 'start', '2026-02-28T00:00:00.000Z'],
    ['2026-02-28', 'end', '2026-02-28T23:59:59.999Z'],
    ['2028-02-29', 'start', '2028-02-29T00:00:00.000Z'],
    ['2026-02-28T10:20Z', 'end', '2026-02-28T10:20:00.000Z'],
    ['2026-02-28T10:20:30', 'start', '2026-02-28T10:20:30.000Z'],
    ['2026-02-28T10:20:30.123456Z', 'start', '2026-02-28T10:20:30.123Z'],
    ['2026-02-28T01:00:00+02:00', 'start', '2026-02-27T23:00:00.000Z'],
    ['2026-02-28T01:00:00 02:00', 'start', '2026-02-27T23:00:00.000Z'],
    ['2026-02-28T01:00:00-0330', 'start', '2026-02-28T04:30:00.000Z'],
  ] as const)('%s as %s is %s', (text, edge, iso) => expect(at(text, edge)).toBe(iso))

  it.each([
    '',
    'yesterday',
    '2026',
    '2026-13-01',
    '2026-02-30',
    '2026-02-29',
    '2026-2-3',
    '20260203',
    '2026-02-03T25:00Z',
    '2026-02-03T10:61Z',
    '2026-02-03T10:20:60Z',
    '2026-02-03 10:20',
    '2026-02-03T',
    '2026-02-03T10:20+99:00',
    '2026-02-03T10:20Z ',
    '0026-02-03',
    '1700000000000',
  ])('%j is none', (text) => expect(at(text)).toBeNull())

  it('agrees with the clock on every moment', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1970-01-01'), max: new Date('2200-01-01'), noInvalidDate: true }),
        (date) => {
          expect(parseMoment(date.toISOString(), 'end')).toBe(date.getTime())
        },
      ),
    )
  })
})

describe('cursors', () => {
  const code = (act: () => unknown): string => {
    try {
      act()
    } catch (error) {
      return (error as AppError).code
    }
    return 'none'
  }

  it('give back their place, in their own query only', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.integer(), fc.string()), { minLength: 1, maxLength: 3 }),
        (position) => {
          const cursor = encodeCursor({ q: 1 }, position)
          expect(cursor).toMatch(/^[\w-]+$/)
          expect(decodeCursor({ q: 1 }, cursor, position.length)).toEqual(position)
          expect(code(() => decodeCursor({ q: 2 }, cursor, position.length))).toBe('INVALID_CURSOR')
          expect(code(() => decodeCursor({ q: 1 }, cursor, position.length + 1))).toBe('INVALID_CURSOR')
        },
      ),
    )
  })

  it('made up, cut short or altered: INVALID_CURSOR', () => {
    const cursor = encodeCursor({}, [12, 'id'])
    const altered = Buffer.from(Buffer.from(cursor, 'base64url').toString().replace('12', '13')).toString(
      'base64url',
    )
    for (const text of [
      'x',
      'null',
      'W10',
      cursor.slice(0, -4),
      altered,
      Buffer.from('{}').toString('base64url'),
    ])
      expect([text, code(() => decodeCursor({}, text, 2))]).toEqual([text, 'INVALID_CURSOR'])
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(code(() => decodeCursor({}, text, 2))).toBe('INVALID_CURSOR')
      }),
    )
  })
})
