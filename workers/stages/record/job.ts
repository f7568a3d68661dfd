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
