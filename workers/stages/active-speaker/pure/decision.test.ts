import { describe, expect, it } from 'vitest'
import { associateVoices } from './association.ts'
import { findBestPath, findPosteriors } from './best-path.ts'
import type { RangeScores } from './evidence.ts'
import { findSpeakers } from './who-speaks.ts'

const filled = (...parts: [value: number, steps: number][]): number[] =>
  parts.flatMap(([value, steps]) => new Array<number>(steps).fill(value))

describe('findBestPath', () => {
  const options = { cost: 2, least: 3 }

  it('follows the state that gains most, and nobody where all lose', () => {
    const gains = [filled([1, 5], [-1, 10]), filled([-1, 5], [1, 5], [-1, 5])]
    expect(findBestPath(gains, 15, options)).toEqual(filled([0, 5], [1, 5], [-1, 5]))
  })

  it('does not change for less than the cost, nor for fewer steps than the least', () => {
    expect(findBestPath([filled([0.3, 12]), filled([0, 4], [0.8, 4], [0, 4])], 12, options)).toEqual(
      filled([0, 12]),
    )
    expect(
      findBestPath([filled([5, 6], [0, 2], [4, 6]), filled([0, 6], [9, 2], [0, 6])], 14, options),
    ).toEqual(filled([0, 6], [1, 3], [0, 5]))
  })

  it('is the best of all paths that it may take', () => {
    const gains = [
      [0.5, -0.2, 1, 1, -3, -0.5, 0.4, 0.1],
      [-1, 0.3, 0.2, -2, 1.5, 1.5, 1, -2],
    ]
    const worth = (path: readonly number[]): number =>
      path.reduce(
        (sum, state, step) =>
          sum + (gains[state]?.[step] ?? 0) - (step > 0 && path[step - 1] !== state ? options.cost : 0),
        0,
      )
    const lasts = (path: readonly number[]): boolean => {
      const runs = path.join(',').match(/(-?\d)(,\1(?!\d))*/g) ?? []
      return runs.every((run) => run.split(',').length >= options.least)
    }
    const all = Array.from({ length: 3 ** 8 }, (_, code) =>
      Array.from({ length: 8 }, (__, step) => (Math.floor(code / 3 ** step) % 3) - 1),
    ).filter(lasts)
    expect(worth(findBestPath(gains, 8, options))).toBeCloseTo(Math.max(...all.map(worth)), 9)
  })

  it('has one state where there are fewer steps than the least', () => {
    expect(findBestPath([[1, 1]], 2, options)).toEqual([0, 0])
    expect(findBestPath([], 2, options)).toEqual([-1, -1])
  })
})

describe('findPosteriors', () => {
  it('are those of all paths added up', () => {
    const gains = [
      [0.5, -1, 2],
      [0.1, 0.3, -0.4],
    ]
    const change = 0.2
    const sums = [0, 1, 2].map(() => [0, 0, 0])
    for (let code = 0; code < 27; code += 1) {
      const path = [code % 3, Math.floor(code / 3) % 3, Math.floor(code / 9)]
      const worth = path.reduce(
        (product, state, step) =>
          product *
          Math.exp(gains[state - 1]?.[step] ?? 0) *
          (step === 0 ? 1 : path[step - 1] === state ? 1 - change : change / 2),
        1,
      )
      path.forEach((state, step) => {
        const row = sums[step]
        if (row !== undefined) row[state] = (row[state] ?? 0) + worth
      })
    }
    const found = findPosteriors(gains, 3, change)
    sums.forEach((row, step) => {
      const total = row.reduce((sum, value) => sum + value, 0)
      row.forEach((value, state) => expect(found[step]?.[state]).toBeCloseTo(value / total, 9))
    })
  })
})

