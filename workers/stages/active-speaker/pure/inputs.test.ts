import { describe, expect, it } from 'vitest'
import type { FaceBoxes } from '../../../../server/contract/clip-measurements.ts'
import { CROP, cutOut, pictureSize, squaresOf } from './crops.ts'
import { CEPSTRA, computeMfcc } from './mfcc.ts'
import { chooseOthers, fitRows, planWindows, rotated } from './windows.ts'

describe('cepstra', () => {
  // Computed apart from this code with a plain DFT, by the definitions of python_speech_features.
  const expected = [
    [
      19.083, 8.2783, -11.7098, -6.052, 8.5505, 33.9213, -19.3752, -56.6148, -16.9506, -26.0615, 10.9755,
      -32.8263, -44.0984,
    ],
    [
      19.0731, 10.6777, -6.3019, -8.5595, 15.7705, 46.6913, -12.5192, -51.9443, -7.983, -28.0276, 15.5303,
      -30.6796, -44.4065,
    ],
    [
      18.9761, 9.8178, -8.9078, 0.9326, 20.3955, 44.0389, -4.42, -54.3461, -7.4309, -23.4833, 14.6148,
      -26.1558, -38.7118,
    ],
  ]
  const samples = Int16Array.from({ length: 1000 }, (_, at) =>
    Math.round(
      6000 * Math.sin((2 * Math.PI * 220 * at) / 16_000) +
        2500 * Math.sin((2 * Math.PI * 1310 * at) / 16_000 + 1) +
        ((at * 7919) % 401) -
        200,
    ),
  )

  it('are those of python_speech_features, the last row with silence after the sound', () => {
    const rows = computeMfcc(samples)
    expect(rows.length).toBe(5 * CEPSTRA)
    for (const [place, row] of [0, 1, 4].entries())
      expected[place]?.forEach((value, at) => expect(rows[row * CEPSTRA + at]).toBeCloseTo(value, 3))
  })

  it('are finite in digital silence, and none of no sound', () => {
    const [energy = 0, ...rest] = computeMfcc(new Int16Array(400))
    expect(energy).toBeCloseTo(-36.0437, 3)
    for (const value of rest) expect(value).toBeCloseTo(0, 3)
    expect(computeMfcc(new Int16Array(0))).toHaveLength(0)
  })
})

const box = (time: number, x = 0.25, width = 0.5) => ({ time, x, y: 0.25, width, height: 0.5, score: 1 })

describe('cut-out faces', () => {
  it('reach from 0.3 of half the longer side above the middle to 1.1 below', () => {
    const size = { width: 200, height: 200 }
    const [square] = squaresOf([box(0)], 0, 1, size)
    expect(square).toEqual({ x: 100, y: 120, half: 35 })
  })

  it('move evenly between boxes and do not follow one picture that is off', () => {
    const size = { width: 100, height: 100 }
    const moved = squaresOf([box(0, 0), box(4, 0.5)], 1, 51, size)
    expect(moved[25]?.x).toBeCloseTo(25 + 25, 5)
    const jump = [box(0), box(0.4), box(0.44, 0.9), box(0.48), box(1)]
    expect(squaresOf(jump, 0, 25, size).every(({ x }) => x === 50)).toBe(true)
  })

  it('hold the mean of what each value covers, and grey outside of the picture', () => {
    const size = CROP * 2
    const pixels = Uint8Array.from({ length: size ** 2 }, (_, at) => (at % 2 === 0 ? 10 : 30))
    const into = new Uint8Array(CROP ** 2 + 1)
    cutOut({ width: size, height: size, pixels }, { x: CROP, y: CROP, half: CROP }, into, 1)
    expect([into[0], ...new Set(into.subarray(1))]).toEqual([0, 20])
    cutOut({ width: size, height: size, pixels }, { x: -500, y: 0, half: 56 }, into, 0)
    expect([...new Set(into.subarray(0, CROP ** 2))]).toEqual([110])
  })

  it('come from pictures no larger than the smallest face needs', () => {
    const tracks = [{ boxes: [box(0, 0, 0.5)] }, { boxes: [box(0, 0, 0.25)] }]
    expect(pictureSize(tracks, { width: 3840, height: 2160 })).toEqual({ width: 568, height: 320 })
    expect(pictureSize(tracks, { width: 360, height: 288 })).toEqual({ width: 360, height: 288 })
  })
})

const track = (id: number, from: number, to: number, width = 0.2) => ({
  id,
  boxes: [box(from, 0, width), box(to, 0, width)],
})
const range = (tracks: FaceBoxes['tracks'], end = 60): FaceBoxes => ({ start: 10, end, tracks })

describe('windows', () => {
  it('are where there is a voice and a face, with a second on both sides', () => {
    const found = planWindows(range([track(3, 10, 30)]), [
      { start: 12, end: 14 },
      { start: 15, end: 15.5 },
      { start: 40, end: 50 },
      { start: 90, end: 95 },
    ])
    expect(found).toEqual([{ start: 11, end: 16.52, pictures: 138, tracks: [track(3, 10, 30)] }])
  })

  it('are at most eight seconds long, without gaps, with the largest four faces', () => {
    const tracks = [1, 2, 3, 4, 5].map((id) => track(id, 10, 60, id / 10))
    const found = planWindows(range(tracks), [{ start: 10, end: 40 }])
    expect(found.map(({ pictures }) => pictures)).toEqual([194, 194, 194, 193])
    found.slice(1).forEach(({ start }, at) => expect(start).toBeCloseTo(found[at]?.end ?? 0, 9))
    expect(found[0]?.tracks.map(({ id }) => id)).toEqual([5, 4, 3, 2])
  })

  it('are compared with the nearest of other voices first', () => {
    const windows = [0, 10, 20, 30].map((start) => ({ start, end: start + 5 }))
    expect(chooseOthers(windows, [], 1, 2)).toEqual([0, 2])
    const turns = [1, 1, 2, 2].map((speaker, at) => ({ start: at * 10, end: at * 10 + 4, speaker }))
    expect(chooseOthers(windows, turns, 0, 3)).toEqual([2, 3, 1])
    expect(chooseOthers(windows, turns, 9, 3)).toEqual([])
  })
})

describe('rows of sound', () => {
  const rows = (...first: number[]) =>
    Float32Array.from(first.flatMap((value) => new Array<number>(CEPSTRA).fill(value)))
  const firstOf = (values: Float32Array) => [...values].filter((_, at) => at % CEPSTRA === 0)

  it('are turned round by whole pictures', () => {
    const eight = rows(0, 1, 2, 3, 4, 5, 6, 7)
    expect(firstOf(rotated(eight, 1))).toEqual([4, 5, 6, 7, 0, 1, 2, 3])
    expect(rotated(eight, -1)).toEqual(rotated(eight, 1))
    expect(rotated(eight, 2)).toEqual(eight)
  })

  it('are four a picture', () => {
    expect(firstOf(fitRows(rows(1, 2, 3, 4, 5), 1, 'still'))).toEqual([1, 2, 3, 4])
    expect(firstOf(fitRows(rows(1, 2, 3), 2, 'still'))).toEqual([1, 2, 3, 3, 3, 3, 3, 3])
    expect(firstOf(fitRows(rows(1, 2, 3), 2, 'again'))).toEqual([1, 2, 3, 1, 2, 3, 1, 2])
    expect(firstOf(fitRows(rows(), 1, 'again'))).toEqual([0, 0, 0, 0])
  })
})
