/** How much a mouth moves from one picture to the next, apart from the head that it is in. PURE. */
import type { Face, Grey } from './types.ts'

const WIDE = 20
const HIGH = 12

/** What of a face is compared: the mouth, and the eyes as the measure of what the whole head does. */
export interface FacePatches {
  readonly mouth: Float32Array
  readonly eyes: Float32Array
}

/** Both patches, upright and of one size, so that a head that turns or comes closer changes them little. */
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

/** Change of the mouth beyond that of the eyes, 0 to 1, both against the patch's own contrast. */
export function mouthMotion(before: FacePatches, now: FacePatches): number {
  return Math.max(0, changeOf(before.mouth, now.mouth) - 0.7 * changeOf(before.eyes, now.eyes))
}

interface Patch {
  readonly x: number
  readonly y: number
  readonly alongX: number
  readonly alongY: number
  readonly wide: number
  readonly high: number
}

/** Each value is the mean of a few places: the fine grain of teeth and stubble would else flicker. */
const FINE = 3

function sample(picture: Grey, { x, y, alongX, alongY, wide, high }: Patch): Float32Array {
  const values = new Float32Array(WIDE * HIGH)
  for (let row = 0; row < HIGH * FINE; row += 1) {
    const down = ((row + 0.5) / (HIGH * FINE) - 0.5) * high
    const line = Math.floor(row / FINE) * WIDE
    for (let column = 0; column < WIDE * FINE; column += 1) {
      const right = ((column + 0.5) / (WIDE * FINE) - 0.5) * wide
      const light = lightAt(picture, x + right * alongX - down * alongY, y + right * alongY + down * alongX)
      const place = line + Math.floor(column / FINE)
      values[place] = (values[place] ?? 0) + light / (FINE * FINE)
    }
  }
  return values
}

/** Between four pixels; the edge goes on outside. */
function lightAt({ width, height, pixels }: Grey, x: number, y: number): number {
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

/** Samples by which two patches may be shifted against each other: landmarks tremble, and that is no movement of lips. */
const TREMBLE = 2

/** The least of the changes over small shifts. */
function changeOf(a: Float32Array, b: Float32Array): number {
  let least = Infinity
  for (let down = -TREMBLE; down <= TREMBLE; down += 1)
    for (let right = -TREMBLE; right <= TREMBLE; right += 1)
      least = Math.min(least, changeAt(a, b, right, down))
  return least
}

/** Of the part that both have when the second one is shifted. */
function changeAt(a: Float32Array, b: Float32Array, right: number, down: number): number {
  const middleA = mean(a)
  const middleB = mean(b)
  let change = 0
  let contrast = 0
  let count = 0
  for (let row = TREMBLE; row < HIGH - TREMBLE; row += 1) {
    for (let column = TREMBLE; column < WIDE - TREMBLE; column += 1) {
      const va = (a[row * WIDE + column] ?? 0) - middleA
      const vb = (b[(row + down) * WIDE + column + right] ?? 0) - middleB
      change += Math.abs(va - vb)
      contrast += (Math.abs(va) + Math.abs(vb)) / 2
      count += 1
    }
  }
  // A patch without contrast is noise; its changes mean nothing.
  return change / Math.max(contrast, count * 6)
}

const mean = (values: Float32Array): number => values.reduce((sum, value) => sum + value, 0) / values.length
