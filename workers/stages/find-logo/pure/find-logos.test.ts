import { describe, expect, it } from 'vitest'
import { findLogos, regionsOf, watchEdges } from './find-logos.ts'

const WIDTH = 320
const HEIGHT = 180

/** Always the same "random" numbers, 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
}

type Scene = (picture: number) => (x: number, y: number) => number

/** Noise in blocks of 8, new in each picture. */
const noise: Scene = (picture) => {
  const random = numbers(picture + 1)
  const blocks = Array.from({ length: 40 * 23 }, () => random() * 255)
  return (x, y) => blocks[(y >> 3) * 40 + (x >> 3)] ?? 0
}
/** A soft wave that turns and moves on. */
const waves: Scene = (picture) => (x, y) =>
  128 + 100 * Math.sin(picture * 1.7 + (x * Math.cos(picture) + y * Math.sin(picture)) / 25)
/** A room that never changes, with a person in the middle who moves. */
const fixedCamera: Scene = (picture) => {
  const room = noise(1)
  const person = noise(picture + 5)
  return (x, y) => (Math.abs(x - 160) < 50 && y > 40 ? person(x, y) : room(x, y))
}
const bars =
  (scene: Scene): Scene =>
  (picture) => {
    const at = scene(picture)
    return (x, y) => (y < 22 || y >= HEIGHT - 22 ? 16 : at(x, y))
  }

type Box = readonly [left: number, top: number, width: number, height: number]

/** Three letters, light on what is behind them; `opacity` 1 hides it. */
function letters([left, top, width, height]: Box, opacity: number) {
  const third = width / 3
  return (x: number, y: number, behind: number): number => {
    const dx = x - left
    const dy = y - top
    if (dx < 0 || dy < 0 || dx >= width || dy >= height) return behind
    const on = dx % third < third * 0.7 && (dx % third < 4 || dy < 4 || dy >= height - 4)
    return on ? behind + (250 - behind) * opacity : behind
  }
}

function look(scene: Scene, pictures: number, logo = (_x: number, _y: number, behind: number) => behind) {
  const watcher = watchEdges(WIDTH, HEIGHT)
  for (let picture = 0; picture < pictures; picture += 1) {
    const at = scene(picture)
    const grey = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, index) => {
      const x = index % WIDTH
      const y = Math.floor(index / WIDTH)
      return Math.round(logo(x, y, at(x, y)))
    })
    watcher.add(grey)
  }
  return findLogos(watcher.finish())
}

const CORNER: Box = [250, 14, 48, 20]

describe('a logo that stands still', () => {
  it.each([
    ['over noise', noise, CORNER, 1],
    ['over waves', waves, CORNER, 1],
    ['half transparent, over waves', waves, CORNER, 0.5],
    ['half transparent, over noise', noise, CORNER, 0.6],
    ['at the bottom, in the middle', noise, [130, 150, 60, 18] as Box, 1],
    ['at the very edge', waves, [0, 0, 40, 24] as Box, 1],
  ] as const)('is found %s', (_name, scene, box, opacity) => {
    const { places, unsure } = look(scene, 40, letters(box, opacity))
    expect([places.length, unsure]).toEqual([1, false])
    const [left, top, width, height] = box
    const { x = 0, y = 0, ...size } = places[0] ?? { width: 0, height: 0 }
    const found = [(x * WIDTH) / 100, (y * HEIGHT) / 100]
    const far = [found[0]! + (size.width * WIDTH) / 100, found[1]! + (size.height * HEIGHT) / 100]
    // All of it, and hardly more: its letters end a third of a letter before the box does.
    expect(found[0]).toBeLessThanOrEqual(left)
    expect(found[1]).toBeLessThanOrEqual(top)
    expect(far[0]).toBeGreaterThanOrEqual(left + width * 0.9)
    expect(far[1]).toBeGreaterThanOrEqual(top + height)
    expect(Math.max(left - found[0]!, top - found[1]!)).toBeLessThan(10)
    expect(Math.max(far[0]! - left - width, far[1]! - top - height)).toBeLessThan(10)
  })

  it('is found twice where there are two', () => {
    const first = letters(CORNER, 1)
    const second = letters([20, 140, 45, 22], 1)
    const both = look(noise, 40, (x, y, behind) => second(x, y, first(x, y, behind)))
    expect(both.places).toHaveLength(2)
  })
})

describe('nothing is found', () => {
  const logo = letters(CORNER, 1)
  const ticker = (x: number, y: number, behind: number) =>
    x > 4 && x < 314 && y > 150 && y < 170 ? 250 : behind
  const moving: Scene = (picture) => {
    const at = noise(picture)
    const drawn = letters([20 + picture * 6, 14, 48, 20], 1)
    return (x, y) => drawn(x, y, at(x, y))
  }
  it.each([
    ['where there is no logo, in noise', look(noise, 40), false],
    ['where there is no logo, in waves', look(waves, 40), false],
    ['where the letters move', look(moving, 35), false],
    ['in black bars above and below', look(bars(noise), 40), false],
    ['in the middle of the picture', look(noise, 40, letters([136, 80, 48, 20], 1)), false],
    ['in what is as wide as the picture', look(noise, 40, ticker), false],
    ['in a still picture', look(() => noise(1), 40, logo), true],
    ['in a room with a fixed camera', look(fixedCamera, 40, logo), true],
    ['in too few pictures', look(noise, 5, logo), true],
    ['in no picture at all', look(noise, 0), true],
  ])('%s', (_name, found, unsure) => {
    expect(found).toEqual({ places: [], unsure })
  })
})

it('gathers what lies near each other, and nothing else', () => {
  const marks = new Uint8Array(20 * 10)
  for (const at of [0, 3, 43, 119, 178]) marks[at] = 1
  expect(regionsOf(marks, 20, 10, 3)).toEqual([
    { left: 0, top: 0, right: 4, bottom: 3, places: 3 },
    { left: 18, top: 5, right: 20, bottom: 9, places: 2 },
  ])
})
