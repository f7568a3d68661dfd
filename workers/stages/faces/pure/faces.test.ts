import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { suppressOverlaps, type Face, type Grey, type Track } from './face.ts'
import { followFaces, thinPath } from './follow.ts'
import { watchShots } from './shots.ts'
import { detectActiveSpeakers } from './speaking.ts'

const face = (x: number, y = 0.3, width = 0.1, height = 0.2): Face => ({
  x,
  y,
  width,
  height,
  score: 0.9,
  landmarks: [
    x + 0.03,
    y + 0.07,
    x + 0.07,
    y + 0.07,
    x + 0.05,
    y + 0.1,
    x + 0.035,
    y + 0.15,
    x + 0.065,
    y + 0.15,
  ],
})

function grey(light: (x: number, y: number) => number): Grey {
  const width = 64
  const height = 36
  const pixels = Uint8Array.from({ length: width * height }, (_, at) =>
    light(at % width, Math.floor(at / width)),
  )
  return { width, height, pixels }
}
const scene = (seed: number, shift = 0): Grey =>
  grey(
    (x, y) =>
      (Math.sin((x + shift) * 0.2 * seed) + Math.sin(y * 0.31 * seed) + 2) * 60 * (seed % 2 === 0 ? 0.5 : 1),
  )

describe('shots', () => {
  it('begin where the picture changes at once, not where it moves or flickers', () => {
    const watch = watchShots()
    const pictures = [
      ...Array.from({ length: 20 }, (_, at) => scene(1, at)),
      ...Array.from({ length: 20 }, (_, at) => scene(2, at)),
    ]
    expect(pictures.map((picture) => watch.begins(picture)).flatMap((cut, at) => (cut ? [at] : []))).toEqual([
      20,
    ])
  })
})

describe('faces found twice', () => {
  it('are one, the better one', () => {
    const better = face(0.2)
    const worse = { ...face(0.21), score: 0.8 }
    expect(suppressOverlaps([worse, better, face(0.6)], 0.3)).toEqual([better, face(0.6)])
  })
})

describe('following', () => {
  const picture = scene(1)
  const step = (time: number) => [
    { time: time - 0.08, picture },
    { time, picture },
  ]

  it('keeps two people apart who cross slowly, and ends them at a cut', () => {
    const follower = followFaces()
    for (let at = 0; at < 20; at += 1) follower.add(step(at * 0.24), [face(0.1 + at * 0.01), face(0.7)])
    follower.endShot()
    for (let at = 20; at < 40; at += 1) follower.add(step(at * 0.24), [face(0.69)])
    const tracks = follower.finish()
    expect(tracks.map(({ id, points }) => [id, points.at(-1)?.time])).toEqual([
      [0, expect.closeTo(4.56)],
      [1, expect.closeTo(4.56)],
      [2, expect.closeTo(9.36)],
    ])
    expect(tracks[0]?.points.at(-1)?.face.x).toBeCloseTo(0.29)
    expect(tracks[1]?.points.every((point) => point.face.x === 0.7)).toBe(true)
  })

  it('survives a face that is not found for a moment; drops what is seen for a moment only', () => {
    const follower = followFaces()
    for (let at = 0; at < 12; at += 1)
      follower.add(step(at * 0.24), [
        ...(at === 5 || at === 6 ? [] : [face(0.4)]),
        ...(at === 3 ? [face(0.8)] : []),
      ])
    const tracks = follower.finish()
    expect(tracks).toHaveLength(1)
    expect(tracks[0]?.points.every((point) => point.face.x === 0.4)).toBe(true)
    // One value for each picture that was looked at since it was first seen, found or not.
    expect(tracks[0]?.motion.length).toBe(23)
  })
})

describe('who speaks', () => {
  const times = Array.from({ length: 100 }, (_, at) => at * 0.08)
  const track = (id: number, motion: (at: number) => number): Track => ({
    id,
    points: [],
    firstPicture: 0,
    motion: times.map((_, at) => motion(at)),
  })
  const talking = (at: number): number => 0.15 + 0.3 * Math.abs(Math.sin(at * 1.7))

  it('is the one whose lips move, while a voice is heard', () => {
    const [left, right] = detectActiveSpeakers({
      times,
      voiced: times.map((_, at) => at < 45 || at >= 55),
      tracks: [
        track(0, (at) => (at < 50 ? talking(at) : 0.03)),
        track(1, (at) => (at < 50 ? 0.03 : talking(at))),
      ],
    })
    expect(left).toHaveLength(1)
    expect(right).toHaveLength(1)
    expect(left?.[0]?.start).toBeCloseTo(0)
    expect(left?.[0]?.end).toBeCloseTo(3.6, 1)
    expect(right?.[0]?.start).toBeCloseTo(4.4, 1)
  })

  it('is nobody when no lips move, and nobody when no voice is heard', () => {
    const still = track(0, () => 0.04)
    expect(detectActiveSpeakers({ times, voiced: times.map(() => true), tracks: [still] })).toEqual([[]])
    expect(
      detectActiveSpeakers({ times, voiced: times.map(() => false), tracks: [track(0, talking)] }),
    ).toEqual([[]])
  })

  it('does not take the word from somebody for a bite of another', () => {
    const bite = track(1, (at) => (at >= 40 && at < 43 ? 0.5 : 0.03))
    const [speaker, other] = detectActiveSpeakers({
      times,
      voiced: times.map(() => true),
      tracks: [track(0, talking), bite],
    })
    expect(speaker).toHaveLength(1)
    expect(other).toEqual([])
  })
})

describe('thinned paths', () => {
  it('stay within the tolerance of every point that was left out, with first and last included', () => {
    const steps = fc.array(fc.double({ min: -0.01, max: 0.01, noNaN: true }), { minLength: 2, maxLength: 60 })
    fc.assert(
      fc.property(steps, (moves) => {
        let x = 0.5
        const points = moves.map((move, at) => ({ time: at * 0.24, face: face((x += move)) }))
        const remaining = thinPath(points)
        expect(remaining[0]).toBe(points[0])
        expect(remaining.at(-1)).toBe(points.at(-1))
        for (const { time, face: real } of points) {
          const next = remaining.findIndex((one) => one.time >= time)
          const a = remaining[Math.max(0, next - 1)]
          const b = remaining[next]
          if (a === undefined || b === undefined) throw new Error('no neighbours')
          const t = b.time === a.time ? 0 : (time - a.time) / (b.time - a.time)
          expect(Math.abs(a.face.x + (b.face.x - a.face.x) * t - real.x)).toBeLessThan(0.06 * 0.1 + 1e-8)
        }
      }),
    )
  })

  it('of somebody who sits still are few', () => {
    const points = Array.from({ length: 500 }, (_, at) => ({ time: at * 0.24, face: face(0.5) }))
    expect(thinPath(points).length).toBeLessThan(40)
  })
})
