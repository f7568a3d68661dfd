/** Carries out actions of the outbox in this process: one runner for each database. */
import { randomUUID } from 'node:crypto'
import type { CallbackAnswer, ReconcileAnswer } from '../../contract/tenant-api/callbacks.ts'
import type { Db } from '../../db/client.ts'
import { getAction, listDueActions, listStaleActions } from '../../db/social-actions.ts'
import type { Services } from '../services.ts'
import { executeAction, recoverAction, type ExecutionOutcome } from './execute.ts'
import { inTransaction } from '../../db/prepared.ts'

/** Posts that go out at the same time. */
const AT_ONCE = 4

export interface SocialRunner {
  /** Names this process's leases. */
  readonly owner: string
  /** Carries one out; ends with it. Throws NOT_FOUND. */
  execute(id: string): Promise<ExecutionOutcome>
  /** Starts due actions, as many as may run at once; returns immediately. */
  tick(): void
  /** Resolves when nothing of this process is going on. */
  idle(): Promise<void>
  /** Lets go of what is going on. */
  stop(): Promise<void>
}

const runners = new WeakMap<Db, SocialRunner>()

/** The runner of these services' database, created at the first call. */
export function socialRunner(services: Services): SocialRunner {
  const known = runners.get(services.db)
  if (known !== undefined) return known
  const made = createRunner(services)
  runners.set(services.db, made)
  return made
}

function createRunner(services: Services): SocialRunner {
  const { db, log, now } = services
  const stopping = new AbortController()
  const execution = { services, owner: `${process.pid}-${randomUUID()}`, signal: stopping.signal }
  const going = new Map<string, Promise<ExecutionOutcome>>()
  const execute = (id: string): Promise<ExecutionOutcome> => {
    if (going.has(id)) return Promise.resolve('leased')
    if (stopping.signal.aborted) return Promise.resolve('waiting')
    const work = executeAction(execution, id).finally(() => going.delete(id))
    going.set(id, work)
    return work
  }
  const idle = async (): Promise<void> => {
    while (going.size > 0) await Promise.allSettled(going.values())
  }
  return {
    owner: execution.owner,
    execute,
    idle,
    tick: () => {
      if (stopping.signal.aborted) return
      try {
        for (const id of listDueActions(db, now(), AT_ONCE * 4)) {
          if (going.size >= AT_ONCE) break
          if (!going.has(id))
            execute(id).catch((error: unknown) =>
              log.error('a social action was not carried out', { action: id, error }),
            )
        }
      } catch (error) {
        log.error('the outbox could not be read', { error })
      }
    },
    stop: async () => {
      stopping.abort('stop')
      await idle()
      runners.delete(db)
    },
  }
}

const CALLBACK_WAIT_MS = 20_000

/**
 * A worker's callback: carries the action out, or returns why not. Long uploads continue after the answer. NOT_FOUND.
 */
export async function executeSocialAction(services: Services, id: string): Promise<CallbackAnswer> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<ExecutionOutcome>((resolve) => {
    timer = setTimeout(() => resolve('accepted'), CALLBACK_WAIT_MS)
  })
  try {
    const outcome = await Promise.race([socialRunner(services).execute(id), patience])
    const state = getAction(services.db, id)?.state ?? 'queued'
    return { id, state, outcome }
  } finally {
    clearTimeout(timer)
  }
}

/** Queues again actions that are overdue by this time, or whose process died. */
export function reconcileSocialActions(
  services: Services,
  { limit, minimumAgeSeconds }: { limit: number; minimumAgeSeconds: number },
): ReconcileAnswer {
  const { db, now } = services
  const time = now()
  const stale = listStaleActions(db, time - minimumAgeSeconds * 1000, limit)
  let requeued = 0
  let ended = 0
  for (const { id, state } of stale) {
    if (state === 'queued') {
      requeued += 1
      continue
    }
    const recovered = inTransaction(db, () => recoverAction(services, id))
    if (recovered?.gaveUp === true) ended += 1
    else if (recovered !== null) requeued += 1
  }
  if (requeued > 0) socialRunner(services).tick()
  return { examined: stale.length, requeued, ended }
}
