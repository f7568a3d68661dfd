/**
 * A hard mask of a small picture as a soft one of any size: within a small window, opacity is taken to follow the
 * colours (guided filter: He, Sun, Tang, 2013), so that edges lie where the large picture has them.
 */
import { boxMean, type Mask, type Pixels } from './pixels.ts'

/** Pixels of the small picture to each side. */
const REACH = 3
/** Of colours from 0 to 1: what varies less than this, squared, is flat. */
const FLAT = 6e-4

/** How opacity follows colour at each pixel of the small picture: three slopes and a level, side by side. */
export interface Follows {
  readonly width: number
  readonly height: number
  readonly data: Float32Array
}

/** `mask`: 0 to 1, of the picture's size. */
export function followColours({ width, height, data }: Pixels, mask: ArrayLike<number>): Follows {
  const count = width * height
  const plane = (value: (at: number) => number): Float32Array =>
    boxMean(
      Float32Array.from({ length: count }, (_, at) => value(at)),
      width,
      height,
      REACH,
    )
  const colour = (channel: number) => (at: number) => data[at * 4 + channel]! / 255
  const r = colour(0)
  const g = colour(1)
  const b = colour(2)
  const means = [plane(r), plane(g), plane(b), plane((at) => mask[at]!)] as const
  const squares = [
    plane((at) => r(at) * r(at)),
    plane((at) => r(at) * g(at)),
    plane((at) => r(at) * b(at)),
    plane((at) => g(at) * g(at)),
    plane((at) => g(at) * b(at)),
    plane((at) => b(at) * b(at)),
  ] as const
  const with_ = [
    plane((at) => r(at) * mask[at]!),
    plane((at) => g(at) * mask[at]!),
    plane((at) => b(at) * mask[at]!),
  ] as const
  const own = [0, 1, 2, 3].map(() => new Float32Array(count))
  for (let at = 0; at < count; at++) {
    const mr = means[0][at]!
    const mg = means[1][at]!
    const mb = means[2][at]!
    const mm = means[3][at]!
    const xx = squares[0][at]! - mr * mr + FLAT
    const xy = squares[1][at]! - mr * mg
    const xz = squares[2][at]! - mr * mb
    const yy = squares[3][at]! - mg * mg + FLAT
    const yz = squares[4][at]! - mg * mb
    const zz = squares[5][at]! - mb * mb + FLAT
    const x = with_[0][at]! - mr * mm
    const y = with_[1][at]! - mg * mm
    const z = with_[2][at]! - mb * mm
    const size = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
    const slopeR = ((yy * zz - yz * yz) * x + (xz * yz - xy * zz) * y + (xy * yz - xz * yy) * z) / size
    const slopeG = ((xz * yz - xy * zz) * x + (xx * zz - xz * xz) * y + (xy * xz - xx * yz) * z) / size
    const slopeB = ((xy * yz - xz * yy) * x + (xy * xz - xx * yz) * y + (xx * yy - xy * xy) * z) / size
    own[0]![at] = slopeR
    own[1]![at] = slopeG
    own[2]![at] = slopeB
    own[3]![at] = mm - slopeR * mr - slopeG * mg - slopeB * mb
  }
  const smooth = own.map((values) => boxMean(values, width, height, REACH))
  const all = new Float32Array(count * 4)
  for (let at = 0; at < count; at++)
    for (let place = 0; place < 4; place++) all[at * 4 + place] = smooth[place]![at]!
  return { width, height, data: all }
}

/** The rectangle of the large picture in pixels of the small one. */
export interface Within {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Opacity of the large picture, which is this part of the small one. */
export function matteOf(follows: Follows, within: Within, large: Pixels): Mask {
  const { width, height, data } = large
  const across = samples(within.x, within.width, width, follows.width)
  const down = samples(within.y, within.height, height, follows.height)
  const matte = new Float32Array(width * height)
  const slopes = follows.data
  for (let y = 0; y < height; y++) {
    const above = down.first[y]! * follows.width
    const below = down.second[y]! * follows.width
    const lower = down.share[y]!
    for (let x = 0; x < width; x++) {
      const left = across.first[x]!
      const right = across.second[x]!
      const more = across.share[x]!
      const at = (y * width + x) * 4
      let opacity = 0
      for (let place = 0; place < 4; place++) {
        const top =
          slopes[(above + left) * 4 + place]! * (1 - more) + slopes[(above + right) * 4 + place]! * more
        const bottom =
          slopes[(below + left) * 4 + place]! * (1 - more) + slopes[(below + right) * 4 + place]! * more
        const value = top + (bottom - top) * lower
        opacity += place === 3 ? value : (value * data[at + place]!) / 255
      }
      matte[y * width + x] = clearer(opacity)
    }
  }
  return { width, height, data: matte }
}

/** Without the haze and the thin spots that are left of a guess. */
function clearer(opacity: number): number {
  const share = Math.min(1, Math.max(0, (opacity - 0.2) / 0.6))
  return share * share * (3 - 2 * share)
}

/** For each pixel of a line the two of the other line around its centre, and its distance from the first. */
function samples(start: number, length: number, count: number, all: number) {
  const first = new Int32Array(count)
  const second = new Int32Array(count)
  const share = new Float32Array(count)
  for (let at = 0; at < count; at++) {
    const place = Math.min(all - 1, Math.max(0, start + ((at + 0.5) * length) / count - 0.5))
    first[at] = Math.floor(place)
    second[at] = Math.min(all - 1, first[at]! + 1)
    share[at] = place - first[at]!
  }
  return { first, second, share }
}
