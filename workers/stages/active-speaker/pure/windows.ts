/** Where lips are compared with sound, and with which other sounds. PURE. */
import type { FaceBoxes } from '../../../../server/contract/clip-measurements.ts'
import { CEPSTRA } from './mfcc.ts'
import { RATE } from './crops.ts'

export interface Stretch {
  readonly start: number
  readonly end: number
}

export interface Turn extends Stretch {
  readonly speaker: number
}

type BoxTrack = FaceBoxes['tracks'][number]

/** A stretch with a voice in it, and the faces that are looked at there. Starts at a picture of its range. */
export interface Window extends Stretch {
  readonly pictures: number
  readonly tracks: readonly BoxTrack[]
}

/** Seconds on both sides of a voice that are looked at with it, and the greatest length of a window. */
const MARGIN = 1
const LONGEST = 8
const SHORTEST = 0.4
/** Faces of one window, the largest first. */
const MOST_FACES = 4

/** The windows of one range, in order. A voice without a face in the picture needs none. */
export function planWindows(range: FaceBoxes, voice: readonly Stretch[]): Window[] {
  const joined: { start: number; end: number }[] = []
  for (const { start, end } of voice) {
    const from = Math.max(range.start, start - MARGIN)
    const to = Math.min(range.end, end + MARGIN)
    if (to - from < SHORTEST) continue
    const last = joined.at(-1)
    if (last !== undefined && from <= last.end) last.end = Math.max(last.end, to)
    else joined.push({ start: from, end: to })
  }
  return joined.flatMap((stretch) => {
    const parts = Math.ceil((stretch.end - stretch.start) / LONGEST)
    const length = (stretch.end - stretch.start) / parts
    return Array.from({ length: parts }, (_, part) =>
      windowAt(range, stretch.start + part * length, stretch.start + (part + 1) * length),
    ).filter(({ tracks }) => tracks.length > 0)
  })
}

function windowAt(range: FaceBoxes, from: number, to: number): Window {
  const first = Math.ceil((from - range.start) * RATE - 1e-6)
  const pictures = Math.max(1, Math.ceil((to - range.start) * RATE - 1e-6) - first)
  const start = range.start + first / RATE
  const end = start + pictures / RATE
  const tracks = range.tracks
    .filter(({ boxes }) => secondsIn(boxes, start, end) >= SHORTEST)
    .toSorted((a, b) => areaIn(b, start, end) - areaIn(a, start, end))
    .slice(0, MOST_FACES)
  return { start, end, pictures, tracks }
}

const secondsIn = (boxes: BoxTrack['boxes'], start: number, end: number): number =>
  Math.min(end, boxes.at(-1)?.time ?? start) - Math.max(start, boxes[0]?.time ?? end)

function areaIn({ boxes }: BoxTrack, start: number, end: number): number {
  const inside = boxes.filter(({ time }) => time >= start && time <= end)
  return inside.reduce((sum, { width, height }) => sum + width * height, 0) / Math.max(1, inside.length)
}

/** Places of up to `most` other windows whose sound lips are compared with: of other voices first, then the nearest. */
export function chooseOthers(
  windows: readonly Stretch[],
  turns: readonly Turn[],
  place: number,
  most: number,
): number[] {
  const own = windows[place]
  if (own === undefined) return []
  const voice = mainSpeaker(own, turns)
  return windows
    .map((window, other) => {
      const isOtherVoice = voice !== null && mainSpeaker(window, turns) !== voice
      return { other, rank: (isOtherVoice ? 0 : windows.length) + Math.abs(other - place) }
    })
    .filter(({ other }) => other !== place)
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ other }) => other)
}

/** Who speaks longest in a stretch; null: nobody of the turns does. */
function mainSpeaker({ start, end }: Stretch, turns: readonly Turn[]): number | null {
  const seconds = new Map<number, number>()
  for (const turn of turns) {
    const common = Math.min(end, turn.end) - Math.max(start, turn.start)
    if (common > 0) seconds.set(turn.speaker, (seconds.get(turn.speaker) ?? 0) + common)
  }
  const [best] = [...seconds].toSorted((a, b) => b[1] - a[1])
  return best?.[0] ?? null
}

/** Rows of cepstra turned round by a number of pictures: the same voice, which no longer fits the lips. */
export function rotated(rows: Float32Array, pictures: number): Float32Array {
  const shift = (((pictures * 4 * CEPSTRA) % rows.length) + rows.length) % rows.length
  const turned = new Float32Array(rows.length)
  turned.set(rows.subarray(0, rows.length - shift), shift)
  turned.set(rows.subarray(rows.length - shift))
  return turned
}

/** Exactly four rows of cepstra per picture: too many are left out, too few begin anew or repeat the last. */
export function fitRows(rows: Float32Array, pictures: number, atEnd: 'again' | 'still'): Float32Array {
  const fitted = new Float32Array(pictures * 4 * CEPSTRA)
  const count = rows.length / CEPSTRA
  if (count === 0) return fitted
  for (let row = 0; row < pictures * 4; row += 1) {
    const from = row < count ? row : atEnd === 'again' ? row % count : count - 1
    fitted.set(rows.subarray(from * CEPSTRA, (from + 1) * CEPSTRA), row * CEPSTRA)
  }
  return fitted
}
