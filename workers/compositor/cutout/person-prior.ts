/** Where a person is likely to be in a picture, before one colour of it is looked at: from the face, or from the box. */
import type { Rect } from '../../../server/contract/composition.ts'

export interface PriorRequest {
  readonly width: number
  readonly height: number
  /** What was drawn around the person. */
  readonly box: Rect
  /** Faces of the person who is meant, from brow to chin. */
  readonly faces: readonly Rect[]
  /** Faces of other people, who belong to the background. */
  readonly others: readonly Rect[]
}

export interface PersonPrior {
  /** 0 to 1, for each pixel. */
  readonly likely: Float32Array
  /** 1: certainly the person, 2: certainly not, 0: open. */
  readonly fixed: Uint8Array
}

const PERSON = 1
const OTHER = 2
/** Nothing is believed more, or less, than this where it is open. */
const LEAST = 0.01
const MOST = 0.985
/** In sizes of the face, from its middle: how wide the shoulders reach at each depth below it. */
const SHOULDERS = [
  [0.5, 0.42],
  [0.75, 0.72],
  [1.05, 1.35],
  [1.5, 1.8],
  [2.2, 2],
] as const

const soft = (value: number): number => 1 / (1 + Math.exp(-value))

export function personPrior({ width, height, box, faces, others }: PriorRequest): PersonPrior {
  const likely = new Float32Array(width * height)
  const fixed = new Uint8Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      const own =
        faces.length === 0
          ? inBox(box, x + 0.5, y + 0.5)
          : faces.reduce((most, face) => better(most, byFace(face, x + 0.5, y + 0.5)), NOBODY)
      const other = others.some((face) => inFace(face, x + 0.5, y + 0.5, 0.5))
      likely[at] = Math.min(MOST, Math.max(LEAST, other ? LEAST : own.likely))
      fixed[at] = other ? OTHER : own.fixed
    }
  return { likely, fixed }
}

interface Guess {
  readonly likely: number
  readonly fixed: 0 | 1 | 2
}
const NOBODY: Guess = { likely: 0, fixed: OTHER }

function better(a: Guess, b: Guess): Guess {
  const open = a.fixed === OTHER ? b.fixed : 0
  const fixed = a.fixed === PERSON || b.fixed === PERSON ? PERSON : open
  return { likely: Math.max(a.likely, b.likely), fixed }
}

function inFace(face: Rect, x: number, y: number, reach: number): boolean {
  const across = (x - face.x - face.width / 2) / (face.width * reach)
  const down = (y - face.y - face.height / 2) / (face.height * reach)
  return across * across + down * down < 1
}

/** Head with hair, neck, and shoulders that widen; what is far above or beside belongs to somebody else. */
function byFace(face: Rect, x: number, y: number): Guess {
  const u = Math.abs(x - face.x - face.width / 2) / face.width
  const v = (y - face.y - face.height / 2) / face.height
  if (inFace(face, x, y, 0.4) || (u < 0.16 && v > 0 && v < 0.85)) return { likely: 1, fixed: PERSON }
  const head = soft((1 - Math.hypot(u / 0.67, (v + 0.1) / 0.77)) / 0.15 - 8 * Math.max(0, -1.1 - v))
  const body = v < 0.3 ? 0 : soft((shoulderAt(v) - u) / (0.06 + 0.11 * v)) * soft((v - 0.42) / 0.06)
  const gone = v < -1.7 || (v < 0.35 && u > 1.7) || u > 3.6
  return { likely: Math.max(head, body), fixed: gone ? OTHER : 0 }
}

function shoulderAt(depth: number): number {
  let [before, wide]: readonly [number, number] = SHOULDERS[0]
  for (const [at, reach] of SHOULDERS) {
    if (depth < at) return depth < before ? reach : wide + ((reach - wide) * (depth - before)) / (at - before)
    ;[before, wide] = [at, reach]
  }
  return wide
}

/** No face is known: something in the middle of the box, and nothing of what is around it but below. */
function inBox(box: Rect, x: number, y: number): Guess {
  const u = (x - box.x - box.width / 2) / (box.width / 2)
  const v = (y - box.y - box.height / 2) / (box.height / 2)
  if (Math.abs(u) > 1 || v < -1) return NOBODY
  // A standing person fills the lower half more than the upper one, and continues below the box.
  const away = Math.hypot(u / 0.8, (v < 0.15 ? v - 0.15 : Math.min(v - 0.15, 0.45) * 0.8) / 0.95)
  return { likely: 0.1 + 0.8 * soft((1 - away) / 0.2), fixed: away < 0.25 ? PERSON : 0 }
}
