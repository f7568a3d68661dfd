/** Where a dragged block comes to rest: at the picture's middle, at the edges of what platforms cover, or where it is. PURE. */
import { SAFE_ZONES } from '../../../server/contract/platforms/registry.ts'
import { pictureShape } from '../../../server/nodes/compose/read-config.ts'

/** Percent of the picture's width and height. */
export interface Place {
  readonly x: number
  readonly y: number
}

/** A line that the block has snapped to; percent. */
export interface Guide {
  readonly axis: 'x' | 'y'
  readonly at: number
}

export interface PlatformZone {
  readonly platform: string
  /** Percent covered on each side. */
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly left: number
}

/** Percent of the picture within which a block is caught. */
const CATCH = 1.2

/** The parts that platforms cover with their controls; none unless the picture is vertical. */
export function platformZones(output: { readonly width: number; readonly height: number }): PlatformZone[] {
  if (pictureShape(output) !== 'vertical') return []
  return SAFE_ZONES.map(({ label, covered }) => ({ platform: label, ...covered }))
}

/**
 * The centre of a block after snapping, on a tenth of a percent. `size`: the block's, percent of the picture; `centre`
 * need not be the block's middle, but is no further from its edges than half of it.
 */
export function snapped(
  centre: Place,
  size: { readonly width: number; readonly height: number },
  zones: readonly PlatformZone[],
): { readonly place: Place; readonly guides: readonly Guide[] } {
  const x = caught(
    centre.x,
    size.width / 2,
    zones.flatMap(({ left, right }) => [left, 100 - right]),
  )
  const y = caught(
    centre.y,
    size.height / 2,
    zones.flatMap(({ top, bottom }) => [top, 100 - bottom]),
  )
  return {
    place: { x: x.value, y: y.value },
    guides: [
      ...(x.line === null ? [] : [{ axis: 'x' as const, at: x.line }]),
      ...(y.line === null ? [] : [{ axis: 'y' as const, at: y.line }]),
    ],
  }
}

/** The nearest of: the middle on the middle, an edge on an edge, from inside. */
function caught(
  value: number,
  half: number,
  edges: readonly number[],
): { readonly value: number; readonly line: number | null } {
  const resting = edges.map((edge) => ({ at: edge < 50 ? edge + half : edge - half, line: edge }))
  const places = [{ at: 50, line: 50 }, ...resting]
  const best = places.reduce((a, b) => (Math.abs(b.at - value) < Math.abs(a.at - value) ? b : a))
  const near = Math.abs(best.at - value) <= CATCH
  return { value: tenth(near ? best.at : value), line: near ? best.line : null }
}

const tenth = (value: number): number => Math.round(value * 10) / 10

/** A place after a step, inside the picture. */
export function stepped(from: Place, step: Place): Place {
  const inside = (value: number): number => tenth(Math.min(100, Math.max(0, value)))
  return { x: inside(from.x + step.x), y: inside(from.y + step.y) }
}
