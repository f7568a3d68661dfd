import { describe, expect, it } from 'vitest'
import { factsOf, node } from '../../../test/support/plan-case.ts'
import type { ClipFaces } from '../../contract/clip-measurements.ts'
import { secondsToTicks } from '../../contract/time.ts'
import {
  presentFaces,
  presentFraming,
  presentShots,
  presentSpeaking,
  presentStretches,
  presentTurns,
  presentWords,
} from './present-inspection.ts'

const facesOf = (change: Partial<ClipFaces>): ClipFaces => ({
  start: 0,
  end: 60,
  shotStarts: [],
  tracks: [],
  screens: [],
  ...change,
})

it('gives boxes in pixels, and how many pictures a second they are of', () => {
  const box = (time: number) => ({ time, x: 0.25, y: 0.5, width: 0.125, height: 0.25, score: 0.91234 })
  const boxes = [box(0), box(0.08), box(0.16), box(3), box(3.08)]
  const { frameRate, tracks } = presentFaces([{ id: 4, boxes }], { width: 640, height: 360 })
  expect(frameRate).toBe(12.5)
  expect(tracks[0]?.boxes[1]).toEqual({ time: 0.08, x: 160, y: 180, width: 80, height: 90, score: 0.912 })
  expect(presentFaces([], { width: 640, height: 360 })).toEqual({ frameRate: 0, tracks: [] })
})

it('samples who speaks, nobody included, and is less sure of one of two', () => {
  const track = (id: number, start: number, end: number) => ({ id, points: [], speaking: [{ start, end }] })
  const samples = presentSpeaking(facesOf({ end: 1, tracks: [track(7, 0.2, 0.6), track(9, 0.4, 0.6)] }))
  expect(samples).toEqual([
    { time: 0, track: null, confidence: 0 },
    { time: 0.2, track: 7, confidence: 1 },
    { time: 0.4, track: 7, confidence: 0.5 },
    { time: 0.6, track: null, confidence: 0 },
    { time: 0.8, track: null, confidence: 0 },
  ])
})

it('gives who speaks by sound and lips as it was found', () => {
  const samples = [{ time: 0, track: 3, confidence: 0.81 }]
  expect(presentSpeaking(facesOf({}), { start: 0, end: 60, tracks: [], samples })).toBe(samples)
})

it('lists shots without gaps, whatever starts outside the source', () => {
  expect(presentShots([0, 2.5, 9, 12], 9)).toEqual([
    { start: 0, end: 2.5 },
    { start: 2.5, end: 9 },
  ])
})

it('rounds to milliseconds and keeps what else is known', () => {
  expect(presentStretches([{ start: 0.12345, end: 1, speaker: 2 }])).toEqual([
    { start: 0.123, end: 1, speaker: 2 },
  ])
  expect(presentStretches(null)).toEqual([])
  const turns = [0, 1].map((speaker) => ({ start: speaker, end: speaker + 1, speaker }))
  expect(presentTurns(turns, new Map([[1, 'Anna']]))).toEqual([turns[0], { ...turns[1], name: 'Anna' }])
  const word = { word: 'so', start: 1.00049, end: 2 }
  expect(presentWords([word, { ...word, speaker: 1 }])).toEqual([
    { text: 'so', start: 1, end: 2, speaker: null },
    { text: 'so', start: 1, end: 2, speaker: 1 },
  ])
})

describe('framing', () => {
  const upright = node('convert_to_vertical', { aspect_ratio: '9:16', style: 'style_one' })
  const framing = (faces: ClipFaces | null, seconds = 60) =>
    presentFraming({
      facts: factsOf({ duration: secondsToTicks(seconds) }),
      faces,
      nodes: [node('find_clips'), upright],
      digest: 'd',
    })

  it('has five samples a second over the whole source, however long, with the part that is on screen', () => {
    const { width, height, samples } = framing(null, 200)
    expect([width, height, samples.length]).toEqual([640, 360, 1000])
    expect(samples.map(({ time }) => time)).toEqual(samples.map((_, index) => index / 5))
    for (const { panes } of samples) expect(panes).toEqual([{ x: 218.75, y: 0, width: 202.5, height: 360 }])
  })

  it('follows a face, also one that is only there late in a long source', () => {
    const points = Array.from({ length: 91 }, (_, index): [number, number, number, number, number] => [
      100 + index,
      0.8,
      0.3,
      0.1,
      0.2,
    ])
    const faces = facesOf({ end: 200, shotStarts: [100], tracks: [{ id: 0, points, speaking: [] }] })
    const { samples } = framing(faces, 200)
    const late = samples.find(({ time }) => time === 150)?.panes[0]
    expect(late?.x).toBeGreaterThan(350)
    expect((late?.x ?? 0) + (late?.width ?? 0)).toBeGreaterThanOrEqual(0.9 * 640)
  })
})
