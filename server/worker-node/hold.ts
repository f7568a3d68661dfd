/** Holds the lease of one task: renews its lock, watches for a cancel, and reports its end once. */
import { AppError, failureOf } from '../contract/errors.ts'
import {
  cancelKey,
  LOCK_MS,
  MAX_HOLD_MS,
  LOST_TOO_OFTEN,
  MAX_LOST,
  RENEW_MS,
  type RemoteEnd,
  type RemoteProgress,
} from '../jobs/remote/protocol.ts'
import type { RedisConnection } from '../jobs/remote/redis.ts'
import type { Logger } from '../log.ts'
import type { Doing } from './carry-out.ts'
import type { TaskJob } from './queues.ts'

export interface Holding {
  readonly job: TaskJob
  readonly token: string
  readonly base: string
  readonly connection: RedisConnection
  readonly log: Logger
  /** The appliance does not take this node any more: its token has expired, or was none. */
  readonly onRefused: () => void
  /** How long it is held at the most. */
  readonly longestHoldMs?: number
}

const PROGRESS_EVERY_MS = 500
const CANCEL_LOOK_MS = 500
/** Another node may do better. */
const OF_THIS_MACHINE: ReadonlySet<string> = new Set(['INTERNAL', 'DISK_FULL', 'INVALID_STATE'])

/** Works on a task until it has ended, or is given back because `stop` was aborted. Never rejects. */
export async function holdLease(
  holding: Holding,
  stop: AbortSignal,
  work: (doing: Doing) => Promise<RemoteEnd>,
): Promise<void> {
  const { job, token, log, longestHoldMs = MAX_HOLD_MS } = holding
  const abort = new AbortController()
  const until = performance.now() + longestHoldMs
  const signal = AbortSignal.any([abort.signal, stop])
  const renewal = setInterval(() => void renew(holding, until, abort), RENEW_MS)
  const listening = setInterval(() => void watchForCancel(holding, abort), CANCEL_LOOK_MS)
  const clear = (): void => [renewal, listening].forEach(clearInterval)
  try {
    if (job.stalledCounter > MAX_LOST) throw new Error(LOST_TOO_OFTEN)
    const end = await work({ signal, ...progressTo(holding) })
    clear()
    if (stop.aborted && !end.ok) await giveBack(holding)
    else if (abort.signal.reason !== 'lost') await job.moveToCompleted(end, token, false)
  } catch (error) {
    clear()
    await reportFailure(holding, error, { cancelled: abort.signal, stop }).catch((cause: unknown) =>
      log.warn('the end of a task could not be told', { content: job.id, error: cause }),
    )
  }
}

async function renew({ job, token, log }: Holding, until: number, abort: AbortController): Promise<void> {
  if (performance.now() >= until) {
    log.error('a task was held too long; it is let go', { content: job.id })
    abort.abort('lost')
    return
  }
  try {
    // A lost lock is answered with 0, not with an error: another node may have the task, so working on would do it
    // twice.
    if ((await job.extendLock(token, LOCK_MS)) !== 0) return
    log.warn('a task is not held any more', { content: job.id })
    abort.abort('lost')
  } catch (error) {
    // Redis is unreachable: the lock may still exist, which the next renewal shows.
    log.warn('the lock of a task could not be renewed', { content: job.id, error })
  }
}

async function watchForCancel(
  { job, base, connection, log }: Holding,
  abort: AbortController,
): Promise<void> {
  try {
    if (abort.signal.aborted || !connection.isThere()) return
    if ((await connection.client.exists(cancelKey(base, job.id ?? ''))) === 0) return
    log.info('a task was cancelled', { content: job.id })
    abort.abort('cancel')
  } catch (error) {
    log.debug('whether a task is cancelled could not be asked', { error })
  }
}

function progressTo({ job, log }: Holding): Pick<Doing, 'onProgress' | 'onCheckpoint'> {
  let last = -Infinity
  let now: RemoteProgress = { fraction: 0, note: '' }
  const tell = (): void => {
    last = performance.now()
    job
      .updateProgress({ ...now })
      .catch((error: unknown) => log.debug('progress could not be told', { error }))
  }
  return {
    onProgress: (fraction, note) => {
      now = { ...now, fraction, note }
      if (performance.now() - last >= PROGRESS_EVERY_MS || fraction >= 1) tell()
    },
    onCheckpoint: (checkpoint) => {
      now = { ...now, checkpoint }
      tell()
    },
  }
}

/** In the queue again, as if it had not been taken. */
async function giveBack({ job, token }: Holding): Promise<void> {
  await job.moveToWait(token)
}

async function reportFailure(
  holding: Holding,
  error: unknown,
  { cancelled, stop }: { cancelled: AbortSignal; stop: AbortSignal },
): Promise<void> {
  const { job, token, log } = holding
  if (cancelled.reason === 'lost') return
  if (stop.aborted) return giveBack(holding)
  if (error instanceof AppError && error.code === 'UNAUTHENTICATED') {
    holding.onRefused()
    return giveBack(holding)
  }
  // Another node may reach it; this one takes no more before it does.
  if (error instanceof AppError && error.code === 'STORE_UNAVAILABLE') {
    log.error('the store cannot be used from here; a task is given back', { content: job.id, error })
    return giveBack(holding)
  }
  if (cancelled.aborted) {
    const failure = failureOf('CANCELLED')
    await job.moveToCompleted({ ok: false, failure, retryable: false }, token, false)
    return
  }
  log.error('a task could not be carried out', { content: job.id, error })
  if (error instanceof AppError && !OF_THIS_MACHINE.has(error.code)) {
    await job.moveToCompleted({ ok: false, failure: error.toFailure(), retryable: false }, token, false)
    return
  }
  await job.moveToFailed(error instanceof Error ? error : new Error(String(error)), token, false)
}
