/** Which seconds of the source a composition shows, and the zooms that nodes chose in them. PURE. */
import type { Composition } from '../../../server/contract/composition.ts'
import type { ManualZoom } from '../../../server/contract/manual-overrides/zooms.ts'
import { sourceSecondAtEdge } from '../../../server/contract/time-map/frames.ts'
import { rationalToNumber } from '../../../server/contract/time.ts'

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000

/** Where a frame's beginning (or, for `end`, the end of the frame before it) is in the source. */
const secondOf = ({ timeMap }: Composition, frame: number, side: 'start' | 'end'): number => {
  const played = Math.max(timeMap[0]?.startFrame ?? 0, Math.min(timeMap.at(-1)?.endFrame ?? 0, frame))
  return rounded(sourceSecondAtEdge(timeMap, played, side))
}

/** The source second at which a frame of the output begins. */
export const startOfFrame = (composition: Composition, frame: number): number =>
  secondOf(composition, frame, 'start')

/** The source seconds that frames of the output show. */
export const stretchOfFrames = (
  composition: Composition,
  frames: { readonly startFrame: number; readonly endFrame: number },
): { start: number; end: number } => ({
  start: secondOf(composition, frames.startFrame, 'start'),
  end: secondOf(composition, frames.endFrame, 'end'),
})

/** Closer looks that nodes have chosen, as an editor would have set them. */
export function automaticZooms(composition: Composition): ManualZoom[] {
  const perSecond = rationalToNumber(composition.output.frameRate)
  return (composition.zooms ?? []).map((zoom, index) => ({
    id: `zoom-${index + 1}`,
    ...stretchOfFrames(composition, zoom),
    scale: zoom.scale,
    xPercent: zoom.xPercent,
    yPercent: zoom.yPercent,
    easeSeconds: rounded(zoom.easeInFrames / perSecond),
  }))
}
