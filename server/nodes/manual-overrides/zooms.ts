import type { Zoom } from '../../contract/composition.ts'
import type { ManualZoom } from '../../contract/manual-overrides/zooms.ts'
import { rationalToNumber, type FrameRange } from '../../contract/time.ts'
import type { ComposeContext } from '../declare.ts'
import { declareOverridePart, stretchProblem } from './declare.ts'
import { playedFrames } from '../../contract/time-map/frames.ts'

/** Zooms that an editor set. Nodes then choose none. */
export const manualZooms = declareOverridePart({
  name: 'zooms',
  check: (zooms) => stretchProblem('zooms', zooms),
  document: (_zooms, document) => ({
    ...document,
    nodes: document.nodes.map((node) => (node.type === 'smart_zoom' ? { ...node, enabled: false } : node)),
  }),
  compile: (zooms, context) => ({
    zooms: zooms.flatMap((zoom) => {
      const frames = playedFrames(zoom, context.timeMap)
      return frames === null ? [] : [zoomOf(zoom, frames, context)]
    }),
  }),
})

function zoomOf(
  { scale, xPercent, yPercent, easeSeconds }: ManualZoom,
  { startFrame, endFrame }: FrameRange,
  { output }: ComposeContext,
): Zoom {
  const half = Math.floor((endFrame - startFrame) / 2)
  const ease = Math.min(half, Math.round(easeSeconds * rationalToNumber(output.frameRate)))
  return { startFrame, endFrame, scale, xPercent, yPercent, easeInFrames: ease, easeOutFrames: ease }
}
