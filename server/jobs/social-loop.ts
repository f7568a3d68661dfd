/** The appliance's own clock of the outbox: takes up what a dead appliance left, then whatever is due, within a second. */
import { endLeasesOfOthers, postponeActionsOfAccounts } from '../db/social-actions.ts'
import { socialRunner } from '../domain/publishing/runner.ts'
import type { Services } from '../domain/services.ts'
import { watchKey } from './key-watch.ts'

/** An indexed look that finds nothing costs some microseconds. */
const POLL_MS = 250
/** What needs an account waits this long for the key that opens it. */
const HELD_MS = 30_000

/** Starts the loop. The caller holds the home's lock, so every other lease belongs to a process that died. */
export function startSocialLoop(services: Services): { stop(): Promise<void> } {
  const { db, log, now } = services
  const runner = socialRunner(services)
  const opens = watchKey(services)
  endLeasesOfOthers(db, runner.owner, now())
  const look = (): void => {
    try {
      if (!opens()) postponeActionsOfAccounts(db, now(), now() + HELD_MS)
    } catch (error) {
      log.error('it is not known whether accounts can be opened', { error })
    }
    runner.tick()
  }
  look()
  const timer = setInterval(look, POLL_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      await runner.stop()
    },
  }
}
