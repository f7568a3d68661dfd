/**
 * Burned-in logos are replaced by what surrounds them, in the source's display pixels, after cutting: their times are
 * output frames. Inside the picture `delogo` blends in from all four sides. At the picture's edge there is nothing beyond
 * to blend from: what lies beside is stretched over it. PURE.
 */
import type { Composition, Rect, SourcePatch } from '../../../server/contract/composition.ts'
import { displayPixels } from './render-scale.ts'

/** `delogo` wants this much picture on each side. */
const RIM = 2

/** Chains from `[input]`, the cut source, to `[label]`, the same without what was patched. */
export function patchChains(composition: Composition, input: string, label: string): string[] {
  const { source } = composition
  const patches = (source.patches ?? []).flatMap((patch) => {
    const place = inside(patch.rect, source)
    return place === null || patch.endFrame <= patch.startFrame ? [] : [{ patch, place }]
  })
  const pixels = displayPixels(composition)
  let below = input
  let before = `${pixels},`
  const chains = patches.flatMap(({ patch, place }, index) => {
    const out = `patch${index}`
    const made = patchChain(patch, place, source, {
      below: `[${below}]${before}`,
      out,
      prefix: `patch${index}`,
    })
    below = out
    before = ''
    return made
  })
  return [...chains, `[${below}]${before}null[${label}]`]
}

function patchChain(
  patch: SourcePatch,
  place: Rect,
  source: Composition['source'],
  { below, out, prefix }: { below: string; out: string; prefix: string },
): string[] {
  const when = `enable=between(n\\,${patch.startFrame}\\,${patch.endFrame - 1})`
  const { x, y, width, height } = place
  const strip = neighbour(place, source)
  if (strip === null) return [`${below}delogo=x=${x}:y=${y}:w=${width}:h=${height}:${when}[${out}]`]
  const cut = `crop=${strip.width}:${strip.height}:${strip.x}:${strip.y}`
  return [
    `${below}split[${prefix}a][${prefix}b]`,
    `[${prefix}b]${cut},scale=${width}:${height}:flags=bicubic[${prefix}c]`,
    `[${prefix}a][${prefix}c]overlay=x=${x}:y=${y}:eval=init:format=yuv420:${when}[${out}]`,
  ]
}

/** The part of a rectangle that lies in the picture, grown to whole pairs of pixels; null: none of it, or all, and nothing is left to blend from. */
function inside(rect: Rect, source: Pick<Composition['source'], 'width' | 'height'>): Rect | null {
  const most = { x: Math.floor(source.width / 2) * 2, y: Math.floor(source.height / 2) * 2 }
  const low = (value: number, end: number): number => Math.min(end, Math.max(0, Math.floor(value / 2) * 2))
  const high = (value: number, end: number): number => Math.min(end, Math.max(0, Math.ceil(value / 2) * 2))
  const [x, y] = [low(rect.x, most.x), low(rect.y, most.y)]
  const width = high(rect.x + rect.width, most.x) - x
  const height = high(rect.y + rect.height, most.y) - y
  const everything = width === most.x && height === most.y
  return width < 2 || height < 2 || everything ? null : { x, y, width, height }
}

/** What is stretched over a rectangle that touches the picture's edge; null: it does not. */
function neighbour(place: Rect, source: Pick<Composition['source'], 'width' | 'height'>): Rect | null {
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
