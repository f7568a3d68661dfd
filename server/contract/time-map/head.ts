/** Moves what a composition shows of its source to later or earlier frames. PURE. */
import type { Composition, Layer, LayoutSpan } from '../composition.ts'
import { movedKeyframes, type PropertyKeyframes } from '../keyframes/keyframes.ts'
import type { FrameRange } from '../time.ts'

/** The same so many frames later; negative: earlier. */
export const movedBy = <T extends FrameRange & { readonly keyframes?: PropertyKeyframes[] }>(
  one: T,
  frames: number,
): T => ({
  ...one,
  startFrame: one.startFrame + frames,
  endFrame: one.endFrame + frames,
  ...movedKeyframes(one.keyframes, frames),
})

/** The same layer shown so many frames longer; captions end with what is spoken. */
export const lengthenedBy = <T extends Layer>(layer: T, frames: number): T =>
  'endFrame' in layer ? { ...layer, endFrame: layer.endFrame + frames } : layer

/** The same composition with the source and all that is done to its picture so many frames later; negative: earlier. */
export function moveSource(composition: Composition, frames: number): Composition {
  if (frames === 0) return composition
  const { source, zooms, transitions } = composition
  const moved = <T extends FrameRange>(one: T): T => movedBy(one, frames)
  const { patches, ...picture } = source
  return {
    ...composition,
    source: patches === undefined ? picture : { ...picture, patches: patches.map(moved) },
    timeMap: composition.timeMap.map(moved),
    layout: composition.layout.map((span) => moveSpan(span, frames)),
    ...(zooms === undefined ? {} : { zooms: zooms.map(moved) }),
    ...(transitions === undefined
      ? {}
      : { transitions: transitions.map((one) => ({ ...one, cutFrame: one.cutFrame + frames })) }),
  }
}

function moveSpan(span: LayoutSpan, frames: number): LayoutSpan {
  const moved = movedBy(span, frames)
  if (moved.kind !== 'panes') return moved
  const panes = moved.panes.map((pane) =>
    pane.legs === undefined ? pane : { ...pane, legs: pane.legs.map((leg) => movedBy(leg, frames)) },
  )
  return { ...moved, panes }
}
