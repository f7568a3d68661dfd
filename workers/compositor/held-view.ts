/** How the picture is looked at on one frame, held for others: for material beside a cut, in export and preview. PURE. */
import { legsOf, type Composition, type LayoutSpan, type Zoom } from '../../server/contract/composition.ts'
import { cropOf, zoomOn } from './source-place.ts'

/** The composition of so many frames that are all patched, laid out and looked at as `frame` is; without layers and sound. */
export function heldView(composition: Composition, frame: number, frames: number): Composition {
  const { transitions: _joined, headFrames: _head, tailFrames: _tail, zooms: _zooms, ...rest } = composition
  const shown = { startFrame: 0, endFrame: frames }
  const { patches = [], ...picture } = composition.source
  const held = patches.filter(({ startFrame, endFrame }) => startFrame <= frame && frame < endFrame)
  const zoom = zoomOn(composition, frame)
  const zooms: Zoom[] =
    zoom === null
      ? []
      : [
          {
            ...zoom.zoom,
            ...shown,
            scale: Math.max(1, composition.output.width / zoom.view.width),
            easeInFrames: 0,
            easeOutFrames: 0,
          },
        ]
  return {
    ...rest,
    durationFrames: frames,
    source:
      held.length === 0 ? picture : { ...picture, patches: held.map((patch) => ({ ...patch, ...shown })) },
    layout: [heldSpan(composition, frame, frames)],
    ...(zooms.length === 0 ? {} : { zooms }),
    layers: [],
  }
}

function heldSpan({ layout, source }: Composition, frame: number, frames: number): LayoutSpan {
  const span = layout.findLast(({ startFrame }) => startFrame <= frame) ?? layout[0]
  if (span === undefined) throw new Error('a composition has a layout')
  const shown = { startFrame: 0, endFrame: frames }
  if (span.kind === 'fit') return { ...span, ...shown }
  if (span.kind === 'crop') return { kind: 'crop', ...shown, crop: cropOf(span, frame, source) }
  const panes = span.panes.map((pane) => {
    const leg = legsOf(pane, span).findLast(({ startFrame }) => startFrame <= frame)
    const { legs: _legs, ...still } = pane
    return leg === undefined ? still : { ...still, crop: cropOf(leg, frame, source) }
  })
  return { ...span, ...shown, panes }
}
