/** Follows one task in its queue to its end. */
import type { StageVerdict } from '../stage-request.ts'
import type { Channel } from './channel.ts'
import type { RemoteEnd } from './protocol.ts'

/** How it ended, or why it is followed no more. */
export type Ended =
  | { readonly kind: 'ended'; readonly end: RemoteEnd }
  | { readonly kind: 'broken'; readonly reason: string }
  /** Not in the queue: removed by a person, or lost by Redis. */
  | { readonly kind: 'gone' }
  /** One node has held it for longer than it may. */
  | { readonly kind: 'overdue' }
  /** The caller has a verdict of its own. */
  | { readonly kind: 'instead'; readonly verdict: StageVerdict }
  | { readonly kind: 'aborted' }

export interface Following {
  readonly key: string
  readonly signal: AbortSignal
  readonly onProgress: (fraction: number, note: string) => void
  /** Called for each start on a node; a verdict ends the following. */
  readonly begin: () => StageVerdict | null
  /** Called while no node works on the task. */
  readonly onIdle: () => Promise<void>
  /** How often it is looked at besides what Redis tells by itself. */
  readonly lookEveryMs: number
  readonly longestHoldMs: number
}

/** One look; `seen`: how many starts were counted before, and when the last of them was. */
async function look(
  { queue }: Channel,
  following: Following,
  seen: { starts: number; at: number },
): Promise<Ended | null> {
  // In this order: a task that ends between the two is over at the next look, and never one that is over without its end.
  const state = await queue.getJobState(following.key)
  const job = await queue.getJob(following.key)
  if (job === undefined) return { kind: 'gone' }
  const over = state === 'completed' || state === 'failed'
  if (!over && state !== 'active') {
    await following.onIdle()
    return null
  }
  // One that was over before it was seen to run has been begun all the same.
  if (over ? seen.starts === 0 : job.attemptsStarted > seen.starts) {
    Object.assign(seen, { starts: Math.max(1, job.attemptsStarted), at: performance.now() })
    const verdict = following.begin()
    if (verdict !== null) return { kind: 'instead', verdict }
  }
  if (state === 'completed') return { kind: 'ended', end: job.returnvalue }
  if (!over && performance.now() - seen.at > following.longestHoldMs) return { kind: 'overdue' }
  return state === 'failed' ? { kind: 'broken', reason: job.failedReason } : null
}

/** Resolves when the task has ended or left the queue, or when the signal aborts. */
export function follow(channel: Channel, following: Following): Promise<Ended> {
  const { key, signal, onProgress, lookEveryMs } = following
  const seen = { starts: 0, at: performance.now() }
  return new Promise((resolve, reject) => {
    let over = false
    let looking = Promise.resolve()
    const close = (): void => {
      over = true
      clearInterval(timer)
      signal.removeEventListener('abort', onAbort)
      channel.news.delete(key)
    }
    const end = (ended: Ended | null): void => {
      if (ended === null || over) return
      close()
      resolve(ended)
    }
    const onAbort = (): void => end({ kind: 'aborted' })
    const lookSoon = (): void => {
      // One after the other, so that a start is counted once.
      looking = looking
        .then(() => (over ? null : look(channel, following, seen)))
        .then(end, (error: unknown) => {
          if (over) return
          close()
          reject(error instanceof Error ? error : new Error(String(error)))
        })
    }
    const timer = setInterval(lookSoon, lookEveryMs)
    signal.addEventListener('abort', onAbort, { once: true })
    channel.news.set(key, { look: lookSoon, progress: ({ fraction, note }) => onProgress(fraction, note) })
    if (signal.aborted) onAbort()
    else lookSoon()
  })
}
