/** Refreshes the counters of published posts, a few accounts each minute. */
import { adapterMetrics, refreshDuePosts } from '../domain/analytics/refresh.ts'
import type { Services } from '../domain/services.ts'

const POLL_MS = 60_000
const ACCOUNTS_AT_ONCE = 20

/** Starts it. With the network off nobody is asked. */
export function startAnalyticsLoop(services: Services): { stop(): Promise<void> } {
  if (services.config.network === 'off') return { stop: () => Promise.resolve() }
  const stopped = new AbortController()
  let going: Promise<void> | null = null
  const look = async (): Promise<void> => {
    try {
      await refreshDuePosts(services, {
        readMetrics: adapterMetrics(services),
        ...{ signal: stopped.signal, accounts: ACCOUNTS_AT_ONCE },
      })
    } catch (error) {
      services.log.error('counters could not be refreshed', { error })
    } finally {
      going = null
    }
  }
  const timer = setInterval(() => {
    going ??= look()
  }, POLL_MS)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      stopped.abort()
      await going
    },
  }
}
