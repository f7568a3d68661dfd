import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { join, moveEdge, remove, removePieces, restore, setRate, slip, split, stretchOf } from './cut.ts'
import { cutOf, isKept, keptOf, playedAt, pieceAt, playedLength } from '../../contract/time-map/cut.ts'
import { amend, begin, record, redo, returned, undo } from '../../../renderer/clip-editor/history.ts'

const WHOLE = { startTimestamp: 10, endTimestamp: 40, segments: [] }

describe('a cut', () => {
  it('loses a stretch in the middle, at an edge, and never everything', () => {
    expect(remove(WHOLE, 20, 25)).toEqual({
      startTimestamp: 10,
      endTimestamp: 40,
      segments: [
        { startSeconds: 0, endSeconds: 10 },
        { startSeconds: 15, endSeconds: 30 },
      ],
    })
    expect(remove(WHOLE, 0, 12)).toEqual({ startTimestamp: 12, endTimestamp: 40, segments: [] })
    expect(remove(WHOLE, 0, 50)).toBe(WHOLE)
  })

  it('gets a stretch back, whole again where nothing is missing', () => {
    const cut = remove(remove(WHOLE, 20, 25), 30, 31)
    expect(restore(cut, 20, 25)).toEqual(remove(WHOLE, 30, 31))
    expect(restore(restore(cut, 20, 25), 30, 31)).toEqual(WHOLE)
    expect(restore(WHOLE, 40, 42)).toEqual({ startTimestamp: 10, endTimestamp: 42, segments: [] })
  })

  it('is split where there is something on both sides', () => {
    expect(split(WHOLE, 20).segments).toHaveLength(2)
    expect(playedLength(split(WHOLE, 20))).toBe(30)
    expect(split(WHOLE, 10.05)).toBe(WHOLE)
    expect(split(WHOLE, 50)).toBe(WHOLE)
  })

  it('has edges that stop at their neighbours and at the end of the source', () => {
    const two = remove(WHOLE, 20, 25)
    const bounds = { start: 5, end: 60 }
    expect(moveEdge(two, { index: 1, side: 'start' }, 15, bounds).segments[1]?.startSeconds).toBe(10)
    expect(moveEdge(WHOLE, { index: 0, side: 'start' }, 0, bounds).startTimestamp).toBe(5)
    expect(moveEdge(WHOLE, { index: 0, side: 'end' }, 99, bounds).endTimestamp).toBe(60)
    expect(moveEdge(WHOLE, { index: 0, side: 'end' }, 2, bounds).endTimestamp).toBe(10.1)
  })

  it('knows where a time of the source is played, at its rate', () => {
    const cut = cutOf([
      { start: 10, end: 20, rate: 1 },
      { start: 30, end: 40, rate: 2 },
    ])
    expect(cut).not.toBeNull()
    if (cut === null) return
    expect([9, 12, 25, 34, 99].map((time) => playedAt(cut, time))).toEqual([0, 2, 10, 12, 15])
    expect([isKept(cut, 12), isKept(cut, 25)]).toEqual([true, false])
  })

  it('stays sorted, without overlap, and shorter by what was taken out, whatever is done to it', () => {
    const time = fc.double({ min: 0, max: 60, noNaN: true })
    const step = fc.oneof(
      fc.record({ kind: fc.constant('remove' as const), a: time, b: time }),
      fc.record({ kind: fc.constant('split' as const), a: time, b: time }),
      fc.record({ kind: fc.constant('restore' as const), a: time, b: time }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let cut: ReturnType<typeof split> = WHOLE
        for (const { kind, a, b } of steps) {
          const from = Math.min(a, b)
          const to = Math.max(a, b)
          const before = cut
          if (kind === 'split') cut = split(cut, a)
          else if (kind === 'remove') cut = remove(cut, from, to)
          else if (from >= cut.startTimestamp && to <= cut.endTimestamp) cut = restore(cut, from, to)
          if (kind === 'remove' && to - from > 0.01 && cut !== before)
            expect(isKept(cut, (from + to) / 2)).toBe(false)
          const kept = keptOf(cut)
          expect(kept.length).toBeGreaterThan(0)
          kept.forEach(({ start, end }, index) => {
            expect(end).toBeGreaterThan(start)
            const next = kept[index + 1]
            if (next !== undefined) expect(next.start).toBeGreaterThanOrEqual(end - 1e-3)
          })
        }
      }),
    )
  })
})

