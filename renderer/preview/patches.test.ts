import { expect, it } from 'vitest'
import { blendPatch } from './patches.ts'

type Rgb = readonly [number, number, number]

function pixels(width: number, height: number, colour: (x: number, y: number) => Rgb): Uint8ClampedArray {
  const made = new Uint8ClampedArray(width * height * 4)
  for (let at = 0; at < width * height; at++) {
    made.set([...colour(at % width, Math.floor(at / width)), 255], at * 4)
  }
  return made
}
const inside = (x: number, y: number, width: number, height: number): boolean =>
  x >= 2 && y >= 2 && x < width - 2 && y < height - 2

it('fills the place from around it and leaves the rim alone', () => {
  const width = 20
  const height = 12
  const around: Rgb = [200, 120, 40]
  const logo = pixels(width, height, (x, y) => (inside(x, y, width, height) ? [0, 255, 255] : around))
  blendPatch(logo, width, height)
  const plain = pixels(width, height, () => around)
  expect(Math.max(...logo.map((value, at) => Math.abs(value - (plain[at] ?? 0))))).toBeLessThanOrEqual(1)
})

it('is nearer to the nearer side', () => {
  const width = 24
  const height = 24
  const made = pixels(width, height, (x, y) =>
    inside(x, y, width, height) ? [0, 255, 0] : x < width / 2 ? [240, 240, 240] : [20, 20, 20],
  )
  const before = made.slice()
  blendPatch(made, width, height)
  const grey = (x: number, y: number): number => made[4 * (y * width + x)] ?? 0
  const row = [2, 6, 11, 12, 17, 21].map((x) => grey(x, 12))
  expect(row).toEqual(row.toSorted((a, b) => b - a))
  expect([row[0]! > 200, row.at(-1)! < 60]).toEqual([true, true])
  for (let at = 0; at < width * height; at++) {
    if (inside(at % width, Math.floor(at / width), width, height)) continue
    expect(made.slice(4 * at, 4 * at + 4)).toEqual(before.slice(4 * at, 4 * at + 4))
  }
})
