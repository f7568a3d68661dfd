/** The shape of the clip, and the safe zone that is shown over it. */
import type { SafeZone } from '../../../server/contract/platforms/registry.ts'
import { SHAPES, type ShapeRatio } from '../../../server/contract/shapes/registry.ts'
import { withNode } from '../../../server/nodes/commands/settings.ts'
import { aspectName } from '../../../server/nodes/settings.ts'
import type { OpenClip } from '../open-clip.svelte.ts'

/** Shown over the picture until it is switched off; it is nobody's edit. */
export const guides = $state<{ zone: SafeZone }>({ zone: 'none' })

/** The shape that the clip has; null: one that is not offered. */
export function shapeOf({ view }: Pick<OpenClip, 'view'>): ShapeRatio | null {
  const { width, height } = view.preview.composition.output
  const name = aspectName(width, height)
  return SHAPES.find(({ ratio }) => ratio === name)?.ratio ?? null
}

/** Gives the clip another shape, as one step: its people are framed anew. */
export function setShape(clip: OpenClip, ratio: ShapeRatio): void {
  const { edit, editor } = clip.view
  clip.change(withNode(edit, editor, 'convert_to_vertical', true, { aspect_ratio: ratio }))
}