describe('pieces of a cut', () => {
  const three = remove(remove(WHOLE, 20, 25), 30, 31)
  const bounds = { start: 5, end: 60 }

  it('are taken out whole, and never all of them', () => {
    expect(keptOf(removePieces(three, [1])).map(({ start }) => start)).toEqual([10, 31])
    expect(removePieces(three, [0]).startTimestamp).toBe(25)
    expect(removePieces(three, [0, 1, 2])).toBe(three)
    expect(removePieces(three, [9])).toBe(three)
  })

  it('are joined where they touch and play alike', () => {
    expect(join(split(WHOLE, 20))).toEqual(WHOLE)
    const fast = setRate(split(WHOLE, 20), 1, 2)
    expect(join(fast)).toBe(fast)
  })

  it('show another stretch of the same length, between their neighbours', () => {
    expect(keptOf(slip(three, 1, -2, bounds))[1]).toMatchObject({ start: 23, end: 28 })
    expect(keptOf(slip(three, 1, -99, bounds))[1]).toMatchObject({ start: 20, end: 25 })
    expect(keptOf(slip(three, 2, 99, bounds))[2]).toMatchObject({ start: 51, end: 60 })
    expect(slip(three, 0, 0, bounds)).toBe(three)
  })

  it('play at a rate from a quarter to four', () => {
    expect(playedLength(setRate(WHOLE, 0, 2))).toBe(15)
    expect(keptOf(setRate(WHOLE, 0, 99))[0]?.rate).toBe(4)
    expect(setRate(setRate(WHOLE, 0, 2), 0, 1)).toEqual(WHOLE)
    expect([pieceAt(three, 26), pieceAt(three, 22)]).toEqual([1, -1])
  })

  it('stay in order, apart, inside the source, and as long as is played, whatever is done to them', () => {
    const time = fc.double({ min: 0, max: 60, noNaN: true })
    const index = fc.nat(4)
    const step = fc.oneof(
      fc.record({ do: fc.constant('split' as const), time }),
      fc.record({ do: fc.constant('ripple' as const), index }),
      fc.record({
        do: fc.constant('slip' as const),
        index,
        delta: fc.double({ min: -30, max: 30, noNaN: true }),
      }),
      fc.record({
        do: fc.constant('rate' as const),
        index,
        rate: fc.double({ min: 0.1, max: 5, noNaN: true }),
      }),
      fc.record({ do: fc.constant('edge' as const), index, time, side: fc.constantFrom('start', 'end') }),
      fc.record({ do: fc.constant('join' as const) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 15 }), (steps) => {
        let cut = WHOLE as Parameters<typeof split>[0]
        for (const one of steps) {
          const before = playedLength(cut)
          if (one.do === 'split') cut = split(cut, one.time)
          else if (one.do === 'ripple') cut = removePieces(cut, [one.index])
          else if (one.do === 'slip') cut = slip(cut, one.index, one.delta, bounds)
          else if (one.do === 'rate') cut = setRate(cut, one.index, one.rate)
          else if (one.do === 'edge')
            cut = moveEdge(cut, { index: one.index, side: one.side }, one.time, bounds)
          else cut = join(cut)
          const pieces = keptOf(cut)
          pieces.forEach(({ start, end }, at) => {
            expect(end - start).toBeGreaterThan(0)
            expect(start).toBeGreaterThanOrEqual(bounds.start - 1e-3)
            expect(end).toBeLessThanOrEqual(bounds.end + 1e-3)
            const next = pieces[at + 1]
            if (next !== undefined) expect(next.start).toBeGreaterThanOrEqual(end - 2e-3)
          })
          const sum = pieces.reduce((length, { start, end, rate }) => length + (end - start) / rate, 0)
          expect(playedLength(cut)).toBeCloseTo(sum, 6)
          if (one.do === 'split' || one.do === 'slip' || one.do === 'join')
            expect(Math.abs(playedLength(cut) - before)).toBeLessThan(0.03)
          if (one.do === 'ripple') expect(playedLength(cut)).toBeLessThanOrEqual(before + 1e-6)
        }
      }),
    )
  })
})

it('words are cut out from pause to pause', () => {
  const words = [
    { start: 1, end: 1.4 },
    { start: 1.6, end: 2 },
    { start: 2.4, end: 3 },
  ]
  expect(stretchOf(words, 1, 1)).toEqual({ start: 1.5, end: 2.2 })
  expect(stretchOf(words, 2, 0)).toEqual({ start: 1, end: 3 })
})

it('history goes back and forth without limit, and a new edit ends what was undone', () => {
  let history = begin(0)
  for (let value = 1; value <= 500; value++) history = record(history, value)
  history = amend(history, 500.5)
  for (let count = 0; count < 600; count++) history = undo(history)
  expect(history.present).toBe(0)
  for (let count = 0; count < 600; count++) history = redo(history)
  expect(history.present).toBe(500.5)
  history = record(undo(history), 7)
  expect([redo(history), history.past.length]).toEqual([history, 500])
})

it('what was undone can still be done again after it was saved, unless somebody else has changed it', () => {
  const history = undo(record(begin(1), 2))
  expect(redo(returned(history, 1, true)).present).toBe(2)
  expect(returned(history, 7, false)).toEqual({ past: [], present: 7, future: [] })
})
