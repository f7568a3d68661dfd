/** Removes what came in and nobody came back for, while the appliance runs: uploads, and files of worker nodes. */
import type { Services } from '../domain/services.ts'
import { sweepUploads } from '../domain/library/uploads.ts'
import { sweepBlobs } from '../domain/worker-nodes/worker-blobs.ts'
import { MAX_HOLD_MS } from './remote/protocol.ts'
import { repeat, type Repeated } from './repeat.ts'

const LOOK_MS = 60_000
const EVERY_MS = 3_600_000

/**
 * Starts it: a minute after a start, and then every hour. What an earlier process was in the middle of receiving goes the
 * first time.
 */
export function startLeftoversLoop(services: Services, { lookMs = LOOK_MS } = {}): Repeated {
  const { log, now } = services
  let swept = -Infinity
  return repeat({
    everyMs: lookMs,
    work: async (signal) => {
      const since = now() - swept
      // A clock that was put back must not keep it from sweeping until it has come that far again.
      if (since >= 0 && since < EVERY_MS) return
      const leftOver = swept === -Infinity
      swept = now()
      const uploads = await sweepUploads(services, { leftOver, signal })
      const blobs = await sweepBlobs(services, { untouchedMs: MAX_HOLD_MS, signal })
      if (uploads + blobs > 0) log.info('leftovers were removed', { uploads, blobs })
    },
    failed: (error) => log.warn('leftovers could not be removed', { error }),
  })
}
