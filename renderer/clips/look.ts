/** What is changed of many clips at once, and what that asks of the appliance. PURE. */
import type { ClipEditRequest } from '../../server/contract/clip-edits.ts'
import type { ShapeRatio } from '../../server/contract/shapes/registry.ts'

/** Empty: it stays as each clip has it. */
export interface Look {
  /** Id of a brand kit. */
  readonly brand: string
  readonly captions: string
  readonly shape: ShapeRatio | ''
}

export const SAME: Look = { brand: '', captions: '', shape: '' }

/** One request for each thing, the brand first, so that what cannot be done of a clip keeps nothing else from it. */
export function requestsOf({ brand, captions, shape }: Look, editId: string): readonly ClipEditRequest[] {
  const calls: NonNullable<ClipEditRequest['calls']> = []
  if (captions !== '') calls.push({ name: 'caption_style', arguments: { preset: captions } })
  if (shape !== '') calls.push({ name: 'aspect', arguments: { ratio: shape } })
  return [
    ...(brand === '' ? [] : [{ editId, brandKitId: brand }]),
    ...calls.map((call) => ({ editId, calls: [call] })),
  ]
}
