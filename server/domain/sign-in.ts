/** The studio's sign-in: a one-time link, as printed at the start, that becomes a session cookie. Hashes only are kept. */
import { createHash, randomBytes } from 'node:crypto'
import {
  consumeSignIn,
  deleteExpiredSessions,
  deleteSession,
  insertSession,
  isLiveSession,
} from '../db/sessions.ts'
import { keepSetting } from '../db/settings.ts'
import { newId } from '../ids.ts'
import type { Services } from './services.ts'

const HOUR = 3_600_000
const LINK_LIVES_MS = 24 * HOUR
export const SESSION_LIVES_MS = 30 * 24 * HOUR

type SignInServices = Pick<Services, 'db' | 'now'>

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** A link that opens the studio once, within a day. `baseUrl` has no slash at its end. */
export function issueSignInLink(services: SignInServices, baseUrl: string): string {
  const token = randomBytes(32).toString('base64url')
  const now = services.now()
  deleteExpiredSessions(services.db, now)
  insertSession(services.db, {
    hash: hashOf(token),
    kind: 'sign-in',
    createdAt: now,
    expiresAt: now + LINK_LIVES_MS,
  })
  return `${baseUrl}/studio/sign-in?token=${token}`
}

/** Uses up a link's token: the secret of a new session, or null when the link is unknown, used or too old. */
export function signIn(services: SignInServices, token: string): string | null {
  const now = services.now()
  if (!consumeSignIn(services.db, hashOf(token), now)) return null
  const secret = randomBytes(32).toString('base64url')
  insertSession(services.db, {
    hash: hashOf(secret),
    kind: 'session',
    createdAt: now,
    expiresAt: now + SESSION_LIVES_MS,
  })
  return secret
}

export function hasSession(services: SignInServices, secret: string): boolean {
  return isLiveSession(services.db, hashOf(secret), services.now())
}

export function signOut(services: SignInServices, secret: string): void {
  deleteSession(services.db, hashOf(secret))
}

/** This appliance's own id: keeps the cookies of two appliances on one host name apart. */
export function applianceId(services: Pick<Services, 'db'>): string {
  return keepSetting(services.db, 'appliance-id', newId())
}
