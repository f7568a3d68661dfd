/** Finds bands in which letters run evenly to one side while the picture does not. PURE. */
import type { Banner } from '../../../../server/contract/clip-measurements.ts'
import { SHARP_ACROSS, type EdgePicture } from './edges.ts'

/** Height of a strip, pixels, and the share of it that is sharp edges where there are letters. */
const STRIP = 8
const MIN_SHARP = 0.03
/** What of the letters is found again where they have gone, and how much more that is than where they were. */
const FOUND = 0.5
const BETTER = 0.2
/** How far letters run between two pictures, shares of the picture's width. */
const NEAREST = 0.02
const FARTHEST = 0.45
/** Pixels: so much less or more is the same way. */
const ALIKE = 3
/** A ticker runs for so many pictures, and in so much of the time between its first and its last. */
const MIN_PICTURES = 3
const MOSTLY = 0.6
/** When this much of the picture goes the same way, the camera turns. */
const PAN = 0.35

interface Step {
  /** Index of the later picture. */
  readonly at: number
  /** Pixels per second, to the right. */
  readonly speed: number
  readonly from: number
  readonly to: number
}

/** `pictures` are of one range of the source, in order. */
export function findTickers(pictures: readonly EdgePicture[]): Banner[] {
  const { height = 0 } = pictures[0] ?? {}
  const strips = Array.from({ length: Math.floor(height / STRIP) }, (_, strip) => stepsOf(pictures, strip))
  const pans = pictures.map((_, at) => {
    const speeds = strips.flatMap((steps) => steps.find((step) => step.at === at)?.speed ?? [])
    return speeds.length > PAN * strips.length
  })
  const runs = strips.map((steps) => runOf(steps.filter(({ at }) => pans[at] === false)))
  const tickers: Banner[] = []
  for (let strip = 0; strip < runs.length; strip += 1) {
    const first = runs[strip]
    if (first == null) continue
    let last = strip
    while (runs[last + 1] != null) last += 1
    const group = runs.slice(strip, last + 1).filter((run) => run !== null)
    tickers.push(present(group, strip, last, pictures))
    strip = last
  }
  return tickers
}

type Run = NonNullable<ReturnType<typeof runOf>>

/** The steps with the usual speed, where there are enough of them. */
function runOf(steps: readonly Step[]) {
  const usual = steps.map(({ speed }) => speed).toSorted((a, b) => a - b)[steps.length >> 1] ?? 0
  const same = steps.filter(({ speed }) => Math.abs(speed - usual) <= 0.06 * Math.abs(usual) + 2)
  const first = same[0]
  const last = same.at(-1)
  if (first === undefined || last === undefined || same.length < MIN_PICTURES) return null
  if (same.length < MOSTLY * (last.at - first.at + 1)) return null
  return {
    from: first.at - 1,
    to: last.at,
    left: Math.min(...same.map(({ from }) => from)),
    right: Math.max(...same.map(({ to }) => to)),
  }
}

function stepsOf(pictures: readonly EdgePicture[], strip: number): Step[] {
  let before: Uint8Array | null = null
  return pictures.flatMap((picture, at): Step[] => {
    const now = columnsOf(picture, strip)
    const last = before
    before = now
    const seconds = picture.time - (pictures[at - 1]?.time ?? picture.time)
    if (last === null || now === null || seconds <= 0) return []
    const way = wayOf(last, now)
    if (way === null) return []
    return [{ at, speed: way / seconds, from: now.findIndex(Boolean), to: now.findLastIndex(Boolean) }]
  })
}

/** For each column of a strip a bit for each row with a sharp edge; null: too few of them. */
function columnsOf({ width, edges }: EdgePicture, strip: number): Uint8Array | null {
  const columns = new Uint8Array(width)
  let count = 0
  for (let row = 0; row < STRIP; row += 1) {
    const from = (strip * STRIP + row) * width
    for (let x = 0; x < width; x += 1) {
      if (((edges[from + x] ?? 0) & SHARP_ACROSS) === 0) continue
      columns[x] = (columns[x] ?? 0) | (1 << row)
      count += 1
    }
  }
  return count >= MIN_SHARP * width * STRIP ? columns : null
}

const ONES = Uint8Array.from({ length: 256 }, (_, bits) => {
  let count = 0
  for (let left = bits; left > 0; left >>= 1) count += left & 1
  return count
})

/** How far to the right the letters have gone, pixels; null: they have not, or are others. */
function wayOf(before: Uint8Array, now: Uint8Array): number | null {
  const width = now.length
  const left = foundAt(before, now, 0, 1)
  if (left + BETTER > 1) return null
  let best = { way: 0, found: 0 }
  for (let way = Math.round(NEAREST * width); way <= FARTHEST * width; way += 1) {
    for (const signed of [-way, way]) {
      const found = foundAt(before, now, signed, 2)
      if (found > best.found) best = { way: signed, found }
    }
  }
  if (best.found < Math.max(FOUND, left + BETTER)) return null
  // Letters of a fixed width fit again after each of them, but never as well.
  const beside = Math.max(
    foundAt(before, now, best.way - 2 * ALIKE, 1),
    foundAt(before, now, best.way + 2 * ALIKE, 1),
  )
  return beside < best.found ? best.way : null
}

/** Share of the edges that are in both where both can be; only each so many columns are looked at. */
function foundAt(before: Uint8Array, now: Uint8Array, way: number, each: number): number {
  let both = 0
  let either = 0
  for (let x = Math.max(0, way), end = now.length + Math.min(0, way); x < end; x += each) {
    const a = before[x - way] ?? 0
    const b = now[x] ?? 0
    both += ONES[a & b] ?? 0
    either += ONES[a | b] ?? 0
  }
  return either < 20 ? 0 : both / either
}

function present(
  group: readonly Run[],
  first: number,
  last: number,
  pictures: readonly EdgePicture[],
): Banner {
  const { width = 1, height = 1 } = pictures[0] ?? {}
  const left = Math.min(...group.map((run) => run.left))
  const right = Math.max(...group.map((run) => run.right)) + 1
  // A strip that letters only begin in has too few edges to be found.
  const top = Math.max(0, first * STRIP - STRIP / 2)
  const bottom = Math.min(height, (last + 1) * STRIP + STRIP / 2)
  return {
    start: pictures[Math.max(0, Math.min(...group.map(({ from }) => from)) - 1)]?.time ?? 0,
    end: pictures[Math.min(pictures.length - 1, Math.max(...group.map(({ to }) => to)) + 1)]?.time ?? 0,
    box: [left / width, top / height, (right - left) / width, (bottom - top) / height],
  }
}
