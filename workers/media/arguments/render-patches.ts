/**
 * Replaces burned-in logos by what surrounds them, in display pixels of the source, after cutting: times are output frames.
 * Inside the picture `delogo` blends from all four sides. At the picture's edge one side is missing, so the neighbouring
 * pixels are stretched over the logo. PURE.
 */
import type { Composition } from '../../../server/contract/composition.ts'
import { placedPatches, type PlacedPatch } from '../../compositor/patch-place.ts'
import { displayPixels } from './render-scale.ts'

/** Chains from `[input]`, the cut source, to `[label]`, the same with logos replaced. */
export function patchChains(composition: Composition, input: string, label: string): string[] {
  const pixels = displayPixels(composition)
  let below = input
  let before = `${pixels},`
  const chains = placedPatches(composition.source).flatMap((placed, index) => {
    const out = `patch${index}`
    const made = patchChain(placed, { below: `[${below}]${before}`, out, prefix: `patch${index}` })
    below = out
    before = ''
    return made
  })
  return [...chains, `[${below}]${before}null[${label}]`]
}

function patchChain(
  { patch, place, strip }: PlacedPatch,
  { below, out, prefix }: { below: string; out: string; prefix: string },
): string[] {
  const when = `enable=between(n\\,${patch.startFrame}\\,${patch.endFrame - 1})`
  const { x, y, width, height } = place
  if (strip === null) return [`${below}delogo=x=${x}:y=${y}:w=${width}:h=${height}:${when}[${out}]`]
  const cut = `crop=${strip.width}:${strip.height}:${strip.x}:${strip.y}`
  return [
    `${below}split[${prefix}a][${prefix}b]`,
    `[${prefix}b]${cut},scale=${width}:${height}:flags=bicubic[${prefix}c]`,
    `[${prefix}a][${prefix}c]overlay=x=${x}:y=${y}:eval=init:format=yuv420:${when}[${out}]`,
  ]
}
