/** The places where a view may rest, and what it costs to be there in each step of a plan. */
import { inside } from '../compose/layout.ts'
import { includeBox, median, type BannerSpan, type Box, type Point, type Size } from './seen.ts'

export interface CameraRequest {
  /** What must be whole in each frame, source pixels; null: nothing. */
  readonly heads: readonly (Box | null)[]
  /** Where the view would best be in each frame. */
  readonly wanted: readonly Point[]
  readonly view: Size
  readonly source: Size
  readonly framesPerSecond: number
  /** How much dearer a move or a cut is than usual, 1 or more. */
  readonly moveCosts: number
  /** Whether it may widen where the view cannot follow. */
  readonly widens: boolean
  /** What would better be all in the view, or all outside; in the same frames. */
  readonly banners: readonly BannerSpan[]
  /** Where the view is already; going on from another place is a cut. Absent: it is nowhere yet. */
  readonly startsAt?: Point
}

/** Distance of places as a share of the view's width; doubled until there are not too many of them. */
const SPACING = 1 / 48
const MAX_PLACES = 32
/** Share of the view that should stay free around heads. */
const MARGIN = 0.03
/** What of a head may be cut: the measured boxes are not better than this. */
const TOLERANCE = 0.02
/** Per second: for a head that is cut, and more for all of it; in the margin; for a view off the middle, squared; a cut banner. */
const COSTS = { cutHead: 60, wholeHead: 150, margin: 3, offMiddle: 6, banner: 0.5 } as const
/** A view is moved for a banner by at most this share of itself, and this share of it is not worth a move. */
const BANNER_WAY = 0.28
const BANNER_EDGE = 0.03

export type Grid = ReturnType<typeof placeGrid>

/** `stepFrames`: frames in a step. */
export function placeGrid(request: CameraRequest, stepFrames: number) {
  const { heads, wanted, view } = request
  const steps = Math.ceil(wanted.length / stepFrames)
  const { anchor, spacing, cells } = findCells(request, view.width * SPACING)
  const across = axisOf('x', request, stepFrames, { anchor: anchor.x, spacing, cells: cells.map(([x]) => x) })
  const down = axisOf('y', request, stepFrames, { anchor: anchor.y, spacing, cells: cells.map(([, y]) => y) })
  const wide = across.count
  const area = wide * down.count
  /** For each step all cells, row by row. */
  const costs = Float64Array.from({ length: steps * area }, (_, at) => {
    const step = Math.floor(at / area)
    return across.costAt(step, at % wide) + down.costAt(step, Math.floor((at % area) / wide))
  })
  const columns = cells.map(([x]) => x - across.first)
  const rows = cells.map(([, y]) => y - down.first)
  const places = columns.map((x, at): Point => ({ x: across.placeOf(x), y: down.placeOf(rows[at] ?? 0) }))
  const sums = columns.map((x, at) => {
    const sum = new Float64Array(steps + 1)
    const cell = (rows[at] ?? 0) * wide + x
    for (let step = 0; step < steps; step++)
      sum[step + 1] = (sum[step] ?? 0) + (costs[step * area + cell] ?? 0)
    return sum
  })
  return {
    steps,
    places,
    /** All that must be whole in each step. */
    boxes: Array.from({ length: steps }, (_, step) =>
      heads.slice(step * stepFrames, (step + 1) * stepFrames).reduce(includeBox, null),
    ),
    /** For each place the others, the nearest first; `far` in view widths. */
    near: places.map((from, at) =>
      places
        .map((to, place) => ({ place, far: Math.hypot(to.x - from.x, to.y - from.y) / view.width }))
        .filter(({ place, far }) => place !== at && far > 0)
        .toSorted((a, b) => a.far - b.far || a.place - b.place),
    ),
    /** Of resting at a place from one step to another. */
    restCost: (place: number, from: number, to: number): number =>
      (sums[place]?.[to] ?? Infinity) - (sums[place]?.[from] ?? 0),
    /** Of being on the way; counting ends above `most`. */
    moveCost: (start: number, end: number, from: number, length: number, most: number): number => {
      const x = columns[start] ?? 0
      const y = rows[start] ?? 0
      const right = (columns[end] ?? 0) - x
      const below = (rows[end] ?? 0) - y
      const ways = waysOf(length)
      let cost = 0
      for (let step = 0; step < length && cost < most; step++) {
        const way = ways[step] ?? 0
        const cell = (y + Math.round(below * way)) * wide + x + Math.round(right * way)
        cost += costs[(from + step) * area + cell] ?? 0
      }
      return cost
    },
  }
}

const WAYS = new Map<number, Float64Array>()

