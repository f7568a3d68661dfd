/** Finds the rectangular frame around a face whose sides stay in place while the picture inside and outside moves. PURE. */
import type { SteadyEdges } from './edges.ts'

/** Columns and rows of the sides, in pixels. */
export interface Frame {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Minimum share of a side's length and time that is an edge, in total and in each part, so that nobody stands before it. */
const SIDE = 0.55
const PART = 0.3
const PARTS = 5
/** How much more often it must be an edge than its surroundings: a tiled wall is not a frame. */
const BESIDE = 0.3
/** Distances in pixels of the compared surroundings; closer ones may be the other edge of a drawn line. */
const BESIDE_AT = [6, 7, 8, 9, 10, 11, 12] as const
/** Maximum distance of a side from the centre of the face, in faces. */
const REACH = { across: 4.5, above: 3, below: 4 } as const
const MIN_REACH = 0.55
/** Maximum share of the picture's area. */
const MAX_AREA = 0.35
/** Width divided by height of a webcam's picture. */
const SHAPE = { from: 0.5, to: 3 } as const
/** How many sides are considered per direction, the clearest first. */
const CANDIDATES = 5
/** Pixels from the picture's edge within which a frame may end at the edge. */
const AT_EDGE = 2

interface Side {
  readonly at: number
  /** How clearly it is an edge; 0 for the edge of the picture. */
  readonly clear: number
}

/** `face`: centre and size of the face, in pixels. Null: no frame was found. */
export function frameAround(
  edges: SteadyEdges,
  face: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): Frame | null {
  const { width, height } = edges
  const middleRows: Span = [face.y - face.height / 2, face.y + face.height / 2]
  const lefts = sides(edges, 'across', face.x, -face.width, middleRows)
  const rights = sides(edges, 'across', face.x, face.width, middleRows)
  let best: { frame: Frame; clear: number } | null = null
  for (const left of lefts) {
    for (const right of rights) {
      const columns: Span = [left.at, right.at]
      for (const top of sides(edges, 'down', face.y, -face.height, columns)) {
        for (const bottom of sides(edges, 'down', face.y, face.height, columns)) {
          const frame = { left: left.at, top: top.at, right: right.at, bottom: bottom.at }
          if (!isLikely(frame, width, height)) continue
          const clear = clearness(edges, frame)
          if (clear > (best?.clear ?? 0)) best = { frame, clear }
        }
      }
    }
  }
  return best?.frame ?? null
}

type Span = readonly [from: number, to: number]

function isLikely({ left, top, right, bottom }: Frame, width: number, height: number): boolean {
  const wide = right - left
  const high = bottom - top
  const shape = wide / Math.max(1, high)
  return wide * high <= MAX_AREA * width * height && shape >= SHAPE.from && shape <= SHAPE.to
}

/** Candidates for a side in one direction from `from`: the clearest edges, and the picture's edge if it is near. */
function sides(edges: SteadyEdges, way: 'across' | 'down', from: number, size: number, along: Span): Side[] {
  const length = way === 'across' ? edges.width : edges.height
  const reach = way === 'across' ? REACH.across : size < 0 ? REACH.above : REACH.below
  const near = Math.round(from + MIN_REACH * size)
  const far = Math.round(from + reach * size)
  const step = Math.sign(size)
  const found: Side[] = []
  for (let at = near; at !== far + step; at += step) {
    if (at < AT_EDGE || at > length - 1 - AT_EDGE) {
      found.push({ at: step < 0 ? 0 : length - 1, clear: 0 })
      break
    }
    const share = shareOn(edges, way, at, along)
    if (share < SIDE) continue
    const clear = share - beside(edges, way, at, along)
    if (clear >= BESIDE) found.push({ at, clear })
  }
  const edge = found.filter(({ clear }) => clear === 0)
  const clearest: Side[] = []
  for (const side of found.toSorted((a, b) => b.clear - a.clear)) {
    // An edge is two or three pixels wide; its clearest pixel represents it.
    if (side.clear > 0 && clearest.every(({ at }) => Math.abs(at - side.at) > 2)) clearest.push(side)
    if (clearest.length === CANDIDATES) break
  }
  return [...clearest, ...edge]
}

/** Share of time and length in which this column (`across`) or row (`down`) is an edge. */
function shareOn(
  { width, height, across, down }: SteadyEdges,
  way: 'across' | 'down',
  at: number,
  [first, last]: Span,
): number {
  const limit = way === 'across' ? height : width
  const from = Math.max(1, Math.round(first))
  const to = Math.min(limit - 2, Math.round(last))
  let sum = 0
  for (let place = from; place <= to; place += 1)
    sum += (way === 'across' ? across[place * width + at] : down[at * width + place]) ?? 0
  return to < from ? 0 : sum / (to - from + 1)
}

/** The steadiest surroundings on either side, whichever is less, because one side may be busy. */
function beside(edges: SteadyEdges, way: 'across' | 'down', at: number, along: Span): number {
  const most = (sign: number): number =>
    Math.max(...BESIDE_AT.map((away) => shareOn(edges, way, at + sign * away, along)))
  return Math.min(most(-1), most(1))
}

/** The minimum over the sides: the share of edge in the weakest part, and how much it stands out. 0: not a frame. */
function clearness(edges: SteadyEdges, { left, top, right, bottom }: Frame): number {
  const all = [
    { way: 'across', at: left, along: [top, bottom], own: left === 0 },
    { way: 'across', at: right, along: [top, bottom], own: right === edges.width - 1 },
    { way: 'down', at: top, along: [left, right], own: top === 0 },
    { way: 'down', at: bottom, along: [left, right], own: bottom === edges.height - 1 },
  ] as const
  const seen = all.filter(({ own }) => !own)
  // Two adjacent edges of the picture are a corner; a strip between two opposite ones is a split screen, not an inset.
  const opposite = (all[0].own && all[1].own) || (all[2].own && all[3].own)
  if (seen.length < 2 || opposite) return 0
  return Math.min(
    ...seen.map(({ way, at, along: [from, to] }) => {
      const part = (to - from) / PARTS
      const parts = Array.from({ length: PARTS }, (_, index) =>
        shareOn(edges, way, at, [from + index * part, from + (index + 1) * part]),
      )
      const share = parts.reduce((sum, value) => sum + value, 0) / PARTS
      const clear = share - beside(edges, way, at, [from, to])
      const least = Math.min(...parts)
      return share < SIDE || clear < BESIDE || least < PART ? 0 : least + clear / 2
    }),
  )
}
