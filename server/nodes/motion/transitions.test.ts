import { describe, expect, it } from 'vitest'
import type { MotionConfig } from '../../contract/motion-config.ts'
import { buildTimeMap } from '../../contract/time-map/spans.ts'
import { besideMoment, transitionOn } from '../../contract/time-map/transitions.ts'
import { secondsToTicks } from '../../contract/time.ts'
import { keepWordsOut, placeTransitions } from './transitions.ts'

const RATE = { numerator: 30, denominator: 1 }
const OUTPUT = { width: 1080, height: 1920, frameRate: RATE }

const mapOf = (...ranges: [start: number, end: number, rate?: number][]) =>
  buildTimeMap(
    ranges.map(([start, end, playbackRate = 1]) => ({ start, end, playbackRate })),
    RATE,
    secondsToTicks(100),
  ).timeMap

const placed = (config: MotionConfig, timeMap = mapOf([1, 3], [4, 6], [6.5, 8])) =>
  placeTransitions(config, { timeMap, output: OUTPUT })

describe('transitions between takes', () => {
  it('are at every cut, as long as was said, and change no time', () => {
    const all = placed({ transition: 'whip', transitionSeconds: 0.4 })
    expect(all.map(({ kind, cutFrame, frames }) => [kind, cutFrame, frames])).toEqual([
      ['whip', 60, 12],
      ['whip', 120, 12],
    ])
  })

  it('are none unless chosen, where nothing is left out, or switched off', () => {
    expect(placed({})).toEqual([])
    expect(placed({ transition: 'dip', enabled: false })).toEqual([])
    expect(placed({ transition: 'dip' }, mapOf([1, 3], [3, 6]))).toEqual([])
  })

  it.each([[3], [3.4], [4.02]])('are chosen for the cut that leaves out second %s', (at) => {
    const all = placed({ transition: 'zoom', cuts: [{ at, transition: 'dip', seconds: 1, color: 'white' }] })
    expect(all[0]).toMatchObject({ kind: 'dip', colour: 'white', frames: 30, cutFrame: 60 })
    expect(all[1]).toMatchObject({ kind: 'zoom', frames: 12 })
  })

  it('leave one cut alone', () => {
    const all = placed({ transition: 'zoom', cuts: [{ at: 6.2, transition: 'none' }] })
    expect(all.map(({ cutFrame }) => cutFrame)).toEqual([60])
  })

  it('never meet: each has half of a take at most', () => {
    const all = placed({ transition: 'cross_fade', transitionSeconds: 3 }, mapOf([1, 3], [4, 4.2], [6.5, 8]))
    expect(all.map(({ cutFrame, frames }) => [cutFrame - frames / 2, cutFrame + frames / 2])).toEqual([
      [57, 63],
      [63, 69],
    ])
    expect(placed({ transition: 'dip' }, mapOf([1, 3], [4, 4 + 1 / 30], [6.5, 8]))).toEqual([])
  })
})

describe('the sound of a transition', () => {
  const timeMap = mapOf([1, 3], [4, 6])
  const whole = placed({ transition: 'cross_fade', transitionSeconds: 1 }, timeMap)
  const soundMs = (...words: [number, number][]): number | undefined =>
    keepWordsOut(
      whole,
      words.map(([start, end]) => ({ start, end })),
      timeMap,
      RATE,
    ).transitions?.[0]?.soundMs

  it('is as long as the picture where nothing was said', () => {
    expect(soundMs([2.5, 2.9], [4.1, 4.5])).toBe(1000)
  })

  it('is shorter where a word was left out, so that none of it is heard', () => {
    expect(soundMs([3.2, 3.6])).toBe(400)
    expect(soundMs([3.4, 3.9])).toBe(200)
    expect(soundMs([3, 4])).toBe(0)
  })
})

describe('what is seen beside the frame’s own picture', () => {
  const transitions = placed({ transition: 'cross_fade', transitionSeconds: 0.2 }, mapOf([1, 3], [4, 6]))
  const composition = { transitions, timeMap: mapOf([1, 3], [4, 6]), output: OUTPUT }

  it('goes on behind the cut, and is there before it', () => {
    expect(transitionOn(composition, 56)).toBeNull()
    expect(besideMoment(composition, 56)).toBeNull()
    expect(besideMoment(composition, 57)).toBeCloseTo(4 - 2.5 / 30)
    expect(besideMoment(composition, 59)).toBeCloseTo(4 - 0.5 / 30)
    expect(besideMoment(composition, 60)).toBeCloseTo(3 + 0.5 / 30)
    expect(besideMoment(composition, 63)).toBeNull()
  })

  it('is held before the source’s beginning, and where a speed was changed', () => {
    const early = { ...composition, timeMap: mapOf([5, 7], [0, 2]) }
    expect(besideMoment(early, 57)).toBeCloseTo(0.5 / 30)
    const slow = { ...composition, timeMap: mapOf([1, 2, 0.5], [4, 6, 2]) }
    expect(besideMoment(slow, 58)).toBeCloseTo(4 + 0.5 / 30)
    expect(besideMoment(slow, 62)).toBeCloseTo(2 - 0.5 / 30)
  })
})
