/** PURE: what may happen to a post in each state. */

export const POST_STATES = ['draft', 'scheduled', 'publishing', 'success', 'error', 'cancelled'] as const
export type PostState = (typeof POST_STATES)[number]

/**
 * `edit`: a change of what it says; `delete`; `publish`, `schedule`: approved, for now or for later; `begin`: its moment
 * has come; `published`, `failed`: what came of it; `cancelled`: it does not go out, or was taken back.
 */
export const POST_EVENTS = [
  'edit',
  'delete',
  'publish',
  'schedule',
  'begin',
  'published',
  'failed',
  'cancelled',
] as const
export type PostEvent = (typeof POST_EVENTS)[number]

/** `gone`: the row is deleted. What is not in the table may not happen. */
export type PostStep = PostState | 'gone'

const TABLE: Readonly<Record<PostState, Readonly<Partial<Record<PostEvent, PostStep>>>>> = {
  draft: { edit: 'draft', delete: 'gone', publish: 'publishing', schedule: 'scheduled' },
  // Its approval was for what it said: it has to be approved anew.
  scheduled: { edit: 'draft', begin: 'publishing', failed: 'error', cancelled: 'cancelled' },
  // Begun again after a pause or a crash.
  publishing: { begin: 'publishing', published: 'success', failed: 'error', cancelled: 'cancelled' },
  success: { cancelled: 'cancelled' },
  // It may be mended, or sent as it is once more; both need a new approval.
  error: { edit: 'draft', publish: 'publishing', schedule: 'scheduled' },
  cancelled: {},
}

/** The state after the event; null when it may not happen. */
export function nextPostState(state: PostState, event: PostEvent): PostStep | null {
  return TABLE[state][event] ?? null
}

/** Whether the public lists show it: then it has a time of publishing. */
export const isListed = (state: PostState): boolean => state === 'success' || state === 'error'
