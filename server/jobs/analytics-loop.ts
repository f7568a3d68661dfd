/** Refreshes the counters of published posts, a few accounts each minute, and renews the tokens of unused accounts. */
import { adapterMetrics, refreshDuePosts } from '../domain/analytics/refresh.ts'
import { renewLasting } from '../domain/publishing/accounts.ts'
import type { Services } from '../domain/services.ts'
import { repeat, type Repeated } from './repeat.ts'

const POLL_MS = 60_000
const ACCOUNTS_AT_ONCE = 20
const RENEW_MS = 15 * 60_000

/** Starts the loop. With the network off no platform is called. */
export function startAnalyticsLoop(services: Services): Repeated {
  if (services.config.network === 'off') return { stop: () => Promise.resolve() }
  const renewals = repeat({
    everyMs: RENEW_MS,
    work: (signal) => renewLasting(services, signal),
    failed: (error) => services.log.error('accounts could not be looked through', { error }),
  })
  const counters = repeat({
    everyMs: POLL_MS,
    work: async (signal) => {
      await refreshDuePosts(services, {
        readMetrics: adapterMetrics(services),
        signal,
        accounts: ACCOUNTS_AT_ONCE,
      })
    },
    failed: (error) => services.log.error('counters could not be refreshed', { error }),
  })
  return { stop: async () => void (await Promise.all([renewals.stop(), counters.stop()])) }
}
