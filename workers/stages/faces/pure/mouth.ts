/** Measures how much a mouth moves between pictures, independently of the movement of the head. PURE. */
import type { Face, Grey } from './face.ts'

const WIDE = 20
const HIGH = 12

/** The compared patches: the mouth, and the eyes as a measure of the whole head's movement. */
export interface FacePatches {
  readonly mouth: Float32Array
  readonly eyes: Float32Array
}

/** Both patches, rotated upright and scaled to one size, so that a turning or approaching head changes them little. */
export function patchesOf(picture: Grey, face: Face): FacePatches {
  const at = (place: number): [number, number] => [
    (face.landmarks[place * 2] ?? 0) * picture.width,
    (face.landmarks[place * 2 + 1] ?? 0) * picture.height,
  ]
  const [rightX, rightY] = at(0)
  const [leftX, leftY] = at(1)
  const [cornerX, cornerY] = at(3)
  const [otherX, otherY] = at(4)
  const apart = Math.max(2, Math.hypot(leftX - rightX, leftY - rightY))
  const alongX = (leftX - rightX) / apart
  const alongY = (leftY - rightY) / apart
  const patch = (x: number, y: number, wide: number, high: number): Float32Array =>
    sample(picture, { x, y, alongX, alongY, wide: wide * apart, high: high * apart })
  return {
    mouth: patch((cornerX + otherX) / 2, (cornerY + otherY) / 2, 1.2, 0.75),
    eyes: patch((rightX + leftX) / 2, (rightY + leftY) / 2, 1.7, 0.6),
  }
}

/** Change of the mouth beyond that of the eyes, 0 to 1, relative to each patch's contrast. */
export function measureMouthMotion(before: FacePatches, now: FacePatches): number {
  return Math.max(0, measureChange(before.mouth, now.mouth) - 0.7 * measureChange(before.eyes, now.eyes))
}

interface Patch {
  readonly x: number
  readonly y: number
  readonly alongX: number
  readonly alongY: number
  readonly wide: number
  readonly high: number
}

/** Each value is the mean of several samples; otherwise the fine grain of teeth and stubble would flicker. */
const FINE = 3

function sample(picture: Grey, { x, y, alongX, alongY, wide, high }: Patch): Float32Array {
  const values = new Float32Array(WIDE * HIGH)
  for (let row = 0; row < HIGH * FINE; row += 1) {
    const down = ((row + 0.5) / (HIGH * FINE) - 0.5) * high
    const line = Math.floor(row / FINE) * WIDE
    for (let column = 0; column < WIDE * FINE; column += 1) {
      const right = ((column + 0.5) / (WIDE * FINE) - 0.5) * wide
      const light = readLight(picture, x + right * alongX - down * alongY, y + right * alongY + down * alongX)
      const place = line + Math.floor(column / FINE)
      values[place] = (values[place] ?? 0) + light / (FINE * FINE)
    }
  }
  return values
}

/** Brightness interpolated between four pixels; outside, the edge is repeated. */
function readLight({ width, height, pixels }: Grey, x: number, y: number): number {
  const cx = Math.min(width - 1.001, Math.max(0, x))
  const cy = Math.min(height - 1.001, Math.max(0, y))
  const left = Math.floor(cx)
  const top = Math.floor(cy)
  const fx = cx - left
  const fy = cy - top
  const at = top * width + left
  const upper = (pixels[at] ?? 0) * (1 - fx) + (pixels[at + 1] ?? 0) * fx
  const lower = (pixels[at + width] ?? 0) * (1 - fx) + (pixels[at + width + 1] ?? 0) * fx
  return upper * (1 - fy) + lower * fy
}

/** Samples by which two patches may be shifted against each other, because landmarks jitter. */
const MAX_JITTER = 2

/** The smallest change over small shifts. */
function measureChange(a: Float32Array, b: Float32Array): number {
  let least = Infinity
  for (let down = -MAX_JITTER; down <= MAX_JITTER; down += 1)
    for (let right = -MAX_JITTER; right <= MAX_JITTER; right += 1)
      least = Math.min(least, measureChangeAt(a, b, right, down))
  return least
}

/** Change of the common area when the second patch is shifted. */
function measureChangeAt(a: Float32Array, b: Float32Array, right: number, down: number): number {
  const middleA = mean(a)
  const middleB = mean(b)
  let change = 0
  let contrast = 0
  let count = 0
  for (let row = MAX_JITTER; row < HIGH - MAX_JITTER; row += 1) {
    for (let column = MAX_JITTER; column < WIDE - MAX_JITTER; column += 1) {
      const va = (a[row * WIDE + column] ?? 0) - middleA
      const vb = (b[(row + down) * WIDE + column + right] ?? 0) - middleB
      change += Math.abs(va - vb)
      contrast += (Math.abs(va) + Math.abs(vb)) / 2
      count += 1
    }
  }
  // In a patch without contrast changes are noise.
  return change / Math.max(contrast, count * 6)
}

const mean = (values: Float32Array): number => values.reduce((sum, value) => sum + value, 0) / values.length
