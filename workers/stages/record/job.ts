/** What the parts of a recording share. */
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

/** Adds a warning to the run, and stores it so that a resumed attempt reports it again. */
export async function warn({ context, spool }: RecordJob, message: string): Promise<void> {
  const { warnings } = spool.state()
  if (warnings.includes(message)) return
  context.warn(message)
  await spool.save({ warnings: [...warnings, message] })
}

/** A timer of more than 2^31 ms would fire at once. */
const MAX_PAUSE_SECONDS = 3600

/** Waits for at most an hour; resolves early when the work is cancelled. */
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
