/** Cuts faces out of pictures as active speaker models were trained on them. PURE. */
import type { FaceBoxes } from '../../../../server/contract/clip-measurements.ts'
import type { Grey } from '../../faces/pure/face.ts'

/** Pixels on each side of a cut-out face. */
export const CROP = 112
/** Pictures a second. */
export const RATE = 25
/** Boxes are smoothed by the median of this many pictures. */
const MEDIAN_PICTURES = 13
/** Of half the longer side of a face's box: the side of what is cut out, and how far its middle is below that of the box. */
const SIDE = 1.4
const BELOW = 0.4
/** Light outside the picture, as the models were trained. */
const OUTSIDE = 110

type TimedBox = FaceBoxes['tracks'][number]['boxes'][number]

/** What is cut out of a picture: middle and half the side, in pixels. */
export interface Square {
  readonly x: number
  readonly y: number
  readonly half: number
}

type Size = Pick<Grey, 'width' | 'height'>

/** Pixels of the longer side of a face whose cut-out has all pixels that the models see. */
const FACE_PIXELS = 160
const LONGEST_SIDE = 1280

/** The size to decode at: the smallest of these faces has all pixels that the models see, where the source has them. */
export function pictureSize(tracks: readonly { readonly boxes: readonly TimedBox[] }[], source: Size): Size {
  const faces = tracks.map(({ boxes }) =>
    median(boxes.map(({ width, height }) => Math.max(width * source.width, height * source.height))),
  )
  const smallest = Math.max(1, Math.min(...faces))
  const scale = Math.min(1, FACE_PIXELS / smallest, LONGEST_SIDE / Math.max(source.width, source.height))
  const side = (pixels: number): number => Math.max(2, Math.round((pixels * scale) / 2) * 2)
  return { width: side(source.width), height: side(source.height) }
}

/**
 * What to cut out of `count` pictures, the first of which shows the moment `from`. The boxes of the track are interpolated
 * evenly; before the first and after the last they stand still.
 */
export function squaresOf(boxes: readonly TimedBox[], from: number, count: number, size: Size): Square[] {
  const before = boxes.findLastIndex(({ time }) => time <= from)
  const after = boxes.findIndex(({ time }) => time >= from + count / RATE)
  const near = boxes.slice(Math.max(0, before), after === -1 ? boxes.length : after + 1)
  const raw = Array.from({ length: count }, (_, at) => boxAt(near, from + at / RATE, size))
  const half = Math.floor(MEDIAN_PICTURES / 2)
  return raw.map((_, at) => {
    const around = raw.slice(Math.max(0, at - half), at + half + 1)
    const reach = median(around.map((box) => box.half))
    return {
      x: median(around.map(({ x }) => x)),
      y: median(around.map(({ y }) => y)) + BELOW * reach,
      half: (SIDE / 2) * reach,
    }
  })
}

/** Middle and half the longer side of the face at a time. */
function boxAt(boxes: readonly TimedBox[], time: number, { width, height }: Size): Square {
  const after = boxes.findIndex((box) => box.time >= time)
  const to = boxes.at(after)
  const from = boxes[after - 1] ?? to
  if (from === undefined || to === undefined) return { x: 0, y: 0, half: 1 }
  const share = to.time > from.time ? Math.max(0, Math.min(1, (time - from.time) / (to.time - from.time))) : 0
  const mix = (a: number, b: number): number => a + (b - a) * share
  const wide = mix(from.width, to.width) * width
  const high = mix(from.height, to.height) * height
  return {
    x: mix(from.x, to.x) * width + wide / 2,
    y: mix(from.y, to.y) * height + high / 2,
    half: Math.max(1, wide, high) / 2,
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2
}

/** Writes 112 x 112 grey values, row by row, from place `offset` of `into` on. Each is the mean of what it covers. */
export function cutOut(picture: Grey, square: Square, into: Uint8Array, offset: number): void {
  const step = (2 * square.half) / CROP
  const fine = Math.max(1, Math.ceil(step))
  for (let row = 0; row < CROP; row += 1)
    for (let column = 0; column < CROP; column += 1) {
      let sum = 0
      for (let down = 0; down < fine; down += 1)
        for (let right = 0; right < fine; right += 1)
          sum += lightAt(
            picture,
            square.x - square.half + (column + (right + 0.5) / fine) * step - 0.5,
            square.y - square.half + (row + (down + 0.5) / fine) * step - 0.5,
          )
      into[offset + row * CROP + column] = Math.round(sum / fine ** 2)
    }
}

/** Brightness between four pixels, whose middles are at whole numbers. */
function lightAt({ width, height, pixels }: Grey, x: number, y: number): number {
  if (x < -0.5 || y < -0.5 || x > width - 0.5 || y > height - 0.5) return OUTSIDE
  const left = Math.max(0, Math.min(width - 2, Math.floor(x)))
  const top = Math.max(0, Math.min(height - 2, Math.floor(y)))
  const across = Math.max(0, Math.min(1, x - left))
  const down = Math.max(0, Math.min(1, y - top))
  const at = top * width + left
  const upper = (pixels[at] ?? 0) * (1 - across) + (pixels[at + 1] ?? 0) * across
  const lower = (pixels[at + width] ?? 0) * (1 - across) + (pixels[at + width + 1] ?? 0) * across
  return upper * (1 - down) + lower * down
}
