/** Stretches that show a screen: slides, a game, a desktop, with the person small in a corner. PURE. */
import type { ClipFaces } from '../../../../server/contract/clip-faces.ts'
import type { Track } from './types.ts'

type Screen = ClipFaces['screens'][number]

/** A face of somebody who fills the picture is higher than this share of it. */
const SMALL = 0.24
/** A webcam's place does not move: neither does the middle of the face in it, by more than this share. */
const STEADY = 0.05
const LEAST_SECONDS = 4
/** Share of the picture from the edges that counts as a corner. */
const CORNER = 0.36
/** A webcam picture around a face, in faces. */
const AROUND = { width: 3.4, height: 2.6, above: 0.8 } as const

/** One for each track that is such a person, alone in the picture while it lasts. */
export function findScreens(tracks: readonly Track[]): Screen[] {
  return tracks.flatMap((track) => {
    const [start, end] = [track.points[0]?.time ?? 0, track.points.at(-1)?.time ?? 0]
    if (end - start < LEAST_SECONDS || !inCorner(track)) return []
    const alone = tracks.every((other) => {
      const [from, to] = [other.points[0]?.time ?? 0, other.points.at(-1)?.time ?? 0]
      return other === track || Math.min(end, to) - Math.max(start, from) < 0.5
    })
    return alone ? [{ start, end, inset: insetAround(track) }] : []
  })
}

function inCorner(track: Track): boolean {
  const xs = track.points.map(({ face }) => face.x + face.width / 2)
  const ys = track.points.map(({ face }) => face.y + face.height / 2)
  const [x, y] = [middle(xs), middle(ys)]
  const aside = x < CORNER || x > 1 - CORNER
  const upOrDown = y < CORNER || y > 1 - CORNER
  const steady = spread(xs) < STEADY && spread(ys) < STEADY
  const small = track.points.every(({ face }) => face.height < SMALL)
  return aside && upOrDown && steady && small
}

function insetAround(track: Track): [number, number, number, number] {
  const of = (pick: (face: Track['points'][number]['face']) => number): number =>
    middle(track.points.map(({ face }) => pick(face)))
  const [width, height] = [of(({ width }) => width), of(({ height }) => height)]
  const left = Math.max(0, of(({ x }) => x) + width / 2 - (AROUND.width * width) / 2)
  const top = Math.max(0, of(({ y }) => y) - AROUND.above * height)
  return [left, top, Math.min(1 - left, AROUND.width * width), Math.min(1 - top, AROUND.height * height)]
}

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
/** Between the tenth and the ninetieth of a hundred: one bad box is no movement. */
function spread(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  return at(0.9) - at(0.1)
}
