import { describe, expect, it } from 'vitest'
import { edgesOf, findSteadyEdges, watchEdges, type EdgePicture } from './edges.ts'
import { frameAround } from './frame-around.ts'
import { findScreens } from './insets.ts'
import type { Grey, Track } from './face.ts'

const WIDTH = 320
const HEIGHT = 180
type Light = (x: number, y: number) => number

function grey(light: Light): Grey {
  const pixels = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, at) =>
    light(at % WIDTH, Math.floor(at / WIDTH)),
  )
  return { width: WIDTH, height: HEIGHT, pixels }
}

/** Blocks of light that move and are other ones in each place. */
const game =
  (time: number): Light =>
  (x, y) =>
    60 +
    120 *
      Math.abs(
        Math.sin(Math.floor((x + time * 37) / 24) * 12.9 + Math.floor(y / 24) * 7.3 + Math.floor(time / 3)),
      )

/** One light tone with lines of dark letters. */
const slide: Light = (x, y) => (x > 20 && x < 200 && y % 24 < 8 && y > 30 && x % 6 < 3 ? 20 : 250)

/** Light that falls off, under grain. */
const room =
  (time: number): Light =>
  (x, y) =>
    110 + x / 8 - y / 6 + 5 * Math.sin(x * 12.9 + y * 78.2 + time * 31)

const FRAME = { left: 230, top: 110, right: 300, bottom: 160 }
/** A person before a plain wall within the frame, over what is outside. */
const framed =
  (outside: Light, time: number, inside: Light = (x) => 95 + 3 * Math.sin(x / 9 + time)): Light =>
  (x, y) =>
    x > FRAME.left && x <= FRAME.right && y > FRAME.top && y <= FRAME.bottom ? inside(x, y) : outside(x, y)

const times = Array.from({ length: 13 }, (_, at) => at * 0.75)
const pictures = (light: (time: number) => Light): EdgePicture[] =>
  times.map((time) => edgesOf(grey(light(time)), time))

/** Somebody whose face's middle is at these shares of the picture. */
function track(
  x: number,
  y: number,
  height: number,
  [from, to]: readonly [number, number] = [0, 9.5],
): Track {
  const points: Track['points'][number][] = []
  for (let time = from; time <= to; time += 0.25) {
    const face = {
      x: x - height / 4,
      y: y - height / 2,
      width: height / 2,
      height,
      score: 0.9,
      landmarks: [],
    }
    points.push({ time, face })
  }
  return { id: 0, motion: [], firstPicture: 0, points }
}
const IN_FRAME: readonly [number, number, number] = [265 / WIDTH, 130 / HEIGHT, 24 / HEIGHT]
const FACE = { x: 265, y: 130, width: 14, height: 24 }

const near = (inset: readonly number[] | null | undefined) =>
  inset?.map((value, at) => Math.round(value * (at % 2 === 0 ? WIDTH : HEIGHT)))
const EXACT = [230, 110, 70, 50].map((pixels) => expect.closeTo(pixels, -0.5) as number)

describe('a frame around a face', () => {
  it('is found to the pixel over a game, over slides, and in the corner of the picture', () => {
    for (const outside of [game, () => slide]) {
      const frame = frameAround(findSteadyEdges(pictures((time) => framed(outside(time), time))), FACE)
      expect(frame?.left).toBeCloseTo(FRAME.left, -0.5)
      expect(frame?.right).toBeCloseTo(FRAME.right, -0.5)
      expect(frame?.top).toBeCloseTo(FRAME.top, -0.5)
      expect(frame?.bottom).toBeCloseTo(FRAME.bottom, -0.5)
    }
    const corner: (time: number) => Light = (time) => (x, y) => (x > 240 && y > 120 ? 95 : game(time)(x, y))
    const found = frameAround(findSteadyEdges(pictures(corner)), { x: 285, y: 150, width: 14, height: 24 })
    expect(found).toMatchObject({ right: WIDTH - 1, bottom: HEIGHT - 1 })
    expect(found?.left).toBeCloseTo(240, -0.5)
  })

  it('is none where somebody stands before a side of it, or there is only a wall of tiles', () => {
    const stands: (time: number) => Light = (time) => (x, y) =>
      Math.abs(x - 265) < 8 + (y - 120) * 0.4 && y > 120 ? 60 : framed(room(time), time, () => 230)(x, y)
    expect(frameAround(findSteadyEdges(pictures(stands)), FACE)).toBeNull()
    const tiles: Light = (x, y) => (x % 8 < 2 || y % 8 < 2 ? 40 : 200)
    expect(frameAround(findSteadyEdges(pictures(() => tiles)), FACE)).toBeNull()
  })

  it('is none around most of the picture, nor a strip of it', () => {
    const large: Light = (x, y) => (x > 20 && x < 300 && y > 10 && y < 170 ? 95 : 220)
    const strip: Light = (x) => (x > 220 ? 95 : 220)
    for (const light of [large, strip])
      expect(frameAround(findSteadyEdges(pictures(() => light)), FACE)).toBeNull()
  })
})

