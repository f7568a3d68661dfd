/** What the parts of a recording work with. */
import type { StageContext } from '../context.ts'
import type { ParamsOf } from '../declare.ts'
import type { record } from './declaration.ts'
import type { Fetcher } from './fetcher.ts'
import type { Spool } from './spool.ts'

export interface RecordJob {
  readonly context: StageContext
  readonly params: ParamsOf<typeof record>
  readonly spool: Spool
  readonly fetcher: Fetcher
}

export type Ending = 'end' | 'stalled' | 'limit'

/** Said in the run's warnings, also by a later attempt that goes on from here. */
export async function warn({ context, spool }: RecordJob, message: string): Promise<void> {
  const { warnings } = spool.state()
  if (warnings.includes(message)) return
  context.warn(message)
  await spool.save({ warnings: [...warnings, message] })
}

/** A timer of more than 2^31 ms fires at once. */
const MAX_PAUSE_SECONDS = 3600

/** Waits, for an hour at most; ends early, without a word, when the work is cancelled. */
export function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (seconds <= 0 || signal.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, Math.min(seconds, MAX_PAUSE_SECONDS) * 1000)
    signal.addEventListener('abort', done, { once: true })
  })
}
