import { describe, expect, it } from 'vitest'
import { appearanceOf, locate } from './appearance.ts'
import type { Grey } from './face.ts'

const WIDTH = 160
const HEIGHT = 96

/** A patterned head whose box begins at a pixel, before a plain wall. */
function picture(left: number, top: number, wall = 90): Grey {
  const pixels = new Uint8Array(WIDTH * HEIGHT).fill(wall)
  for (let y = 0; y < 40; y += 1)
    for (let x = 0; x < 30; x += 1)
      pixels[(top + y - 8) * WIDTH + left + x] = 120 + 60 * Math.sin(x / 3) + 50 * Math.cos(y / 4)
  return { width: WIDTH, height: HEIGHT, pixels }
}

const box = (left: number, top: number) => ({
  x: left / WIDTH,
  y: top / HEIGHT,
  width: 30 / WIDTH,
  height: 32 / HEIGHT,
})

describe('a head', () => {
  const look = appearanceOf(picture(60, 30), box(60, 30))

  it.each([
    [60, 30],
    [72, 30],
    [50, 41],
    [78, 22],
  ])('is found where it has moved to: %i, %i', (left, top) => {
    const found = locate(picture(left, top), look, box(60, 30))
    expect(Math.abs((found?.box.x ?? 0) * WIDTH - left)).toBeLessThanOrEqual(1)
    expect(Math.abs((found?.box.y ?? 0) * HEIGHT - top)).toBeLessThanOrEqual(1)
    expect(found?.likeness).toBeGreaterThan(0.9)
  })

  it('looks the same in other light', () => {
    const bright = picture(64, 30)
    const found = locate(
      { ...bright, pixels: bright.pixels.map((value) => value / 2 + 60) },
      look,
      box(60, 30),
    )
    expect(found?.likeness).toBeGreaterThan(0.9)
  })

  it('is not found on a plain wall, and a plain wall has no looks', () => {
    const wall = { width: WIDTH, height: HEIGHT, pixels: new Uint8Array(WIDTH * HEIGHT).fill(90) }
    expect(locate(wall, look, box(60, 30))).toBeNull()
    expect(appearanceOf(wall, box(60, 30))).toBeNull()
  })
})
