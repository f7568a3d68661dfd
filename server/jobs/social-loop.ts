/** The appliance's own clock of the outbox: takes up what a dead appliance left, then whatever is due, within a second. */
import { endLeasesOfOthers, postponeActionsOfAccounts } from '../db/social-actions.ts'
import { socialRunner } from '../domain/publishing/runner.ts'
import type { Services } from '../domain/services.ts'
import { keyTrouble, recordKey } from '../secrets.ts'

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

const EVERY_MS = 5000

type Deps = Pick<Services, 'db' | 'home' | 'log' | 'now'>

/** Returns a function that tells whether secrets can be opened, checked every few seconds. Logs when that changes. */
export function watchKey({ db, home, log, now }: Deps): () => boolean {
  let lookedAt: number | null = null
  let trouble: string | null = null
  return () => {
    const time = now()
    if (lookedAt !== null && time >= lookedAt && time - lookedAt < EVERY_MS) return trouble === null
    const before = lookedAt === null ? undefined : trouble
    lookedAt = time
    trouble = keyTrouble(home)
    if (trouble === null) recordKey(home, db)
    if (before === null && trouble !== null) log.warn(trouble)
    if (typeof before === 'string' && trouble === null)
      log.info('the key of the secrets is available again; work that waited for it continues')
    return trouble === null
  }
}
