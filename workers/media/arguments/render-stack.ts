/** Everything that is drawn over the clip's own picture, in painting order: bands, and video layers between them. PURE. */
import type { Composition, VideoLayer } from '../../../server/contract/composition.ts'
import { overlayChains, type BandInput } from './render-picture.ts'
import { passesOf, videoChains } from './render-videos.ts'

export interface Stack {
  readonly bands: readonly BandInput[]
  /** Band `i` is input `firstBand + i` of the command. */
  readonly firstBand: number
  /** In painting order. */
  readonly videos: readonly VideoLayer[]
  /** The first input of the videos. */
  readonly firstVideo: number
}

/** Overlays the stack on `[input]`; ends in `[label]`. */
export function stackChains(
  composition: Composition,
  { bands, firstBand, videos, firstVideo }: Stack,
  input: string,
  label: string,
): string[] {
  if (videos.length === 0) return overlayChains(composition, bands, firstBand, input, label)
  const chains: string[] = []
  let below = input
  let bandsDone = 0
  let inputsDone = 0
  const layBands = (videosBelow: number): void => {
    const own = bands.slice(bandsDone).filter((band) => (band.videosBelow ?? 0) === videosBelow)
    if (own.length === 0) return
    chains.push(...overlayChains(composition, own, firstBand + bandsDone, below, `q${bandsDone}`))
    below = `q${bandsDone}`
    bandsDone += own.length
  }
  layBands(0)
  videos.forEach((layer, index) => {
    const given = { firstInput: firstVideo + inputsDone, below, label: `p${index}` }
    chains.push(...videoChains(composition, layer, given))
    below = given.label
    inputsDone += passesOf(layer, composition)
    layBands(index + 1)
  })
  return [...chains, `[${below}]null[${label}]`]
}
