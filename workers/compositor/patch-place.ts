/** Where a burned-in logo is replaced, and from what, for the export's ffmpeg graph and the preview. PURE. */
import type { Composition, Rect, SourcePatch } from '../../server/contract/composition.ts'

/** Blending takes this much picture on each side. */
export const PATCH_RIM = 2

export interface PlacedPatch {
  readonly patch: SourcePatch
  /** Whole pairs of the source's display pixels, inside its picture. */
  readonly place: Rect
  /** What is stretched over a place at the picture's edge; null: it is blended from all four sides. */
  readonly strip: Rect | null
}

type Size = Pick<Composition['source'], 'width' | 'height'>

/** The patches that replace something, in their order: each sees what those before it have left. */
export function placedPatches(source: Composition['source']): PlacedPatch[] {
  return (source.patches ?? []).flatMap((patch) => {
    const place = inside(patch.rect, source)
    if (place === null || patch.endFrame <= patch.startFrame) return []
    return [{ patch, place, strip: neighbour(place, source) }]
  })
}

/** The part inside the picture in even pixels; null: none of it is inside, or it covers everything. */
function inside(rect: Rect, source: Size): Rect | null {
  const most = { x: Math.floor(source.width / 2) * 2, y: Math.floor(source.height / 2) * 2 }
  const low = (value: number, end: number): number => Math.min(end, Math.max(0, Math.floor(value / 2) * 2))
  const high = (value: number, end: number): number => Math.min(end, Math.max(0, Math.ceil(value / 2) * 2))
  const x = low(rect.x, most.x)
  const y = low(rect.y, most.y)
  const width = high(rect.x + rect.width, most.x) - x
  const height = high(rect.y + rect.height, most.y) - y
  const everything = width === most.x && height === most.y
  return width < 2 || height < 2 || everything ? null : { x, y, width, height }
}

/** What is stretched over a rectangle that touches the picture's edge; null: it does not. */
function neighbour(place: Rect, source: Size): Rect | null {
  const RIM = PATCH_RIM
  const room = {
    left: place.x,
    right: source.width - place.x - place.width,
    top: place.y,
    bottom: source.height - place.y - place.height,
  }
  if (Math.min(room.left, room.right, room.top, room.bottom) >= RIM) return null
  const { x, y, width, height } = place
  const across = [
    ...(room.left >= RIM ? [{ reach: width, strip: { x: x - RIM, y, width: RIM, height } }] : []),
    ...(room.right >= RIM ? [{ reach: width, strip: { x: x + width, y, width: RIM, height } }] : []),
    ...(room.top >= RIM ? [{ reach: height, strip: { x, y: y - RIM, width, height: RIM } }] : []),
    ...(room.bottom >= RIM ? [{ reach: height, strip: { x, y: y + height, width, height: RIM } }] : []),
  ]
  // The shortest way to stretch is seen least.
  const [best] = across.toSorted((a, b) => a.reach - b.reach)
  return best?.strip ?? null
}
