/** PURE: what may happen to a post, and to an action of the outbox, in each state. db/social-actions.ts applies the rules. */

export const ACTION_KINDS = ['publish', 'cancel'] as const
export type ActionKind = (typeof ACTION_KINDS)[number]

export const ACTION_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const
export type ActionState = (typeof ACTION_STATES)[number]

/** A lease that is not renewed for this long is free for others. Renewed three times as often. */
export const ACTION_LEASE_MS = 60_000
/** Tries that may end in a passing fault, or in the death of the appliance. */
export const MAX_ACTION_ATTEMPTS = 10
/** An action ends after this time, however long platforms request to wait. */
export const ACTION_DEADLINE_MS = 24 * 3_600_000

/** The part of an action that the rules read and write. Times are epoch milliseconds. */
export interface ActionEntry {
  readonly state: ActionState
  readonly attempts: number
  readonly availableAt: number
  readonly leaseOwner: string | null
  readonly leaseUntil: number | null
  readonly cancelRequested: boolean
  /** When it was first started; null: never. */
  readonly startedAt: number | null
}

export type ActionEvent =
  | { readonly kind: 'claim'; readonly owner: string; readonly now: number }
  | { readonly kind: 'heartbeat'; readonly owner: string; readonly now: number }
  | { readonly kind: 'settle'; readonly owner: string; readonly state: 'succeeded' | 'failed' | 'cancelled' }
  /** The platform is still working, or requests a pause: the try does not count, only the deadline does. */
  | { readonly kind: 'later'; readonly owner: string; readonly now: number; readonly afterMs: number }
  /** A passing fault. */
  | { readonly kind: 'retry'; readonly owner: string; readonly now: number; readonly afterMs: number }
  /** The owner stops in good order: the try does not count. */
  | { readonly kind: 'release'; readonly owner: string; readonly now: number }
  /** The lease ran out. */
  | { readonly kind: 'lost'; readonly now: number }
  /** Cancelled by request. `touched`: something of it may be on the platform, so that it is looked up first. */
  | { readonly kind: 'cancel'; readonly now: number; readonly touched: boolean }
  /** It may have been published, which is unknown because an earlier state of the database was restored. */
  | { readonly kind: 'doubt' }

/** `gaveUp`: tried once too often, or for too long. */
export interface ActionStep {
  readonly entry: ActionEntry
  readonly gaveUp: boolean
}

/** Milliseconds before the next try after `attempts` tries: 5 s, doubling to 15 minutes. */
export function actionBackoffMs(attempts: number): number {
  return Math.min(900_000, 5000 * 2 ** Math.max(0, attempts - 1))
}

const FREE = { leaseOwner: null, leaseUntil: null } as const
const step = (entry: ActionEntry): ActionStep => ({ entry, gaveUp: false })
const giveUp = (entry: ActionEntry): ActionStep => ({
  entry: { ...entry, ...FREE, state: 'failed' },
  gaveUp: true,
})

/** The entry after the event, or null when the event may not happen in this state. */
export function nextAction(entry: ActionEntry, event: ActionEvent): ActionStep | null {
  if (entry.state === 'queued') return fromQueued(entry, event)
  if (entry.state !== 'running') return null
  if (event.kind === 'doubt') return giveUp(entry)
  if (event.kind === 'cancel') return step({ ...entry, cancelRequested: true })
  if (event.kind === 'lost')
    return (entry.leaseUntil ?? 0) > event.now
      ? null
      : pause(entry, event.now, actionBackoffMs(entry.attempts), true)
  if (event.kind === 'claim' || entry.leaseOwner !== event.owner) return null
  switch (event.kind) {
    case 'heartbeat':
      return step({ ...entry, leaseUntil: event.now + ACTION_LEASE_MS })
    case 'settle':
      return step({ ...entry, ...FREE, state: event.state })
    case 'later':
      return pause(entry, event.now, event.afterMs, false)
    case 'retry':
      return pause(entry, event.now, event.afterMs, true)
    case 'release':
      return step({ ...uncounted(entry), ...FREE, state: 'queued', availableAt: event.now })
  }
}

function fromQueued(entry: ActionEntry, event: ActionEvent): ActionStep | null {
  switch (event.kind) {
    case 'claim':
      return entry.availableAt > event.now
        ? null
        : step({
            ...entry,
            state: 'running',
            attempts: entry.attempts + 1,
            startedAt: entry.startedAt ?? event.now,
            leaseOwner: event.owner,
            leaseUntil: event.now + ACTION_LEASE_MS,
          })
    case 'cancel':
      return event.touched
        ? step({ ...entry, cancelRequested: true, availableAt: Math.min(entry.availableAt, event.now) })
        : step({ ...entry, state: 'cancelled', cancelRequested: true })
    case 'doubt':
      return giveUp(entry)
    default:
      return null
  }
}

const uncounted = (entry: ActionEntry): ActionEntry => ({
  ...entry,
  attempts: Math.max(0, entry.attempts - 1),
})

function pause(entry: ActionEntry, now: number, afterMs: number, counts: boolean): ActionStep {
  const tooOften = counts && entry.attempts >= MAX_ACTION_ATTEMPTS
  const tooLong = entry.startedAt !== null && now + afterMs - entry.startedAt > ACTION_DEADLINE_MS
  if (tooOften || tooLong) return giveUp(entry)
  return step({
    ...(counts ? entry : uncounted(entry)),
    ...FREE,
    state: 'queued',
    availableAt: now + afterMs,
  })
}

/** PURE: what may happen to a post in each state. */

export const POST_STATES = ['draft', 'scheduled', 'publishing', 'success', 'error', 'cancelled'] as const
export type PostState = (typeof POST_STATES)[number]

/**
 * `edit`: its content changes; `delete`; `publish`, `schedule`: approved, for now or for later; `begin`: its time has
 * come; `published`, `failed`: the outcome; `cancelled`: it is not published, or was deleted on the platform.
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

/** `gone`: the row is deleted. Events that are not in the table are refused. */
export type PostStep = PostState | 'gone'

const TABLE: Readonly<Record<PostState, Readonly<Partial<Record<PostEvent, PostStep>>>>> = {
  draft: { edit: 'draft', delete: 'gone', publish: 'publishing', schedule: 'scheduled' },
  // The approval was for the earlier content.
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
