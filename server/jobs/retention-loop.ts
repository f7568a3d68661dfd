/** Removes what was kept long enough, now and then, in a pause between work. */
import { sweepRetention } from '../domain/settings/retention.ts'
import type { Services } from '../domain/services.ts'
import { anyOperationOpen } from '../db/storage.ts'

const LOOK_MS = 60_000
const EVERY_MS = 6 * 3_600_000

/** Starts it; where nothing is set to go there is nothing to look at. The first sweep is some minutes after a start. */
export function startRetentionLoop(services: Services): { stop(): Promise<void> } {
  const { sourceDays, resultDays, uploadDays } = services.config.storage
  if ([sourceDays, resultDays, uploadDays].every((days) => days === null))
    return { stop: () => Promise.resolve() }
  const stopped = new AbortController()
  let going: Promise<void> | null = null
  let due = services.now() + 5 * LOOK_MS
  const look = async (): Promise<void> => {
    try {
      await sweepRetention(services, { signal: stopped.signal })
    } catch (error) {
      if (!stopped.signal.aborted)
        services.log.error('what was kept long enough could not be removed', { error })
    } finally {
      due = services.now() + EVERY_MS
      going = null
    }
  }
  const timer = setInterval(() => {
    if (services.now() < due || anyOperationOpen(services.db)) return
    going ??= look()
  }, LOOK_MS)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      stopped.abort()
      await going
    },
  }
}
