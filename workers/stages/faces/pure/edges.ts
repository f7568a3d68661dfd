/** Where a picture changes its light at once, kept small, for what stays in its place while the rest moves. PURE. */
import type { Grey } from './types.ts'

/** One picture's edges. */
export interface EdgePicture {
  /** Seconds in the source. */
  readonly time: number
  readonly width: number
  readonly height: number
  /** For each pixel: 1 where the light changes from left to right, 2 from above to below, 3 both ways. */
  readonly edges: Uint8Array
  /** Whether it looks like slides or a desktop: one tone over most of it, hardly any grain, and sharp edges. */
  readonly screen: boolean
}

const ACROSS = 1
const DOWN = 2
/** Steps of light of 255 over two pixels that are an edge, a sharp one as of letters, and nothing at all. */
const EDGE = 10
const SHARP = 50
const FLAT = 1
/**
 * Shares of a screen's picture. Measured: slides and desktops have 0.72 to 0.89 flat, 0.07 to 0.14 sharp, and 0.62 or more in
 * one tone; games 0.1 in one tone, rooms under a camera 0.47 to 0.57 flat and hardly 0.02 sharp.
 */
const SCREEN = { flat: 0.65, sharp: 0.035, tone: 0.5 } as const

/** Every so often a picture is kept, seconds; fewer of a long stretch. */
const EVERY = 0.5
const MOST = 120

/** Keeps pictures evenly over a stretch whose length is not known. */
export interface EdgeWatch {
  add(picture: Grey, time: number): void
  readonly pictures: () => readonly EdgePicture[]
}

export function watchEdges(): EdgeWatch {
  let kept: EdgePicture[] = []
  let every = EVERY
  return {
    add: (picture, time) => {
      const last = kept.at(-1)
      if (last !== undefined && time - last.time < every - 0.01) return
      kept.push(edgesOf(picture, time))
      if (kept.length <= MOST) return
      kept = kept.filter((_, at) => at % 2 === 0)
      every *= 2
    },
    pictures: () => kept,
  }
}

/** Of one picture. */
export function edgesOf({ width, height, pixels }: Grey, time: number): EdgePicture {
  const edges = new Uint8Array(width * height)
  const tones = new Uint32Array(256)
  let flat = 0
  let sharp = 0
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x
      const across = Math.abs((pixels[at + 1] ?? 0) - (pixels[at - 1] ?? 0))
      const down = Math.abs((pixels[at + width] ?? 0) - (pixels[at - width] ?? 0))
      edges[at] = (across >= EDGE ? ACROSS : 0) | (down >= EDGE ? DOWN : 0)
      if (across <= FLAT && down <= FLAT) flat += 1
      if (across >= SHARP || down >= SHARP) sharp += 1
      const tone = pixels[at] ?? 0
      tones[tone] = (tones[tone] ?? 0) + 1
    }
  }
  const all = Math.max(1, (width - 2) * (height - 2))
  let tone = 0
  for (let at = 0; at < 256; at += 1)
    tone = Math.max(tone, (tones[at - 1] ?? 0) + (tones[at] ?? 0) + (tones[at + 1] ?? 0))
  const screen = flat >= SCREEN.flat * all && sharp >= SCREEN.sharp * all && tone >= SCREEN.tone * all
  return { time, width, height, edges, screen }
}

/** How often each pixel is an edge in the pictures, shares; `across` and `down` apart. */
export interface SteadyEdges {
  readonly width: number
  readonly height: number
  readonly across: Float32Array
  readonly down: Float32Array
}

/** `pictures` are of one size, at least one. */
export function steadyEdges(pictures: readonly EdgePicture[]): SteadyEdges {
  const { width = 1, height = 1 } = pictures[0] ?? {}
  const across = new Float32Array(width * height)
  const down = new Float32Array(width * height)
  const one = 1 / Math.max(1, pictures.length)
  for (const { edges } of pictures) {
    edges.forEach((edge, at) => {
      if (edge & ACROSS) across[at] = (across[at] ?? 0) + one
      if (edge & DOWN) down[at] = (down[at] ?? 0) + one
    })
  }
  return { width, height, across, down }
}
