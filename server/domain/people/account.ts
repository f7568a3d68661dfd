/** What somebody who is signed in sees and changes of themselves: password, and where they are signed in. */
import { deviceOf } from '../../contract/device.ts'
import { AppError, invalidRequest, refuse } from '../../contract/errors.ts'
import type { Account, AccountSession } from '../../contract/sign-in.ts'
import { findPassword, hasIdentity, listPasskeys } from '../../db/credentials.ts'
import {
  deleteSession,
  deleteSessionsOf,
  getPerson,
  listSessions,
  updatePerson,
  type PersonRow,
} from '../../db/people.ts'
import { inTransaction } from '../../db/prepared.ts'
import { iso, isoOrNull } from '../moments.ts'
import type { ClockServices } from '../services.ts'
import { emailOf, requireFreeEmail } from './emails.ts'
import { hashNewPassword, isOwnPassword, storePassword } from './passwords.ts'
import { readProvider } from './provider-settings.ts'
import { secretHash } from './secret-hash.ts'
import type { SessionPerson } from './sign-in.ts'

/** Who asks: the person, and the secret of their session. */
export interface SignedInPerson {
  readonly person: SessionPerson
  readonly secret: string
}

/** After a one-time link a password can be set without the one before it, which may be forgotten, for this long. */
const RECOVERY_MS = 3_600_000
/** As much of a hash as tells sessions apart; a session cannot be made of it. */
const ID_LENGTH = 20

const sessionId = (hash: string): string => hash.slice(0, ID_LENGTH)

/** Where a person is signed in: that of `secret` first, then the one that was used last. */
export function sessionsOf(
  services: ClockServices,
  personId: string,
  secret: string | null,
): AccountSession[] {
  const own = secret === null ? null : secretHash(secret)
  const rows = listSessions(services.db, personId, services.now())
  rows.sort((one, other) => Number(other.hash === own) - Number(one.hash === own))
  return rows.map((row) => ({
    id: sessionId(row.hash),
    current: row.hash === own,
    way: row.way,
    ...deviceOf(row.userAgent),
    address: row.address,
    createdAt: iso(row.createdAt),
    lastUsedAt: iso(row.lastUsedAt ?? row.createdAt),
  }))
}

function requireRow(services: ClockServices, { person }: SignedInPerson): PersonRow {
  return getPerson(services.db, person.id) ?? refuse('NOT_FOUND', 'There is no such person.')
}

const isRecovering = (services: ClockServices, { person: { session } }: SignedInPerson): boolean =>
  session.way === 'link' && services.now() - session.createdAt < RECOVERY_MS

/** The account of whoever asks. */
export function describeAccount(services: ClockServices, who: SignedInPerson): Account {
  const { id, name, role, email } = requireRow(services, who)
  const provider = readProvider(services)
  const hasPassword = findPassword(services.db, id) !== null
  return {
    name,
    role,
    email,
    hasPassword,
    needsPassword: hasPassword && !isRecovering(services, who),
    passkeys: listPasskeys(services.db, id).map(({ id: key, name: named, host, createdAt, lastUsedAt }) => ({
      id: key,
      name: named,
      host,
      createdAt: iso(createdAt),
      lastUsedAt: isoOrNull(lastUsedAt),
    })),
    sessions: sessionsOf(services, id, who.secret),
    provider:
      provider === null
        ? null
        : { name: provider.name, connected: hasIdentity(services.db, provider.issuer, id) },
  }
}

/**
 * Sets the password, and the address where one is given; everywhere else this person is signed out. SIGN_IN_REFUSED where
 * the password before it is not right, INVALID_REQUEST, INVALID_STATE (the address is somebody else's), RATE_LIMITED.
 */
export async function changePassword(
  services: ClockServices,
  who: SignedInPerson,
  given: { readonly email?: string; readonly current?: string; readonly password: string },
): Promise<void> {
  const row = requireRow(services, who)
  const needed = findPassword(services.db, row.id) !== null && !isRecovering(services, who)
  if (needed && !(await isOwnPassword(services, row.id, given.current ?? '')))
    throw new AppError('SIGN_IN_REFUSED', {
      message: 'Your current password is not right.',
      details: { field: 'current' },
    })
  const email = given.email === undefined ? row.email : emailOf(given.email)
  if (email === null) throw invalidRequest('email', 'Enter the email address that you want to sign in with.')
  requireFreeEmail(services, email, row.id)
  const hash = await hashNewPassword(given.password, [row.name, email])
  inTransaction(services.db, () => {
    requireFreeEmail(services, email, row.id)
    updatePerson(services.db, row.id, { email })
    storePassword(services, row.id, hash)
    deleteSessionsOf(services.db, row.id, secretHash(who.secret))
  })
}

/** Ends one session of a person. NOT_FOUND. */
export function endSession(services: ClockServices, personId: string, id: string): void {
  const found = listSessions(services.db, personId, services.now()).find(({ hash }) => sessionId(hash) === id)
  if (found === undefined || !deleteSession(services.db, found.hash))
    throw new AppError('NOT_FOUND', 'This session has ended already.')
}

/** Ends every session of whoever asks but the one that asks; how many. */
export const endOtherSessions = (services: ClockServices, { person, secret }: SignedInPerson): number =>
  deleteSessionsOf(services.db, person.id, secretHash(secret))
