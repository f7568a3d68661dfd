/**
 * The studio's sign-in: a one-time link, as printed at the start or made for a person, that becomes a session cookie of
 * that person. Only hashes are stored.
 */
import { randomBytes } from 'node:crypto'
import {
  updatePerson,
  updateSession,
  adoptSessions,
  firstOwner,
  insertPerson,
  consumeSignIn,
  deleteExpiredSessions,
  deleteSession,
  findSessionPerson,
  insertSession,
  type SessionPerson,
} from '../../db/people.ts'
import { APPLIANCE_ID, saveSetting } from '../../db/settings.ts'
import type { SignInWay } from '../../contract/sign-in.ts'
import { newId } from '../../ids.ts'
import type { ClockServices, DbServices, Services } from '../services.ts'
import { secretHash } from './secret-hash.ts'

export type { SessionPerson }

const HOUR = 3_600_000
export const LINK_LIVES_MS = 24 * HOUR
/** `last seen` is for people: one write per person in this time, not one per request. */
const SEEN_EVERY_MS = 10 * 60_000
export const SESSION_LIVES_MS = 30 * 24 * HOUR

/** A link that opens the studio once, within a day: for a person, or the first owner. `baseUrl` has no slash at its end. */
export function issueSignInLink(services: ClockServices, baseUrl: string, personId?: string): string {
  const token = randomBytes(32).toString('base64url')
  const now = services.now()
  deleteExpiredSessions(services.db, now)
  insertSession(services.db, {
    hash: secretHash(token),
    kind: 'sign-in',
    personId: personId ?? ensureOwner(services).id,
    createdAt: now,
    expiresAt: now + LINK_LIVES_MS,
  })
  return `${baseUrl}/studio/sign-in?token=${token}`
}

/** Where a session is used: what its owner sees in the list of them. */
export interface Visit {
  readonly address: string | null
  readonly userAgent: string | null
}

const NOWHERE: Visit = { address: null, userAgent: null }
const MAX_AGENT = 400

/** Uses up a link's token: the secret of a new session, or null when the link is unknown, used or too old. */
export function signIn(services: ClockServices, token: string, visit: Visit = NOWHERE): string | null {
  const personId = consumeSignIn(services.db, secretHash(token), services.now())
  return personId === null ? null : openSession(services, personId, 'link', visit)
}

/** A new session of a person, who has shown who they are: its secret. */
export function openSession(
  services: ClockServices,
  personId: string,
  way: SignInWay,
  { address, userAgent }: Visit,
): string {
  const now = services.now()
  const secret = randomBytes(32).toString('base64url')
  deleteExpiredSessions(services.db, now)
  insertSession(services.db, {
    hash: secretHash(secret),
    kind: 'session',
    personId,
    way,
    address,
    userAgent: userAgent?.slice(0, MAX_AGENT) ?? null,
    createdAt: now,
    expiresAt: now + SESSION_LIVES_MS,
  })
  return secret
}

/** The person of this live session, as stored now; null where there is none. */
export function sessionPerson(services: ClockServices, secret: string): SessionPerson | null {
  return findSessionPerson(services.db, secretHash(secret), services.now())
}

const isOld = (moment: number | null, now: number): boolean =>
  moment === null || Math.abs(now - moment) > SEEN_EVERY_MS

/** Stores that a session is in use. Best effort: on a full disk people must still be able to read. */
export function noteSeen(
  services: ClockServices & Pick<Services, 'log'>,
  { person, secret }: { readonly person: SessionPerson; readonly secret: string },
  visit: Visit,
): void {
  const now = services.now()
  const { lastSeenAt, session } = person
  try {
    if (isOld(lastSeenAt, now)) updatePerson(services.db, person.id, { lastSeenAt: now })
    if (!isOld(session.lastUsedAt, now)) return
    const userAgent = visit.userAgent?.slice(0, MAX_AGENT) ?? null
    updateSession(services.db, secretHash(secret), { lastUsedAt: now, address: visit.address, userAgent })
  } catch (error) {
    services.log.warn('the time that a person was seen last could not be stored', { error })
  }
}

/** Ends the session with this secret, where there is one. */
export function signOut(services: ClockServices, secret: string): void {
  deleteSession(services.db, secretHash(secret))
}

/** The appliance's id. It is part of cookie names, so that two appliances on one host name do not share them. */
export function applianceId(services: DbServices): string {
  return saveSetting(services.db, APPLIANCE_ID, newId())
}

/** The appliance's first owner; made where there is none. Sessions of before there were people become theirs. */
function ensureOwner(services: ClockServices): { id: string } {
  const find = services.db.sqlite.transaction(() => {
    const known = firstOwner(services.db)
    const id = known?.id ?? newId()
    if (known === null) {
      const owner = { id, name: 'Owner', role: 'owner' as const, companyId: null }
      insertPerson(services.db, { ...owner, createdAt: services.now(), lastSeenAt: null })
    }
    adoptSessions(services.db, id)
    return { id }
  })
  return find.immediate()
}
