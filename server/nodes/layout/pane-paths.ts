/** How the view of a pane follows its person: what it costs anywhere in a shot, and its path in one arrangement. */
import { legsOf, type CropSpan, type Pane, type Rect } from '../../contract/composition.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { largest } from '../compose/layout.ts'
import { followHeads, groupsOf, type Followed } from './follow-heads.ts'
import { usualFace, type BannerSpan, type Box, type Person, type Point, type Size } from './seen.ts'
import { cropAt } from './view-at.ts'

interface Shot {
  readonly source: Size
  readonly framesPerSecond: number
  readonly moveCosts: number
  readonly banners: readonly BannerSpan[]
}

/** Widths that a view which follows may have, in usual ones. */
const WIDTHS = [1, 1.4] as const
/** What may be cut of a head, of its size: the measured boxes are not better than this. */
const TOLERANCE = 0.02

export interface PanePath {
  /** Source pixels. */
  readonly width: number
  readonly shape: number
  /** In usual widths. */
  readonly factor: number
  /** Of following from the first step of the shot to each: moves begun, and steps with a cut head. */
  readonly moves: Float64Array
  readonly cuts: Float64Array
}

/** Ways to follow one person through a whole shot with a pane of this shape (width to height). */
export function pathsOf(
  person: Person,
  { usual, shape, stepFrames }: { usual: number; shape: number; stepFrames: number },
  shot: Shot,
): PanePath[] {
  const most = largest(shot.source, shape).width
  const followed = groupsOf([person], shot.source)
  const paths: PanePath[] = []
  for (const factor of WIDTHS) {
    const width = Math.min(most, usual * factor)
    // A wider view is needed only where a closer one cannot follow.
    const last = paths.at(-1)
    if (last !== undefined && (last.cuts.at(-1) === 0 || last.width >= most)) break
    paths.push({
      width,
      shape,
      factor,
      ...costsOf(followed, follow(followed, 0, width, shape, shot), stepFrames),
    })
  }
  return paths
}

/** Moves begun, and steps in which a head is cut, until each step. */
function costsOf(followed: readonly (Followed | null)[], legs: readonly CropSpan[], stepFrames: number) {
  const steps = Math.ceil(followed.length / stepFrames)
  const moves = new Float64Array(steps + 1)
  const cuts = new Float64Array(steps + 1)
  let at = 0
  for (let step = 0; step < steps; step++) {
    let begun = 0
    let cut = 0
    const end = Math.min(followed.length, (step + 1) * stepFrames)
    for (let frame = step * stepFrames; frame < end; frame++) {
      while ((legs[at]?.endFrame ?? Infinity) <= frame) at += 1
      const leg = legs[at]
      if (leg === undefined) continue
      if (leg.startFrame === frame && (leg.cropTo !== undefined || frame > 0)) begun += 1
      if (!isWhole(followed[frame]?.head, cropAt(leg, frame))) cut = 1
    }
    moves[step + 1] = (moves[step] ?? 0) + begun
    cuts[step + 1] = (cuts[step] ?? 0) + cut
  }
  return { moves, cuts }
}

/** A pane that follows its person in some frames; null: it cannot keep the head whole in all of them. */
export function followInPane(
  person: Person,
  { width, shape }: Pick<PanePath, 'width' | 'shape'>,
  rect: Rect,
  range: { readonly startFrame: number; readonly endFrame: number; readonly before?: Pane | undefined },
  shot: Shot,
): Pane | null {
  const { startFrame, endFrame, before } = range
  const followed = groupsOf([person], shot.source).slice(startFrame, endFrame)
  const end = before === undefined ? undefined : legsOf(before, range).at(-1)
  const at = end?.cropTo ?? end?.crop
  const startsAt = at !== undefined && Math.abs(at.width - width) < 1 ? { x: at.x, y: at.y } : undefined
  const legs = follow(followed, startFrame, width, shape, shot, startsAt)
  const holds = legs.every((leg) => {
    for (let frame = leg.startFrame; frame < leg.endFrame; frame++)
      if (!isWhole(followed[frame - startFrame]?.head, cropAt(leg, frame))) return false
    return true
  })
  const [first] = legs
  if (!holds || first === undefined) return null
  if (legs.length === 1 && first.cropTo === undefined) return { crop: first.crop, rect }
  return { crop: first.crop, rect, legs: legs.map(({ kind: _kind, ...leg }) => leg) }
}

function follow(
  followed: readonly (Followed | null)[],
  startFrame: number,
  width: number,
  shape: number,
  shot: Shot,
  startsAt?: Point,
): CropSpan[] {
  const spans = followHeads(
    followed,
    omitUndefined({
      ...shot,
      startFrame,
      view: { width, height: width / shape },
      usual: usualFace(followed.map((one) => one?.face ?? null)),
      widens: false,
      startsAt,
    }),
  )
  return spans.filter((span) => span.kind === 'crop')
}

function isWhole(head: Box | undefined, { x, y, width, height }: Rect): boolean {
  if (head === undefined) return true
  const across = TOLERANCE * (head.right - head.left)
  const down = TOLERANCE * (head.bottom - head.top)
  return (
    head.left >= x - across &&
    head.right <= x + width + across &&
    head.top >= y - down &&
    head.bottom <= y + height + down
  )
}
