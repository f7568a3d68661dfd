/** The durable queue's rules as a PURE table: what may happen to an operation in each state. db/operations.ts applies it. */

/**
 * `pick`: the open picks of a run (db/picks.ts), one operation for all of them. `review_copy`: the watermarked copies of a
 * clip, one operation for all of them. `export`: the file of one delivery profile.
 */
export const OPERATION_KINDS = ['run', 'render', 'thumbnail', 'pick', 'review_copy', 'export'] as const
export type OperationKind = (typeof OPERATION_KINDS)[number]

/** What the rules apply to: operations, and dispatches (db/dispatches.ts), which become runs. */
export type QueueKind = OperationKind | 'dispatch'

export const OPERATION_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const
export type OperationState = (typeof OPERATION_STATES)[number]

/** A lease that is not renewed for this long is stale. Renewed three times as often. */
export const LEASE_MS = 30_000
export const HEARTBEAT_MS = 10_000

/** How often one process of the appliance tries a stage whose engine or tool dies before it makes progress. */
export const MAX_STAGE_ATTEMPTS = 3

/**
 * How often a stage is tried over all lives without progress of its run (a stage that finished, a checkpoint that reached
 * further). The work is done in the engine, so that an appliance that dies is hardly ever the stage's fault: a machine
 * that is switched off every night must not give up a long run. What does take the whole appliance down (memory) at the
 * same place each time still ends, as INTERRUPTED.
 */
export const MAX_STAGE_ATTEMPTS_IN_ALL = 12

/** How often an operation may be lost with its appliance without progress in between. A run counts its stages apart. */
export const MAX_OPERATION_ATTEMPTS: Readonly<Record<QueueKind, number>> = {
  run: 20,
  render: 3,
  thumbnail: 3,
  pick: 20,
  review_copy: 3,
  export: 3,
  dispatch: 5,
}

/** Lower first. People wait at the screen for a render, and return later for a run. */
const PRIORITY: Readonly<Record<OperationKind, number>> = {
  render: 0,
  pick: 1,
  thumbnail: 1,
  review_copy: 1,
  export: 1,
  run: 2,
}

/** The part of an operation that the rules read and write. Times are epoch milliseconds. */
export interface QueueEntry {
  readonly kind: QueueKind
  readonly state: OperationState
  readonly attempts: number
  readonly availableAt: number
  readonly leaseOwner: string | null
  readonly leaseUntil: number | null
  readonly cancelRequested: boolean
}

export type QueueEvent =
  | { readonly kind: 'claim'; readonly owner: string; readonly now: number }
  | { readonly kind: 'heartbeat'; readonly owner: string; readonly now: number }
  | { readonly kind: 'settle'; readonly owner: string; readonly state: 'succeeded' | 'failed' | 'cancelled' }
  /** The owner stops in good order: the attempt does not count. */
  | { readonly kind: 'release'; readonly owner: string; readonly now: number }
  /** It came further than ever before: attempts count from here. */
  | { readonly kind: 'advance'; readonly owner: string }
  /**
   * The owner is dead. `by`: its whole appliance died, which is over when somebody sees it, so that the work goes on at
   * once; or only its lease ran out, which may happen again (its end could not be stored), so that there is a pause.
   */
  | { readonly kind: 'lost'; readonly by: 'death' | 'lease'; readonly now: number }
  /** A new request for an operation that is overdue ends its pause. Running operations are not changed. */
  | { readonly kind: 'requeue'; readonly now: number }
  | { readonly kind: 'cancel' }
  /** A person tries a dispatch that was given up once more. What else has failed is tried as a new operation. */
  | { readonly kind: 'revive'; readonly now: number }

/** What became of the entry; `gaveUp`: lost once too often, to be stored as failed with INTERRUPTED. */
export interface QueueStep {
  readonly entry: QueueEntry
  readonly gaveUp: boolean
}

/** Milliseconds to wait before the attempt after `attempts` tries: none at first, then doubling to a minute. */
export const backoffMs = (attempts: number): number =>
  attempts <= 1 ? 0 : Math.min(60_000, 1000 * 2 ** (attempts - 2))

const free = { leaseOwner: null, leaseUntil: null } as const
const step = (entry: QueueEntry): QueueStep => ({ entry, gaveUp: false })

/** The entry after the event, or null when the event may not happen in this state. */
export function nextEntry(entry: QueueEntry, event: QueueEvent): QueueStep | null {
  if (event.kind === 'cancel') return cancel(entry)
  if (event.kind === 'claim') return claim(entry, event)
  if (event.kind === 'requeue') return requeue(entry, event.now)
  if (event.kind === 'revive') return revive(entry, event.now)
  if (entry.state !== 'running') return null
  if (event.kind !== 'lost' && entry.leaseOwner !== event.owner) return null
  switch (event.kind) {
    case 'heartbeat':
      return step({ ...entry, leaseUntil: event.now + LEASE_MS })
    case 'settle':
      return step({ ...entry, ...free, state: event.state })
    case 'release':
      return step({
        ...entry,
        ...free,
        state: 'queued',
        attempts: Math.max(0, entry.attempts - 1),
        availableAt: event.now,
      })
    case 'advance':
      return step({ ...entry, attempts: 1 })
    case 'lost':
      return lost(entry, event)
  }
}

