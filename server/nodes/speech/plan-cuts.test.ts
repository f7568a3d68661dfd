import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeLevels, type ClipSound } from '../../contract/clip-measurements.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import { frameGrid } from './frame-grid.ts'
import { planCuts, MIN_PIECE, type CutRequest } from './plan-cuts.ts'

const HOP = 0.02
/** Quiet but for the words, as `extra` says louder. */
function soundOf(
  words: readonly TranscriptWord[],
  seconds: number,
  extra: readonly (readonly [number, number])[] = [],
): ClipSound {
  const loud = [...words.map(({ start, end }) => [start, end] as const), ...extra]
  const levels = Array.from({ length: Math.ceil(seconds / HOP) }, (_, hop) =>
    loud.some(([from, to]) => hop * HOP < to && (hop + 1) * HOP > from) ? -20 : -65,
  )
  return { start: 0, hopSeconds: HOP, levels: encodeLevels(levels), speechLevelDb: -20, noiseLevelDb: -65 }
}

const RATES = [
  { numerator: 25, denominator: 1 },
  { numerator: 30, denominator: 1 },
  { numerator: 30000, denominator: 1001 },
  { numerator: 24000, denominator: 1001 },
]
const grid = frameGrid({ numerator: 25, denominator: 1 })
const word = (text: string, start: number, end: number): TranscriptWord => ({ word: text, start, end })

function plan(words: TranscriptWord[], removedWords: readonly number[], over: Partial<CutRequest> = {}) {
  const seconds = (words.at(-1)?.end ?? 0) + 0.3
  return planCuts({
    words,
    kept: [{ start: 0, end: seconds, playbackRate: 1 }],
    drop: new Map(removedWords.map((index) => [index, false])),
    sound: soundOf(words, seconds),
    shortenPauses: false,
    grid,
    ...over,
  })
}
const cutsOf = (ranges: readonly { start: number; end: number }[]) =>
  ranges.slice(1).map((range, index) => [ranges[index]?.end ?? 0, range.start] as const)

describe('cuts', () => {
  it('takes a filler out and leaves a breath', () => {
    const words = [word('so', 0.2, 0.7), word('um', 1, 1.3), word('then', 1.6, 2)]
    const [cut] = cutsOf(plan(words, [1]).ranges)
    expect(cut?.[0]).toBeCloseTo(0.8, 2)
    expect(cut?.[1]).toBeCloseTo(1.48, 2)
  })

  it('leaves laughter beside the filler alone', () => {
    const words = [word('so', 0.2, 0.7), word('um', 2, 2.3), word('then', 2.6, 3)]
    const sound = soundOf(words, 3.3, [[0.7, 1.9]])
    const [cut] = cutsOf(plan(words, [1], { sound, shortenPauses: true }).ranges)
    expect(cut?.[0]).toBeGreaterThanOrEqual(1.88)
  })

  it('shortens what is quiet to about 0.3 s, and neither laughter nor a short pause', () => {
    const words = [word('one', 0, 0.5), word('two', 2, 2.5), word('three', 4, 4.5), word('four', 4.95, 5.5)]
    const sound = soundOf(words, 5.8, [[2.6, 3.9]])
    const { ranges, pauses } = plan(words, [], { sound, shortenPauses: true })
    expect(pauses).toBe(1)
    const [first, ...others] = cutsOf(ranges)
    expect(others).toEqual([])
    const left = (first?.[0] ?? 0) - 0.5 + (2 - (first?.[1] ?? 0))
    expect(left).toBeGreaterThanOrEqual(0.25)
    expect(left).toBeLessThanOrEqual(0.35)
    expect(plan(words, [], { sound: null, shortenPauses: true }).pauses).toBe(0)
  })

  it('gives a cut up rather than leave a snippet, or cut under somebody else', () => {
    const tight = [
      word('a', 0, 1),
      word('um', 1, 1.3),
      word('so', 1.3, 1.5),
      word('uh', 1.5, 1.8),
      word('b', 1.8, 3),
    ]
    expect(plan(tight, [1, 3]).dropped.size).toBe(1)
    const over = [word('a', 0, 1), word('talking', 1.1, 2), word('um', 1.2, 1.5), word('b', 2.1, 3)]
    expect(plan(over, [2])).toMatchObject({ dropped: new Set(), ranges: [{ start: 0 }] })
  })

  it('does not cut everything', () => {
    expect(plan([word('um', 0.1, 0.5), word('uh', 0.6, 1)], [0, 1]).dropped.size).toBe(0)
  })

  it('cuts up to the edge of a clip that begins with a filler', () => {
    const words = [word('Um', 0.1, 0.4), word('we', 0.6, 0.9), word('go', 0.95, 1.5)]
    expect(plan(words, [0]).ranges[0]?.start).toBeGreaterThanOrEqual(0.4)
  })
})