describe('associateVoices', () => {
  const together = () => true
  const fit = (voice: number, track: number, evidence: number) => ({ voice, track, evidence })

  it('gives each of two voices its face, although one face fits both', () => {
    const shares = associateVoices([fit(0, 0, 3), fit(0, 1, 1), fit(1, 0, 2), fit(1, 1, 1.5)], together)
    expect(shares[0]).toBeGreaterThan(0.8)
    expect(shares[3]).toBeGreaterThan(0.5)
    expect(shares[1]).toBeLessThan(0.2)
    expect(shares[2]).toBeLessThan(shares[3] ?? 0)
  })

  it('gives none to a voice that no face fits, and several to one that is seen in several shots', () => {
    const none = associateVoices([fit(0, 0, -4), fit(0, 1, -3)], together)
    expect(Math.max(...none)).toBeLessThan(0.1)
    const shots = associateVoices([fit(0, 0, 4), fit(0, 1, 3)], () => false)
    expect(Math.min(...shots)).toBeGreaterThan(0.9)
  })
})

describe('findSpeakers', () => {
  const piece = (adjusted: number, raw: number, first: number, count: number) => ({
    first,
    raw: new Float32Array(count).fill(raw),
    adjusted: new Float32Array(count).fill(adjusted),
  })
  const scene = (left: [number, number], right: [number, number]): RangeScores => ({
    start: 5,
    end: 9,
    tracks: [
      { id: 7, pieces: [piece(...left, 0, 100)] },
      { id: 9, pieces: [piece(...right, 0, 100)] },
    ],
  })
  const voice = [{ start: 6, end: 8 }]

  it('finds the face that fits, while there is a voice, with its probability', () => {
    const [found] = findSpeakers([scene([1.5, 3], [-0.5, 3])], voice, [])
    expect(found?.tracks.map(({ id, speaking }) => [id, speaking.length])).toEqual([
      [7, 1],
      [9, 0],
    ])
    expect(found?.samples).toHaveLength(20)
    expect(found?.samples[0]).toEqual({ time: 5, track: null, confidence: 0.97 })
    const middle = found?.samples[10]
    expect([middle?.time, middle?.track]).toEqual([7, 7])
    expect(middle?.confidence).toBeGreaterThan(0.8)
    expect(middle?.confidence).toBeLessThan(1)
  })

  it('finds nobody where lips are still, and is less sure where both fit alike', () => {
    const [still] = findSpeakers([scene([0, -2], [0, -2])], voice, [])
    expect(still?.samples.every(({ track }) => track === null)).toBe(true)
    const [alike] = findSpeakers([scene([1, 3], [1, 3])], voice, [])
    expect(alike?.samples[10]?.confidence).toBeLessThan(0.6)
  })

  it('goes by whose voice it is where lips do not tell', () => {
    const clear = scene([1.5, 3], [-0.5, 3])
    const unclear = { ...scene([0.4, 3], [0.6, 3]), start: 15, end: 19 }
    const turns = [5, 15].map((start) => ({ start, end: start + 4, speaker: 1 }))
    const both = [...voice, { start: 16, end: 18 }]
    const trackAt = (found: ReturnType<typeof findSpeakers>) => found[1]?.samples[10]?.track
    expect(trackAt(findSpeakers([clear, unclear], both, []))).not.toBe(7)
    const joined = {
      ...clear,
      end: 19,
      tracks: clear.tracks.map((track, at) => ({
        ...track,
        pieces: [...track.pieces, piece(at === 0 ? 0.4 : 0.6, 3, 250, 100)],
      })),
    }
    const [found] = findSpeakers([joined], both, turns)
    expect(found?.samples.find(({ time }) => time === 17)?.track).toBe(7)
  })

  it('goes by the contrast of voices where the lips of one face seem to fit all of them', () => {
    const starts = [0, 3, 6, 9, 12, 15]
    const fits = (voice: number) => (voice === 0 ? [2.5, 0.5] : [1.5, 1])
    const range: RangeScores = {
      start: 0,
      end: 18,
      tracks: [0, 1].map((id) => ({
        id,
        pieces: starts.map((start, at) => piece(fits(at % 2)[id] ?? 0, 3, start * 25, 75)),
      })),
    }
    const turns = starts.map((start, at) => ({ start, end: start + 2, speaker: at % 2 }))
    const trackAt = (found: ReturnType<typeof findSpeakers>, time: number) =>
      found[0]?.samples.find((sample) => sample.time === time)?.track
    expect([1, 4, 10].map((time) => trackAt(findSpeakers([range], turns, []), time))).toEqual([0, 0, 0])
    expect([1, 4, 10].map((time) => trackAt(findSpeakers([range], turns, turns), time))).toEqual([0, 1, 1])
  })
})
