/** From the cut source to the picture that fills the output: patched, laid out, looked at closer. PURE. */
import type { Composition } from '../../../server/contract/composition.ts'
import { placedPatches, type PlacedPatch } from '../../compositor/patch-place.ts'
import { countFrom, displayPixels } from './colour.ts'
import { layoutChains } from './render-layout.ts'
import { zoomChains } from './render-zoom.ts'

/**
 * Chains from the cut source in `[input]` to `[label]`: the output's size, yuv420p, BT.709. `from`: the clip's frame that is the
 * first of the input.
 */
export function viewChains(composition: Composition, input: string, label: string, from = 0): string[] {
  const patched = (composition.source.patches ?? []).length > 0
  const zoomed = (composition.zooms ?? []).length > 0
  return [
    ...(patched ? patchChains(composition, input, 'patched').map((chain) => countFrom(chain, from)) : []),
    ...layoutChains(composition, patched ? 'patched' : input, zoomed ? 'laidout' : label, from),
    ...(zoomed ? zoomChains(composition, 'laidout', label, from) : []),
  ]
}

/**
 * Chains from `[input]`, the cut source, to `[label]`, the same with burned-in logos replaced by their surroundings, in display
 * pixels and output frames. Inside the picture `delogo` blends from all four sides; at its edge one side is missing, so the
 * neighbouring pixels are stretched over the logo.
 */
function patchChains(composition: Composition, input: string, label: string): string[] {
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
