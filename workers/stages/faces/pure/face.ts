/** Faces and the pictures that they are detected in. PURE. Positions are shares of the picture, 0 to 1. */

/** A face in one picture. */
export interface Face {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly score: number
  /** Right eye, left eye, nose, right and left corner of the mouth, from the person's view; x and y alternate. */
  readonly landmarks: readonly number[]
}

/** A small grey picture, row by row. */
export interface Grey {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** A face followed through the pictures of one shot. */
export interface Track {
  readonly id: number
  readonly points: { readonly time: number; readonly face: Face }[]
  /** Motion of the mouth relative to the face, for each analysed picture from `firstPicture` on. */
  readonly motion: number[]
  readonly firstPicture: number
}

type Box = Pick<Face, 'x' | 'y' | 'width' | 'height'>

/** Intersection over union of two boxes, 0 to 1. */
export function overlapOf(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  if (width <= 0 || height <= 0) return 0
  const common = width * height
  return common / (a.width * a.height + b.width * b.height - common)
}

/** Keeps one box per face: the best scored of those that overlap by more than `limit`. */
export function suppressOverlaps(faces: readonly Face[], limit: number): Face[] {
  const best: Face[] = []
  for (const face of faces.toSorted((a, b) => b.score - a.score)) {
    if (best.every((other) => overlapOf(face, other) <= limit)) best.push(face)
  }
  return best
}

/** The face interpolated by `t` between `a` and `b`. */
export function interpolateFace(a: Face, b: Face, t: number): Face {
  const mix = (from: number, to: number): number => from + (to - from) * t
  return {
    x: mix(a.x, b.x),
    y: mix(a.y, b.y),
    width: mix(a.width, b.width),
    height: mix(a.height, b.height),
    score: Math.min(a.score, b.score),
    landmarks: a.landmarks.map((value, place) => mix(value, b.landmarks[place] ?? value)),
  }
}

/** Of a turned face's height: how far the head goes back from the box, for each share of the box that the nose is off. */
const BACK = 0.8

/**
 * The face's box, widened to the back of a turned head: a detector's box of a profile ends before the ear. `shape`: width to
 * height of the picture.
 */
export function widenToBack({ x, y, width, height, landmarks }: Face, shape: number): Box {
  const nose = (landmarks[4] ?? x + width / 2) - (x + width / 2)
  const back = (BACK * (height / shape) * Math.min(width / 2, Math.abs(nose))) / width
  return { x: nose > 0 ? x - back : x, y, width: width + back, height }
}

/** `bgr`: interleaved bytes, three per pixel. */
export function greyOf(bgr: Uint8Array, width: number, height: number): Grey {
  const pixels = new Uint8Array(width * height)
  for (let pixel = 0; pixel < pixels.length; pixel += 1) {
    const at = pixel * 3
    pixels[pixel] = (29 * (bgr[at] ?? 0) + 150 * (bgr[at + 1] ?? 0) + 77 * (bgr[at + 2] ?? 0)) >> 8
  }
  return { width, height, pixels }
}

/** The size of the pictures for a face detector, whose sides must be multiples of 32. */
export function detectorSize(source: { readonly width: number; readonly height: number }, longSide: number) {
  const scale = longSide / Math.max(source.width, source.height)
  const side = (pixels: number): number => Math.max(32, Math.round((pixels * scale) / 32) * 32)
  return { width: side(source.width), height: side(source.height) }
}

/**
 * Cuts a stream of bytes into pictures of `size` bytes. Each is a copy of its own; where only the last `reused` are ever looked
 * at, their memory is used again, which saves a second of collecting it in a minute of pictures.
 */
export function splitPictures(
  size: number,
  take: (picture: Uint8Array) => Promise<void> | void,
  reused = Infinity,
) {
  const used: Uint8Array<ArrayBuffer>[] = []
  let picture = new Uint8Array(size)
  let filled = 0
  return async (chunk: Uint8Array): Promise<void> => {
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + size - filled)
      picture.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < size) continue
      const whole = picture
      if (reused < Infinity) used.push(whole)
      picture = (used.length > reused ? used.shift() : undefined) ?? new Uint8Array(size)
      filled = 0
      await take(whole)
    }
  }
}
