/** Small pictures, random numbers that are the same in every run, and plain algebra to check against. */
import type { Pixels } from '../../workers/compositor/cutout/pixels.ts'

/** Numbers from 0 up to 1 (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** An opaque picture with a colour for each place. */
export function drawPicture(
  width: number,
  height: number,
  colourAt: (x: number, y: number) => readonly number[],
): Pixels {
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  for (let at = 0; at < width * height; at++) data.set(colourAt(at % width, Math.floor(at / width)), at * 4)
  return { width, height, data }
}

/** Red, green and blue of the pixel with this number. */
export const colourOf = ({ data }: Pixels, at: number): number[] => [...data.subarray(at * 4, at * 4 + 3)]

/** Solves a system of linear equations (elimination with pivots). `size`: the determinant. */
export function solveLinear(
  matrix: readonly (readonly number[])[],
  right: readonly number[],
): { readonly solution: number[]; readonly size: number } {
  const rows = matrix.map((row, index) => [...row, right[index]!])
  let size = 1
  for (let step = 0; step < rows.length; step++) {
    const pivot = rows.reduce(
      (best, row, index) =>
        index >= step && Math.abs(row[step]!) > Math.abs(rows[best]![step]!) ? index : best,
      step,
    )
    if (pivot !== step) {
      rows.splice(pivot, 1, rows.splice(step, 1, rows[pivot]!)[0]!)
      size = -size
    }
    const own = rows[step]!
    size *= own[step]!
    for (const row of rows) {
      if (row === own) continue
      const times = row[step]! / own[step]!
      own.forEach((value, column) => (row[column]! -= times * value))
    }
  }
  return { solution: rows.map((row, index) => row[rows.length]! / row[index]!), size }
}
