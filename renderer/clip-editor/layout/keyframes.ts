/** Keyframes of a manual crop. Source seconds. PURE. */
import type {
  ManualKeyframe,
  ManualLayout,
  ManualView,
} from '../../../server/contract/manual-overrides/layouts.ts'
import { viewAt } from '../../../server/nodes/index.ts'
import { rounded } from './stretches.ts'

export type ManualCrop = Extract<ManualLayout, { kind: 'crop' }>

/** The keyframe of the frame at `second`, which lasts for `frame` seconds; -1: none. */
export function keyframeOn({ keyframes }: ManualCrop, second: number, frame: number): number {
  return keyframes.findIndex(({ at }) => Math.abs(at - second) < frame / 2)
}

/** What the crop shows at a second. */
export const shownBy = (crop: ManualCrop, second: number): ManualView =>
  viewAt(crop.keyframes, crop.eased, second)

/**
 * The crop with another view at a second. As long as there is one keyframe, it is the view of the whole stretch; of
 * several, the one on this picture changes, or a new one is set.
 */
export function withView(crop: ManualCrop, second: number, frame: number, view: ManualView): ManualCrop {
  const [only] = crop.keyframes
  if (only !== undefined && crop.keyframes.length === 1)
    return { ...crop, keyframes: [{ ...view, at: only.at }] }
  return withKeyframe(crop, second, frame, view)
}

/** Sets a keyframe. */
export function withKeyframe(
  crop: ManualCrop,
  second: number,
  frame: number,
  view = shownBy(crop, second),
): ManualCrop {
  const index = keyframeOn(crop, second, frame)
  const keyframe: ManualKeyframe = { ...view, at: crop.keyframes[index]?.at ?? rounded(second) }
  const others = crop.keyframes.filter((_, place) => place !== index)
  return { ...crop, keyframes: [...others, keyframe].toSorted((a, b) => a.at - b.at) }
}

/** Removes a keyframe; the last one stays, because a crop needs a view. */
export function withoutKeyframe(crop: ManualCrop, index: number): ManualCrop {
  if (crop.keyframes.length <= 1) return crop
  return { ...crop, keyframes: crop.keyframes.filter((_, place) => place !== index) }
}

/** The keyframe before or after a second, by at least half a picture; undefined: none. */
export function neighbour(
  { keyframes }: ManualCrop,
  second: number,
  frame: number,
  way: -1 | 1,
): ManualKeyframe | undefined {
  return way < 0
    ? keyframes.findLast(({ at }) => at < second - frame / 2)
    : keyframes.find(({ at }) => at > second + frame / 2)
}
