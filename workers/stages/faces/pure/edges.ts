/** Stores where a picture has edges, compactly, to find what stays in its place while the rest moves. PURE. */
import type { Grey } from './face.ts'

/** One picture's edges. */
export interface EdgePicture {
  readonly time: number
  readonly width: number
  readonly height: number
  /** Per pixel: 1 where the brightness changes from left to right, 2 from top to bottom, 4 where it does sharply from left to right; their sum. */
  readonly edges: Uint8Array
  /** Whether the picture looks like slides or a desktop: mostly one tone, hardly any grain, and sharp edges. */
  readonly screen: boolean
}

const ACROSS = 1
const DOWN = 2
/** As at the strokes of a letter. */
export const SHARP_ACROSS = 4
/** Differences of brightness (of 255) over two pixels that count as an edge, as a sharp one like in letters, and as flat. */
const EDGE = 10
const SHARP = 50
/** As at the strokes of letters, also of thin and yellow ones. */
const STROKE = 42
const FLAT = 1
/**
 * Minimum shares of a screen's picture. Measured: slides and desktops have 0.72 to 0.89 flat, 0.07 to 0.14 sharp and at least
 * 0.62 in one tone; games have 0.1 in one tone; rooms in front of a camera have 0.47 to 0.57 flat and hardly 0.02 sharp.
 */
const SCREEN = { flat: 0.65, sharp: 0.035, tone: 0.5 } as const

/** Seconds between stored pictures; more for a long range. */
const EVERY_SECONDS = 0.5
const MAX_PICTURES = 120

export interface EdgesState {
  readonly stored: readonly EdgePicture[]
  readonly every: number
}

/** Stores pictures evenly over a range of unknown length. `state`: of the pictures before. */
export function watchEdges(state: EdgesState = { stored: [], every: EVERY_SECONDS }) {
  let stored = [...state.stored]
  let { every } = state
  return {
    state: (): EdgesState => ({ stored, every }),
    add: (picture: Grey, time: number): void => {
      const last = stored.at(-1)
      if (last !== undefined && time - last.time < every - 0.01) return
      stored.push(edgesOf(picture, time))
      if (stored.length <= MAX_PICTURES) return
      stored = stored.filter((_, at) => at % 2 === 0)
      every *= 2
    },
    pictures: (): readonly EdgePicture[] => stored,
  }
}

/** The edges of one picture. */
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
      edges[at] =
        (across >= EDGE ? ACROSS : 0) | (down >= EDGE ? DOWN : 0) | (across >= STROKE ? SHARP_ACROSS : 0)
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

/** Share of the pictures in which each pixel is an edge, separately for `across` and `down`. */
export type SteadyEdges = ReturnType<typeof findSteadyEdges>

/** `pictures` must have equal sizes, and there must be at least one. */
export function findSteadyEdges(pictures: readonly EdgePicture[]) {
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