function claim(entry: QueueEntry, event: { owner: string; now: number }): QueueStep | null {
  if (entry.state !== 'queued' || entry.availableAt > event.now) return null
  return step({
    ...entry,
    state: 'running',
    attempts: entry.attempts + 1,
    leaseOwner: event.owner,
    leaseUntil: event.now + LEASE_MS,
  })
}

const requeue = (entry: QueueEntry, now: number): QueueStep | null =>
  entry.state === 'queued' ? step({ ...entry, availableAt: Math.min(entry.availableAt, now) }) : null

/** Its run is known by ids that were given out with it, so that it cannot be another dispatch that is tried. */
function revive(entry: QueueEntry, now: number): QueueStep | null {
  if (entry.kind !== 'dispatch' || entry.state !== 'failed') return null
  return step({ ...entry, ...free, state: 'queued', attempts: 0, availableAt: now })
}

function cancel(entry: QueueEntry): QueueStep | null {
  if (entry.state === 'queued') return step({ ...entry, ...free, state: 'cancelled', cancelRequested: true })
  // Its executor sees the request and settles it.
  return entry.state === 'running' ? step({ ...entry, cancelRequested: true }) : null
}

function lost(entry: QueueEntry, { by, now }: Extract<QueueEvent, { kind: 'lost' }>): QueueStep {
  if (entry.cancelRequested) return step({ ...entry, ...free, state: 'cancelled' })
  if (entry.attempts >= MAX_OPERATION_ATTEMPTS[entry.kind])
    return { entry: { ...entry, ...free, state: 'failed' }, gaveUp: true }
  const pause = by === 'death' ? 0 : backoffMs(entry.attempts)
  return step({ ...entry, ...free, state: 'queued', availableAt: now + pause })
}

/** A queued operation that could be taken now. */
export interface Candidate {
  readonly id: string
  readonly companyId: string
  readonly kind: OperationKind
  /** The run of a run and of its picks; others are not compared by it. */
  readonly subjectId?: string
  readonly createdAt: number
  /** It records a live event: it starts at once and delays no other operation. */
  readonly live?: boolean
}

export interface Load {
  /** What runs now. */
  readonly active: readonly Pick<Candidate, 'companyId' | 'kind' | 'subjectId' | 'live'>[]
  readonly maxRuns: number
  /** Renders that a company may have going at once. */
  readonly renderConcurrency: (companyId: string) => number
  /** When each company was last given a turn (any rising number); companies never served come first. */
  readonly lastTurn: ReadonlyMap<string, number>
}

/**
 * Which operation to take next, or null. Live recordings come first and do not wait; renders do not wait for runs.
 * Among companies, the one with the least running, then the one with the oldest last turn; within a company the oldest.
 */
export function chooseNext(candidates: readonly Candidate[], load: Load): Candidate | null {
  const going = (companyId: string, kind: OperationKind) =>
    load.active.filter((item) => item.companyId === companyId && item.kind === kind).length
  const runs = load.active.filter((item) => item.kind === 'run' && item.live !== true).length
  const mayStart: Readonly<Record<OperationKind, (item: Candidate) => boolean>> = {
    run: ({ live }) => live === true || runs < load.maxRuns,
    render: ({ companyId }) => going(companyId, 'render') < load.renderConcurrency(companyId),
    // A company's own renders come first.
    review_copy: ({ companyId }) =>
      going(companyId, 'render') + going(companyId, 'review_copy') < load.renderConcurrency(companyId),
    // One at a time: an export may take all cores for long.
    export: ({ companyId }) =>
      going(companyId, 'export') === 0 && going(companyId, 'render') < load.renderConcurrency(companyId),
    // One after the other, so that of two of the same clip the later one sees what it is now.
    thumbnail: ({ companyId }) => going(companyId, 'thumbnail') === 0,
    // The run's own operation takes its picks along.
    pick: ({ subjectId }) => !load.active.some((item) => item.subjectId === subjectId),
  }
  const allowed = candidates.filter((item) => mayStart[item.kind](item))
  const first = ({ live }: Candidate) => Number(live !== true)
  const order = (a: Candidate, b: Candidate) =>
    first(a) - first(b) ||
    PRIORITY[a.kind] - PRIORITY[b.kind] ||
    going(a.companyId, a.kind) - going(b.companyId, b.kind) ||
    (load.lastTurn.get(a.companyId) ?? -1) - (load.lastTurn.get(b.companyId) ?? -1) ||
    a.createdAt - b.createdAt ||
    (a.id < b.id ? -1 : 1)
  return allowed.sort(order)[0] ?? null
}