const milliseconds = (min: number, max: number) => fc.integer({ min, max }).map((value) => value / 1000)

const timed = fc
  .array(
    fc.record({
      gap: fc.oneof(fc.constant(0), milliseconds(-150, 200), milliseconds(0, 2500)),
      length: milliseconds(0, 700),
      fate: fc.constantFrom('stays', 'stays', 'goes', 'must' as const),
      ends: fc.boolean(),
    }),
    { minLength: 5, maxLength: 25 },
  )
  .map((list) => {
    let at = 0
    const words = list.map(({ gap, length, fate, ends }) => {
      const start = Math.max(0, at + gap)
      at = start + length
      return { word: ends ? 'word.' : 'word', start, end: at, fate }
    })
    return words.sort((a, b) => a.start - b.start || a.end - b.end)
  })

const request = fc
  .record({
    words: timed,
    rate: fc.constantFrom(...RATES),
    shortenPauses: fc.boolean(),
    soundKind: fc.constantFrom('measured', 'laughter', 'unmeasured'),
    noise: fc.array(fc.tuple(milliseconds(0, 15_000), milliseconds(0, 900)), { maxLength: 6 }),
    mayMust: fc.boolean(),
    segments: fc.option(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 2, maxLength: 6 }), {
      nil: null,
    }),
  })
  .map(({ words, rate, shortenPauses, soundKind, noise, mayMust, segments }): CutRequest => {
    const seconds = Math.max(...words.map(({ end }) => end)) + 0.5
    const edges = segments === null ? [0, 50] : [...new Set(segments)].sort((a, b) => a - b)
    const kept = edges.slice(1).flatMap((end, index) => {
      const start = edges[index] ?? 0
      return index % 2 === 0
        ? [{ start: (start * seconds) / 50, end: (end * seconds) / 50, playbackRate: 1 }]
        : []
    })
    const laughter =
      soundKind === 'laughter' ? noise.map(([from, length]) => [from, from + length] as const) : []
    return {
      words: words.map(({ fate: _fate, ...rest }) => rest),
      kept,
      drop: new Map(
        words.flatMap(({ fate }, index) =>
          fate === 'stays' ? [] : [[index, mayMust && fate === 'must'] as const],
        ),
      ),
      sound: soundKind === 'unmeasured' ? null : soundOf(words, seconds, laughter),
      shortenPauses,
      grid: frameGrid(rate),
    }
  })

describe('cuts as properties', () => {
  it('never cut into a word that stays; stay in order, on frames, and long enough', () => {
    fc.assert(
      fc.property(request, (given) => {
        const { ranges, dropped } = planCuts(given)
        const inner = (moment: number): boolean =>
          !given.kept.some(
            ({ start, end }) => Math.abs(moment - start) < 1e-9 || Math.abs(moment - end) < 1e-9,
          )
        const edges = ranges.flatMap(({ start, end }) => [start, end])
        expect(edges).toEqual(edges.toSorted((a, b) => a - b))
        for (const range of ranges) {
          expect(given.kept.some(({ start, end }) => start <= range.start && range.end <= end)).toBe(true)
          expect(range.end).toBeGreaterThan(range.start)
        }
        for (const edge of edges.filter(inner)) {
          expect(Math.abs(given.grid.timeOf(given.grid.nearest(edge)) - edge)).toBeLessThan(1e-6)
          given.words.forEach(({ start, end }, index) => {
            if (!dropped.has(index)) expect(edge > start + 1e-6 && edge < end - 1e-6).toBe(false)
          })
        }
        const hasMust = [...given.drop.values()].some((must) => must)
        if (!hasMust) {
          for (const { start, end } of ranges.filter((range) => inner(range.start) && inner(range.end)))
            expect(end - start).toBeGreaterThan(MIN_PIECE - 1e-6)
        }
      }),
      { numRuns: 400 },
    )
  })

  it('drop only what was to go, and play next to nothing of it', () => {
    fc.assert(
      fc.property(request, (given) => {
        const { ranges, dropped } = planCuts(given)
        for (const index of dropped) {
          expect(given.drop.has(index)).toBe(true)
          const { start, end } = given.words[index] ?? { start: 0, end: 0 }
          const played = ranges.reduce(
            (sum, range) => sum + Math.max(0, Math.min(range.end, end) - Math.max(range.start, start)),
            0,
          )
          if (given.drop.get(index) === false) {
            expect(played).toBeLessThan(0.31 * (end - start) + 2 * (given.grid.frameSeconds + 0.05))
          }
        }
      }),
      { numRuns: 300 },
    )
  })
})
