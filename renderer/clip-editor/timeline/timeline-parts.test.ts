import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeOf, playedAxis, rateAt, rulerStep, secondAt, sourceAxis, stretchesBetween } from './axis.ts'
import { insertItem, moveItem, nearest, resizeItem, rowsOf, snapDelta } from './stretches.ts'

const KEPT = [
  { start: 10, end: 20, rate: 1 },
  { start: 30, end: 40, rate: 2 },
]

describe('the axis', () => {
  it('is the source as it is, or only what is played at its rate', () => {
    const played = playedAxis(KEPT)
    expect(played.length).toBe(15)
    expect([5, 12, 25, 34, 99].map((second) => placeOf(played, second))).toEqual([0, 2, 10, 12, 15])
    expect([0, 2, 10, 12, 99].map((place) => secondAt(played, place))).toEqual([10, 12, 30, 34, 40])
    expect([rateAt(played, 12), rateAt(played, 34)]).toEqual([1, 2])
    expect(placeOf(sourceAxis(60), 25)).toBe(25)
  })

  it('gives the parts of its stretches that are in view', () => {
    expect(stretchesBetween(playedAxis(KEPT), 8, 12)).toEqual([
      { start: 18, end: 20, rate: 1, at: 8 },
      { start: 30, end: 34, rate: 2, at: 10 },
    ])
  })

  it('finds its way back from every place', () => {
    const pieces = fc.array(
      fc.tuple(
        fc.double({ min: 0.1, max: 9, noNaN: true }),
        fc.double({ min: 0, max: 9, noNaN: true }),
        fc.double({ min: 0.25, max: 4, noNaN: true }),
      ),
      { minLength: 1, maxLength: 8 },
    )
    fc.assert(
      fc.property(pieces, fc.double({ min: 0, max: 1, noNaN: true }), (given, share) => {
        let end = 0
        const kept = given.map(([length, gap, rate]) => {
          const start = end + gap
          end = start + length
          return { start, end, rate }
        })
        const axis = playedAxis(kept)
        const place = share * axis.length
        expect(placeOf(axis, secondAt(axis, place))).toBeCloseTo(place, 6)
      }),
    )
  })

  it('has marks that are far enough apart to be read', () => {
    expect([rulerStep(400, 60), rulerStep(14, 60), rulerStep(0.1, 60)]).toEqual([0.2, 5, 600])
  })
})

describe('things on the timeline', () => {
  const list = [
    { id: 'a', start: 2, end: 4 },
    { id: 'b', start: 6, end: 8 },
  ]
  const apart = { bounds: { start: 0, end: 10 }, apart: true }
  const free = { ...apart, apart: false }

  it('stop at their neighbours where they may not overlap', () => {
    expect(moveItem(list, 'a', 9, apart)[0]).toEqual({ id: 'a', start: 4, end: 6 })
    expect(moveItem(list, 'a', 9, free)[0]).toEqual({ id: 'a', start: 8, end: 10 })
    expect(resizeItem(list, { id: 'b', side: 'start' }, 1, apart)[1]?.start).toBe(4)
    expect(resizeItem(list, { id: 'b', side: 'start' }, 9, apart)[1]?.start).toBe(7.9)
  })

  it('are put where there is room, in order', () => {
    expect(
      insertItem(list, { id: 'c', start: 3, end: 6 }, apart)?.map(({ id, start, end }) => [id, start, end]),
    ).toEqual([
      ['a', 2, 4],
      ['c', 4, 6],
      ['b', 6, 8],
    ])
    expect(insertItem([{ id: 'x', start: 0, end: 10 }], { id: 'c', start: 3, end: 4 }, apart)).toBeNull()
    expect(insertItem(list, { id: 'c', start: 3, end: 6 }, free)).toHaveLength(3)
  })

  it('lie in rows where they overlap', () => {
    expect([...rowsOf([...list, { id: 'c', start: 3, end: 7 }])]).toEqual([
      ['a', 0],
      ['c', 1],
      ['b', 0],
    ])
  })

  it('snap to what is near, with the edge that is nearest to it', () => {
    expect(nearest([1, 5, 9], 5.2, 0.3)).toBe(5)
    expect(nearest([1, 5, 9], 5.5, 0.3)).toBeNull()
    expect(snapDelta([2, 4], 0.9, [5], 0.2)).toEqual({ delta: 1, target: 5 })
    expect(snapDelta([2, 4], 0.5, [5], 0.2)).toEqual({ delta: 0.5, target: null })
  })

  it('never overlap and never leave their bounds, whatever is done to them', () => {
    const step = fc.record({
      do: fc.constantFrom('move', 'start', 'end', 'insert'),
      which: fc.constantFrom('a', 'b', 'c'),
      to: fc.double({ min: -5, max: 15, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let items: { id: string; start: number; end: number }[] = list
        for (const { do: what, which, to } of steps) {
          if (what === 'move') items = moveItem(items, which, to, apart)
          else if (what === 'insert') {
            if (!items.some(({ id }) => id === 'c'))
              items = insertItem(items, { id: 'c', start: to, end: to + 1 }, apart) ?? items
          } else items = resizeItem(items, { id: which, side: what }, to, apart)
          items.forEach(({ start, end }, index) => {
            expect(start).toBeGreaterThanOrEqual(0)
            expect(end).toBeLessThanOrEqual(10)
            expect(end - start).toBeGreaterThan(0.09)
            const next = items[index + 1]
            if (next !== undefined) expect(next.start).toBeGreaterThanOrEqual(end - 1e-9)
          })
        }
      }),
    )
  })
})
