import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decideRange, isNotModified, rangeApplies } from './range.ts'

const part = (start: number, end: number) => ({ kind: 'part', start, end })
const all = { kind: 'all' }
const unsatisfiable = { kind: 'unsatisfiable' }

describe('decideRange on 10 bytes', () => {
  it.each([
    [undefined, all],
    ['bytes=0-0', part(0, 0)],
    ['bytes=0-9', part(0, 9)],
    ['bytes=2-5', part(2, 5)],
    ['bytes=5-', part(5, 9)],
    ['bytes=0-', part(0, 9)],
    ['bytes=-3', part(7, 9)],
    ['bytes=-10', part(0, 9)],
    ['bytes=-99', part(0, 9)],
    ['bytes=8-99', part(8, 9)],
    ['BYTES=1-2', part(1, 2)],
    ['bytes= 1-2 ', part(1, 2)],
    ['bytes=10-', unsatisfiable],
    ['bytes=99-100', unsatisfiable],
    ['bytes=-0', unsatisfiable],
    ['bytes=5-2', all],
    ['bytes=-', all],
    ['bytes=a-b', all],
    ['bytes=0-1,4-5', all],
    ['items=0-1', all],
    ['', all],
  ])('%s', (header, expected) => {
    expect(decideRange(header, 10)).toEqual(expected)
  })

  it('of an empty file nothing can be had by range', () => {
    expect(decideRange('bytes=0-', 0)).toEqual(unsatisfiable)
    expect(decideRange('bytes=-5', 0)).toEqual(unsatisfiable)
    expect(decideRange(undefined, 0)).toEqual(all)
  })

  it('a part always lies inside the file', () => {
    const header = fc.oneof(
      fc.tuple(fc.nat(), fc.nat()).map(([a, b]) => `bytes=${a}-${b}`),
      fc.nat().map((a) => `bytes=${a}-`),
      fc.nat().map((a) => `bytes=-${a}`),
      fc.string(),
    )
    fc.assert(
      fc.property(header, fc.nat(), (text, size) => {
        const decision = decideRange(text, size)
        if (decision.kind !== 'part') return
        expect(decision.start).toBeGreaterThanOrEqual(0)
        expect(decision.end).toBeGreaterThanOrEqual(decision.start)
        expect(decision.end).toBeLessThan(size)
      }),
    )
  })
})

const now = Date.UTC(2026, 0, 2, 3, 4, 5) + 678
const file = { etag: '"abc"', modified: now }
const date = new Date(now).toUTCString()
const earlier = new Date(now - 1000).toUTCString()

describe('isNotModified', () => {
  it.each([
    [{}, false],
    [{ 'if-none-match': '"abc"' }, true],
    [{ 'if-none-match': 'W/"abc"' }, true],
    [{ 'if-none-match': '"x", "abc"' }, true],
    [{ 'if-none-match': '*' }, true],
    [{ 'if-none-match': '"x"' }, false],
    [{ 'if-none-match': 'abc' }, false],
    [{ 'if-modified-since': date }, true],
    [{ 'if-modified-since': earlier }, false],
    [{ 'if-modified-since': 'yesterday' }, false],
    [{ 'if-none-match': '"x"', 'if-modified-since': date }, false],
  ])('%j: %s', (headers, expected) => {
    expect(isNotModified(headers, file)).toBe(expected)
  })
})

describe('rangeApplies (If-Range)', () => {
  it.each([
    [undefined, true],
    ['"abc"', true],
    ['"x"', false],
    ['W/"abc"', false],
    [date, true],
    [earlier, false],
    ['nonsense', false],
  ])('%s: %s', (header, expected) => {
    expect(rangeApplies(header, file)).toBe(expected)
  })
})
