/**
 * Pictures of a person whose outline is known to the pixel, before easy and hard backgrounds. Every run makes the same.
 */
import type { Rect } from '../../server/contract/composition.ts'
import type { Pixels } from '../../workers/compositor/cutout/pixels.ts'

export interface PretendPerson {
  readonly picture: Pixels
  /** 1 for each pixel of the person. */
  readonly truth: Uint8Array
  /** As it would be measured. */
  readonly face: Rect
}

type Colour = readonly [number, number, number]
/** The colour of a place, shares of the picture. */
type Ground = (x: number, y: number, noise: number) => Colour

const stripe = (value: number, a: Colour, b: Colour): Colour => (Math.floor(value) % 2 === 0 ? a : b)
const mixed = (a: Colour, b: Colour, share: number): Colour => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
  a[2] + (b[2] - a[2]) * share,
]

export const GROUNDS = {
  plain: () => [120, 150, 165],
  gradient: (x, y) => mixed([40, 60, 110], [190, 200, 215], (x + y) / 2),
  noisy: (_x, _y, noise) => [110 + 80 * noise, 125 + 80 * noise, 120 + 80 * noise],
  shelf: (x, y) =>
    Math.floor(y * 6) % 2 === 0 ? stripe(x * 22, [150, 60, 50], [70, 110, 90]) : [120, 90, 60],
  /** Much as the clothes are, and much as the skin is. */
  likeClothes: (x, y) => mixed([30, 62, 120], [56, 92, 150], 0.5 + 0.5 * Math.sin(x * 9 + y * 5)),
  likeSkin: (x, y) => mixed([190, 150, 122], [222, 186, 158], 0.5 + 0.5 * Math.sin(x * 8 - y * 6)),
  curtain: (x) => mixed([90, 25, 35], [150, 50, 60], 0.5 + 0.5 * Math.sin(x * 60)),
  night: (x, y) => (Math.hypot((x * 7) % 1, (y * 5) % 1) < 0.25 ? [200, 180, 120] : [18, 20, 34]),
} satisfies Record<string, Ground>

/** Deterministic noise, -1 to 1. */
function noiseOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 31 - 1
  }
}

/** `middle`: of the face, shares of the picture; `tall`: the face's height, of the picture's. */
export function pretendPerson(
  ground: Ground,
  { width = 640, height = 480, middle = [0.5, 0.36], tall = 0.26, grain = 8, seed = 7 } = {},
): PretendPerson {
  const noise = noiseOf(seed)
  const face = { width: tall * height * 0.76, height: tall * height }
  const left = (middle[0] ?? 0) * width - face.width / 2
  const top = (middle[1] ?? 0) * height - face.height / 2
  const data = new Uint8ClampedArray(width * height * 4)
  const truth = new Uint8Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const u = (x + 0.5 - left - face.width / 2) / face.width
      const v = (y + 0.5 - top - face.height / 2) / face.height
      const own = personAt(u, v)
      const colour = own ?? ground(x / width, y / height, noise())
      const at = y * width + x
      truth[at] = own === null ? 0 : 1
      for (let channel = 0; channel < 3; channel++)
        data[at * 4 + channel] = (colour[channel] ?? 0) + grain * noise()
      data[at * 4 + 3] = 255
    }
  return { picture: { width, height, data }, truth, face: { x: left, y: top, ...face } }
}

/** In sizes of the face, from its middle. Null: not the person. */
function personAt(u: number, v: number): Colour | null {
  const hair = Math.hypot(u / 0.66, (v + 0.2) / 0.78) < 1 && v < 0.35
  const skin = Math.hypot(u / 0.52, v / 0.62) < 1 || (Math.abs(u) < 0.26 && v > 0 && v < 1)
  const shoulders = v > 0.72 && Math.abs(u) < Math.min(1.7, 0.3 + 1.75 * Math.sqrt(v - 0.72))
  if (Math.hypot(u / 0.5, (v - 0.05) / 0.58) < 1 && v > -0.42)
    return mixed([214, 166, 138], [170, 120, 98], Math.abs(u))
  if (hair) return mixed([62, 40, 26], [98, 66, 40], 0.5 + 0.5 * Math.sin(u * 30))
  if (shoulders)
    return Math.abs(u) < 0.18 - (v - 0.72) * 0.1
      ? [235, 232, 226]
      : mixed([36, 74, 142], [52, 96, 170], 0.5 + 0.5 * Math.sin(v * 25))
  if (skin) return [196, 148, 120]
  return null
}

/** The ground alone. */
export function nobody(ground: Ground, { width = 640, height = 480, grain = 8, seed = 3 } = {}): Pixels {
  const noise = noiseOf(seed)
  const data = new Uint8ClampedArray(width * height * 4)
  for (let at = 0; at < width * height; at++) {
    const colour = ground((at % width) / width, Math.floor(at / width) / height, noise())
    data.set([...colour.map((value) => value + grain * noise()), 255], at * 4)
  }
  return { width, height, data }
}