/** How far a move of so many steps has come in the middle of each. */
function waysOf(length: number): Float64Array {
  const stored = WAYS.get(length)
  if (stored !== undefined) return stored
  const ways = Float64Array.from({ length }, (_, step) => smoothstep((step + 0.5) / length))
  WAYS.set(length, ways)
  return ways
}

type Cell = readonly [x: number, y: number]

/** The cells that the wanted place comes to, counted from where the view is already, or else from the usual one. */
function findCells({ wanted, banners, view, startsAt }: CameraRequest, least: number) {
  const usual = { x: median(wanted.map(({ x }) => x)), y: median(wanted.map(({ y }) => y)) }
  const anchor = startsAt ?? usual
  const beside = banners.flatMap(({ box }) => besideBanner(box, usual, view))
  for (let spacing = least; ; spacing *= 2) {
    const cells = new Map<string, Cell>(startsAt === undefined ? [] : [['0,0', [0, 0]]])
    for (const { x, y } of [...wanted, ...beside]) {
      const cell: Cell = [Math.round((x - anchor.x) / spacing), Math.round((y - anchor.y) / spacing)]
      cells.set(cell.join(), cell)
    }
    if (cells.size <= MAX_PLACES) return { anchor, spacing, cells: [...cells.values()] }
  }
}

/** Places near the usual one from which the whole banner is seen, or nothing of it. */
function besideBanner({ left, top, right, bottom }: Box, usual: Point, { width, height }: Size): Point[] {
  const across = [left - width, right - width, left, right].map((x) => ({ x, y: usual.y }))
  const down = [top - height, bottom - height, top, bottom].map((y) => ({ x: usual.x, y }))
  return [...across, ...down].filter(
    ({ x, y }) => Math.abs(x - usual.x) <= BANNER_WAY * width && Math.abs(y - usual.y) <= BANNER_WAY * height,
  )
}

const SIDES = {
  x: { from: 'left', to: 'right', size: 'width' },
  y: { from: 'top', to: 'bottom', size: 'height' },
} as const

/** One axis: the costs of each step at each cell, counted from the `first`. */
function axisOf(
  axis: 'x' | 'y',
  { heads, wanted, view, source, banners, framesPerSecond }: CameraRequest,
  stepFrames: number,
  { anchor, spacing, cells }: { anchor: number; spacing: number; cells: readonly number[] },
) {
  const { from, to, size } = SIDES[axis]
  const length = view[size]
  const first = Math.min(...cells)
  const count = Math.max(...cells) - first + 1
  const steps = Math.ceil(wanted.length / stepFrames)
  const placeOf = (cell: number): number => inside(anchor + (first + cell) * spacing, length, 0, source[size])
  const costs = new Float64Array(steps * count)
  for (let step = 0; step < steps; step++) {
    const frame = Math.min(wanted.length - 1, step * stepFrames + (stepFrames >> 1))
    const head = heads[frame] ?? null
    const letters = banners.filter(({ startFrame, endFrame }) => startFrame <= frame && frame < endFrame)
    for (let cell = 0; cell < count; cell++) {
      const at = placeOf(cell)
      const off = head === null ? 0 : (at - (wanted[frame]?.[axis] ?? at)) / length
      const cost = headCost(
        head === null ? null : { from: head[from], to: head[to] },
        at,
        length,
        source[size],
      )
      const cut = letters.filter(({ box }) => isCut(box[from], box[to], at, length)).length
      costs[step * count + cell] =
        ((cost + COSTS.offMiddle * off * off + COSTS.banner * cut) * stepFrames) / framesPerSecond
    }
  }
  return { first, count, placeOf, costAt: (step: number, cell: number) => costs[step * count + cell] ?? 0 }
}

/** Whether a view from `at` on has some of this, and not all. */
function isCut(from: number, to: number, at: number, length: number): boolean {
  const inside = Math.min(to, at + length) - Math.max(from, at)
  return inside > BANNER_EDGE * length && inside < to - from - BANNER_EDGE * length
}

/** Per second, of a view from `at` on; the picture's own edges need no margin. */
function headCost(
  head: { from: number; to: number } | null,
  at: number,
  length: number,
  all: number,
): number {
  if (head === null) return 0
  const size = head.to - head.from
  const out = Math.max(0, at - head.from) + Math.max(0, head.to - at - length)
  if (out > TOLERANCE * size) return COSTS.cutHead + COSTS.wholeHead * Math.min(1, out / size)
  const margin = MARGIN * length
  const near =
    (at < 1 ? 0 : Math.max(0, at + margin - head.from)) +
    (at + length > all - 1 ? 0 : Math.max(0, head.to - (at + length - margin)))
  return COSTS.margin * Math.min(1, near / margin)
}

/** Share of the way at a share of the time (easing). */
export function smoothstep(share: number): number {
  const t = Math.min(1, Math.max(0, share))
  return t * t * (3 - 2 * t)
}
