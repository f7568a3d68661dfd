/** Removes what was kept long enough, now and then, in a pause between work. */
import { sweepRetention } from '../domain/settings/retention.ts'
import type { Services } from '../domain/services.ts'
import { anyOperationOpen } from '../db/storage.ts'
import { repeat, type Repeated } from './repeat.ts'

const LOOK_MS = 60_000
const EVERY_MS = 6 * 3_600_000

/** Starts it; where nothing is set to go there is nothing to look at. The first sweep is some minutes after a start. */
export function startRetentionLoop(services: Services): Repeated {
  const { config, db, log, now } = services
  const { sourceDays, resultDays, uploadDays } = config.storage
  if ([sourceDays, resultDays, uploadDays].every((days) => days === null))
    return { stop: () => Promise.resolve() }
  let due = now() + 5 * LOOK_MS
  return repeat({
    everyMs: LOOK_MS,
    work: async (signal) => {
      if (now() < due || anyOperationOpen(db)) return
      try {
        await sweepRetention(services, { signal })
      } finally {
        due = now() + EVERY_MS
      }
    },
    failed: (error) => log.error('what was kept long enough could not be removed', { error }),
  })
}
