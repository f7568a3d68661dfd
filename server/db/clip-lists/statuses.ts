/** PURE: the statuses of a clip, from the facts that the list stores. */
import type { ClipStatus } from '../../contract/tenant-api/clip.ts'

/** Bits of `listed_clips.post_states`, by the state of a post. */
export const POST_STATE_BITS = { draft: 1, scheduled: 2, publishing: 4, success: 8, error: 16 } as const

export interface StatusFacts {
  readonly rendered: boolean
  readonly edited: boolean
  /** 0 no render is open, 1 one is queued or running, 2 the last one failed. */
  readonly renderState: number
  readonly postStates: number
}

/** What posts in each state make of their clip. */
export const POST_STATUSES: readonly (readonly [ClipStatus, number])[] = [
  ['drafted', POST_STATE_BITS.draft],
  ['scheduled', POST_STATE_BITS.scheduled],
  ['publishing', POST_STATE_BITS.publishing],
  ['published', POST_STATE_BITS.success],
  ['publish_failed', POST_STATE_BITS.error],
]

/** All statuses that apply; the first one is that of the video. */
export function statusesOf({ rendered, edited, renderState, postStates }: StatusFacts): ClipStatus[] {
  const video =
    renderState === 1
      ? 'rendering'
      : rendered
        ? 'rendered'
        : renderState === 2
          ? 'render_failed'
          : 'unrendered'
  const posts = POST_STATUSES.flatMap(([status, bit]) => ((postStates & bit) === 0 ? [] : [status]))
  return [video, ...(edited ? (['edited'] as const) : []), ...posts]
}
