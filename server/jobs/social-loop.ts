/** The appliance's own clock of the outbox: takes up what a dead appliance left, then whatever is due, within a second. */
import { endLeasesOfOthers } from '../db/social-actions.ts'
import { socialRunner } from '../domain/social/runner.ts'
import type { Services } from '../domain/services.ts'

/** An indexed look that finds nothing costs some microseconds. */
const POLL_MS = 250

/** Starts it. The caller holds the home's lock, so that whoever else holds a lease is dead. */
export function startSocialLoop(services: Services): { stop(): Promise<void> } {
  const runner = socialRunner(services)
  endLeasesOfOthers(services.db, runner.owner, services.now())
  runner.tick()
  const timer = setInterval(() => runner.tick(), POLL_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      await runner.stop()
    },
  }
}
