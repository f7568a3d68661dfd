/** Transitions in rendered files: which pictures are seen when, of every kind, and the sound across the cut. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Composition, Transition } from '../../server/contract/composition.ts'
import {
  LOSSLESS,
  MIDDLE,
  countingSource,
  lumaOf,
  make,
  plain,
  probeStreams,
  renderForTest,
  samplesOf,
  shownFrames,
  spans,
} from './render-support.ts'

let root = ''
let counting = ''
let number = 0
const nextRoot = (): string => join(root, `run-${(number += 1)}`)

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-transitions-'))
  counting = join(root, 'counting.mkv')
  await make([...countingSource(200), ...LOSSLESS, counting])
})
afterAll(() => rm(root, { recursive: true, force: true }))

const transition = (over: Partial<Transition> = {}): Transition => ({
  kind: 'cross_fade',
  cutFrame: 20,
  frames: 8,
  colour: 'black',
  soundMs: 0,
  ...over,
})

/** Two takes of 20 frames of the counting source: each frame's luma is 16 and its number. */
function joined(transitions: Transition[], takes: Parameters<typeof spans>[0]): Composition {
  const timeMap = spans(takes)
  const durationFrames = timeMap.at(-1)?.endFrame ?? 0
  return { ...plain({ durationFrames }), timeMap, ...(transitions.length === 0 ? {} : { transitions }) }
}

const NEAR = [
  [10, 20],
  [60, 20],
] as const
const count = (from: number, frames: number): number[] =>
  Array.from({ length: frames }, (_, index) => from + index)

/** What a cross-fade of 8 frames at frame 20 shows of two takes: numbers between those of both, which go on beside the cut. */
const faded = (outgoing: (frame: number) => number, incoming: (frame: number) => number): number[] =>
  count(16, 8).map((frame) => {
    const mix = (frame - 16 + 0.5) / 8
    return outgoing(frame) * (1 - mix) + incoming(frame) * mix
  })

describe('a cross-fade', () => {
  it('shows what goes on beside the cut of both takes, and moves nothing', async () => {
    const run = await renderForTest(joined([transition()], NEAR), counting, nextRoot())
    const shown = await shownFrames(run.clip)
    expect(shown).toHaveLength(40)
    expect(shown.slice(0, 16)).toEqual(count(10, 16))
    expect(shown.slice(24)).toEqual(count(64, 16))
    const wanted = faded(
      (frame) => 10 + frame,
      (frame) => 40 + frame,
    )
    shown
      .slice(16, 24)
      .forEach((value, at) => expect(Math.abs(value - (wanted[at] ?? 0))).toBeLessThanOrEqual(1))
    const { audio } = await probeStreams(run.clip)
    expect(Number(audio.duration)).toBeCloseTo(40 / 30, 2)
  })

  it('reads takes that are far apart, or in the other order, by seeking', async () => {
    const far = [
      [150, 20],
      [30, 20],
    ] as const
    const run = await renderForTest(joined([transition()], far), counting, nextRoot())
    const shown = await shownFrames(run.clip)
    expect(shown.slice(0, 16)).toEqual(count(150, 16))
    expect(shown.slice(24)).toEqual(count(34, 16))
    const wanted = faded(
      (frame) => 150 + frame,
      (frame) => 10 + frame,
    )
    shown
      .slice(16, 24)
      .forEach((value, at) => expect(Math.abs(value - (wanted[at] ?? 0))).toBeLessThanOrEqual(1))
  })

  it('holds a picture where the source has none, and where a speed was changed', async () => {
    const edges = [
      [180, 20],
      [0, 20],
    ] as const
    const run = await renderForTest(joined([transition()], edges), counting, nextRoot())
    const shown = await shownFrames(run.clip)
    const wanted = faded(
      (frame) => Math.min(199, 180 + frame),
      (frame) => Math.max(0, frame - 20),
    )
    shown
      .slice(16, 24)
      .forEach((value, at) => expect(Math.abs(value - (wanted[at] ?? 0))).toBeLessThanOrEqual(1))
    const fast = [
      [10, 20, 2],
      [100, 20],
    ] as const
    const again = await renderForTest(joined([transition()], fast), counting, nextRoot())
    const behind = (await shownFrames(again.clip)).slice(20, 24)
    behind.forEach((value, at) => {
      const mix = (4.5 + at) / 8
      expect(Math.abs(value - (49 * (1 - mix) + (100 + at) * mix))).toBeLessThanOrEqual(1.5)
    })
  })

  it('has several, with takes of their length between', async () => {
    const takes = count(0, 6).map((take) => [10 + take * 25, 8] as const)
    const transitions = count(1, 5).map((take) => transition({ cutFrame: take * 8 }))
    const run = await renderForTest(joined(transitions, takes), counting, nextRoot())
    const shown = await shownFrames(run.clip)
    expect(shown).toHaveLength(48)
    expect(shown.slice(0, 4)).toEqual(count(10, 4))
    expect(shown.slice(44)).toEqual(count(139, 4))
    const mix = 3.5 / 8
    expect(Math.abs((shown[7] ?? 0) - (17 * (1 - mix) + 34 * mix))).toBeLessThanOrEqual(1)
  })
})