describe('screens', () => {
  it('have a webcam over a game, over its cuts and while nobody is found in it', () => {
    const overGame = pictures((time) => framed(game(time), time))
    const seen = [track(...IN_FRAME, [0, 2.9]), track(...IN_FRAME, [3, 5.5])]
    const [screen, ...more] = findScreens(seen, overGame)
    expect(more).toEqual([])
    expect(near(screen?.inset)).toEqual(EXACT)
    expect(screen).toMatchObject({ start: 0 })
    expect(screen?.end).toBeGreaterThan(7)
  })

  it('end where the webcam is taken away', () => {
    const until = pictures((time) => (time < 5 ? framed(game(time), time) : game(time)))
    const [screen] = findScreens([track(...IN_FRAME, [0, 4.5])], until)
    expect(screen?.end).toBeGreaterThanOrEqual(4.5)
    expect(screen?.end).toBeLessThan(5)
  })

  it('have somebody without a frame in a corner of slides, but not in a corner of a room', () => {
    const person = track(0.88, 0.8, 0.16)
    const [screen] = findScreens(
      [person],
      pictures(() => slide),
    )
    expect(screen?.inset?.[0]).toBeGreaterThan(0.7)
    expect(screen?.end).toBeGreaterThan(6)
    expect(findScreens([person], pictures(room))).toEqual([])
  })

  it('are not where somebody is large, moves about, or is not alone without a frame', () => {
    const slides = pictures(() => slide)
    expect(findScreens([track(0.8, 0.7, 0.5)], slides)).toEqual([])
    const walks = track(0.88, 0.8, 0.16)
    const moved = walks.points.map(({ time, face }) => ({ time, face: { ...face, x: 0.4 + time * 0.05 } }))
    expect(findScreens([{ ...walks, points: moved }], slides)).toEqual([])
    expect(findScreens([track(0.88, 0.8, 0.16), track(0.3, 0.5, 0.3)], slides)).toEqual([])
  })

  it('are slides without anybody, while nobody is there', () => {
    const slides = pictures(() => slide)
    expect(findScreens([], slides)).toEqual([{ start: 0, end: 9, inset: null }])
    expect(findScreens([track(0.5, 0.5, 0.5, [0, 4.25])], slides)).toEqual([
      { start: 4.5, end: 9, inset: null },
    ])
    expect(findScreens([], pictures(room))).toEqual([])
    expect(findScreens([], pictures(game))).toEqual([])
  })
})

describe('stored pictures', () => {
  it('are evenly spread over a stretch of any length, and not more than there is room for', () => {
    const watch = watchEdges()
    const small: Grey = { width: 8, height: 8, pixels: new Uint8Array(64) }
    for (let time = 0; time < 600; time += 0.25) watch.add(small, time)
    const stored = watch.pictures().map(({ time }) => time)
    expect(stored.length).toBeLessThanOrEqual(121)
    expect(stored.length).toBeGreaterThan(50)
    const gaps = stored.slice(1).map((time, at) => time - (stored[at] ?? 0))
    expect(Math.max(...gaps)).toBeLessThanOrEqual(2 * Math.min(...gaps))
    expect(stored.at(-1)).toBeGreaterThan(585)
  })
})
