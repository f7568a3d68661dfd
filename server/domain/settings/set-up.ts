/** The set-up that a new home shows its first owner, once: whether that was done. */
import type { SetUp, SetUpEnd } from '../../contract/settings.ts'
import { hasRuns } from '../../db/runs.ts'
import { getSetting, SET_UP, setSetting } from '../../db/settings.ts'
import { iso } from '../moments.ts'
import type { SessionPerson } from '../people/sign-in.ts'
import type { ClockServices, DbServices } from '../services.ts'

const NEVER: SetUp = { state: 'none', since: null }

function store(services: ClockServices, state: SetUp['state']): SetUp {
  const now: SetUp = { state, since: iso(services.now()) }
  setSetting(services.db, SET_UP, JSON.stringify(now))
  return now
}

/** Whether owners were led through the set-up. */
export function describeSetUp({ db }: DbServices): SetUp {
  const stored = getSetting(db, SET_UP)
  return stored === null ? NEVER : (JSON.parse(stored) as SetUp)
}

/** Has the set-up shown to the first owner who signs in. */
export const awaitSetUp = (services: ClockServices): void => void store(services, 'due')

/** It was gone through, or skipped; it can be opened again all the same. */
export const endSetUp = (services: ClockServices, { state }: SetUpEnd): SetUp => store(services, state)

/**
 * Whether the set-up comes up by itself now: once, for an owner, on a home that has not worked yet. Notes that it did.
 */
export function opensSetUp(services: ClockServices, { role }: Pick<SessionPerson, 'role'>): boolean {
  if (role !== 'owner' || describeSetUp(services).state !== 'due') return false
  if (hasRuns(services.db)) return false
  store(services, 'open')
  return true
}