describe('other kinds', () => {
  it.each(['black', 'white'] as const)('dips to %s', async (colour) => {
    const run = await renderForTest(joined([transition({ kind: 'dip', colour })], NEAR), counting, nextRoot())
    const luma = await lumaOf(run.clip, MIDDLE)
    expect((await shownFrames(run.clip)).slice(0, 16)).toEqual(count(10, 16))
    const lit = [luma[19] ?? 0, luma[20] ?? 0].map((value) => value / 255)
    for (const value of lit) {
      if (colour === 'black') expect(value).toBeLessThan(0.03)
      else expect(value).toBeGreaterThan(0.9)
    }
    expect((await shownFrames(run.clip)).slice(24)).toEqual(count(64, 16))
  })

  it('whips to the left: what begins comes in from the right', async () => {
    const run = await renderForTest(
      joined([transition({ kind: 'whip', frames: 12 })], NEAR),
      counting,
      nextRoot(),
    )
    const left = await lumaOf(run.clip, '64:64:0:148')
    const right = await lumaOf(run.clip, '64:64:576:148')
    const of = (values: readonly number[], frame: number): number => ((values[frame] ?? 0) * 219) / 255
    expect(of(left, 19)).toBeLessThan(35)
    expect(of(right, 19)).toBeGreaterThan(50)
    expect((await shownFrames(run.clip)).slice(0, 14)).toEqual(count(10, 14))
    expect((await shownFrames(run.clip)).slice(26)).toEqual(count(66, 14))
  })

  it('zooms through the cut', async () => {
    const run = await renderForTest(
      joined([transition({ kind: 'zoom', frames: 12 })], NEAR),
      counting,
      nextRoot(),
    )
    const shown = await shownFrames(run.clip)
    expect(shown.slice(0, 14)).toEqual(count(10, 14))
    expect(shown.slice(26)).toEqual(count(66, 14))
    expect(Math.abs((shown[16] ?? 0) - 26)).toBeLessThanOrEqual(1)
    expect(Math.abs((shown[23] ?? 0) - 63)).toBeLessThanOrEqual(1)
  })
})

describe('the sound', () => {
  it('is cross-faded for as long as the transition says, with its cut in its place', async () => {
    // Beeps of 0.1 s begin at frames 30 and 60: the first take ends in one, the second begins after one.
    const takes = [
      [11, 20],
      [64, 20],
    ] as const
    const hard = await renderForTest(joined([], takes), counting, nextRoot())
    const soft = await renderForTest(joined([transition({ soundMs: 200 })], takes), counting, nextRoot())
    const before = await samplesOf(hard.clip)
    const after = await samplesOf(soft.clip)
    const power = (samples: Float32Array, from: number, to: number): number => {
      let sum = 0
      for (let at = Math.round(from * 48_000); at < to * 48_000; at++) sum += (samples[at] ?? 0) ** 2
      return sum / ((to - from) * 48_000)
    }
    const cut = 20 / 30
    // Behind the hard cut it is silent; in the soft one the first take's beep goes on, ever more quietly.
    expect(power(before, cut + 0.01, cut + 0.06)).toBeLessThan(1e-6)
    expect(power(after, cut + 0.01, cut + 0.03)).toBeGreaterThan(1e-3)
    expect(power(after, cut + 0.04, cut + 0.06)).toBeLessThan(power(after, cut + 0.01, cut + 0.03))
    expect(power(after, 0, cut - 0.11)).toBeCloseTo(power(before, 0, cut - 0.11), 4)
    expect(power(after, cut + 0.11, cut + 0.6)).toBeCloseTo(power(before, cut + 0.11, cut + 0.6), 4)
  })
})
