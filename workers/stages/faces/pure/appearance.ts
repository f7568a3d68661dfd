/** What a head looks like, and where it is in the next picture: normalised cross correlation of the grey picture. PURE. */
import type { Face, Grey } from './face.ts'

const WIDE = 20
const HIGH = 24
/** How far a head is looked for from where it should be, in faces, and the coarse steps to there. */
const REACH = 0.8
const COARSE = 6
/** The coarse search looks at every second pixel of every second row. */
const SPARSE = 2
/** Of two places that look alike the nearer one: so much likeness is a face's width worth. */
const FARNESS = 0.1
/** The head beyond the face's box, in faces: hair and ears do not change when somebody turns or bows. */
const BEYOND = { side: 0.12, top: 0.25, bottom: 0 } as const
/** A patch with less contrast than this (of 255) looks like any wall. */
const MIN_CONTRAST = 6

/** A small copy of a head, of mean 0 and norm 1; null: nothing that could be found again. */
export type Appearance = Float32Array | null

type Box = Pick<Face, 'x' | 'y' | 'width' | 'height'>

/** The look of the head of a face. */
export function appearanceOf(picture: Grey, face: Box): Appearance {
  const values = new Float32Array(WIDE * HIGH)
  return readPatch(picture, layOut(picture, face), { right: 0, down: 0, every: 1 }, values) ? values : null
}

/**
 * Where a head is now that should be at `expected`: its box, and how alike it is, from 0 to 1. Its size stays. Null: it looks
 * like nothing that is there.
 */
export function locate(
  picture: Grey,
  look: Appearance,
  expected: Box,
): { box: Box; likeness: number } | null {
  if (look === null) return null
  const layout = layOut(picture, expected)
  const values = new Float32Array(WIDE * HIGH)
  let best = { right: 0, down: 0, likeness: -1, value: -1 }
  const tryAt = (right: number, down: number, every: number): void => {
    if (!readPatch(picture, layout, { right, down, every }, values)) return
    let likeness = 0
    for (let row = 0; row < HIGH; row += every)
      for (let at = row * WIDE; at < (row + 1) * WIDE; at += every)
        likeness += (values[at] ?? 0) * (look[at] ?? 0)
    // A sparse copy of the look has about so much of its norm.
    if (every > 1) likeness *= every
    const value = likeness - FARNESS * (Math.hypot(right, down) / (expected.width * picture.width))
    if (value > best.value) best = { right, down, likeness, value }
  }
  const search = (reach: number, step: number, every: number): void => {
    const { right, down } = best
    if (every === 1) best = { ...best, value: -1 }
    for (let row = -reach; row <= reach; row += 1)
      for (let column = -reach; column <= reach; column += 1)
        tryAt(Math.round(right + column * step), Math.round(down + row * step), every)
  }
  let step = Math.max(1, (REACH * expected.width * picture.width) / COARSE)
  search(COARSE, step, SPARSE)
  do {
    step = Math.max(1, step / 2)
    search(1, step, 1)
  } while (step > 1)
  if (best.likeness <= 0) return null
  const { right, down, likeness } = best
  const box = {
    x: expected.x + right / picture.width,
    y: expected.y + down / picture.height,
    width: expected.width,
    height: expected.height,
  }
  return { box, likeness: Math.min(1, likeness) }
}

interface Layout {
  readonly columns: Float64Array
  readonly rows: Float64Array
}

/** The pixels of a head that are looked at. */
function layOut({ width, height }: Grey, face: Box): Layout {
  const left = (face.x - BEYOND.side * face.width) * width
  const top = (face.y - BEYOND.top * face.height) * height
  const wide = face.width * (1 + 2 * BEYOND.side) * width
  const high = face.height * (1 + BEYOND.top + BEYOND.bottom) * height
  return {
    columns: Float64Array.from({ length: WIDE }, (_, at) => Math.round(left + ((at + 0.5) * wide) / WIDE)),
    rows: Float64Array.from({ length: HIGH }, (_, at) => Math.round(top + ((at + 0.5) * high) / HIGH)),
  }
}

/**
 * Reads a patch moved by some pixels, of mean 0 and norm 1, or only every so many of its samples; beyond the picture its edge
 * is repeated. False: no contrast.
 */
function readPatch(
  { width, height, pixels }: Grey,
  { columns, rows }: Layout,
  { right, down, every }: { right: number; down: number; every: number },
  values: Float32Array,
): boolean {
  let sum = 0
  let squares = 0
  for (let row = 0; row < HIGH; row += every) {
    const line = Math.min(height - 1, Math.max(0, (rows[row] ?? 0) + down)) * width
    for (let column = 0; column < WIDE; column += every) {
      const light = pixels[line + Math.min(width - 1, Math.max(0, (columns[column] ?? 0) + right))] ?? 0
      values[row * WIDE + column] = light
      sum += light
      squares += light * light
    }
  }
  const count = (WIDE * HIGH) / (every * every)
  const mean = sum / count
  const spread = squares - sum * mean
  if (spread < MIN_CONTRAST * MIN_CONTRAST * count) return false
  const norm = 1 / Math.sqrt(spread)
  for (let row = 0; row < HIGH; row += every)
    for (let at = row * WIDE; at < (row + 1) * WIDE; at += every)
      values[at] = ((values[at] ?? 0) - mean) * norm
  return true
}
