/** Identifies the caller: an API key of one company, or a studio session, which may act for one company or for all. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Scopes } from '../contract/scopes.ts'
import { COMPANY_HEADER } from '../contract/studio.ts'
import { authenticateApiKey } from '../domain/people/api-keys.ts'
import { sessionPerson, type SessionPerson } from '../domain/people/sign-in.ts'
import type { Services } from '../domain/services.ts'

export type Principal =
  | { readonly kind: 'key'; readonly companyId: string; readonly keyId: string; readonly scopes: Scopes }
  /**
   * `secret` is the cookie's value, for signing out; the person as they are at this request. `shown`: the company that
   * their window shows, as the request says it.
   */
  | {
      readonly kind: 'session'
      readonly secret: string
      readonly person: SessionPerson
      readonly shown?: string
    }

/** Browsers share cookies between the ports of one host, so the cookie's name contains the appliance's id. */
export const sessionCookieName = (applianceId: string): string =>
  `cutroom_session_${applianceId.slice(0, 8).replaceAll(/[^A-Za-z0-9]/g, '0')}`

/** The value of a cookie; null: it was not sent. */
export function cookieValue(headers: Pick<IncomingHttpHeaders, 'cookie'>, name: string): string | null {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [key, ...value] = part.split('=')
    if (key?.trim() === name) return value.join('=').trim()
  }
  return null
}

/** Null: no credentials, or bad ones. A bad key is not saved by a good cookie. INVALID_API_KEY for a key that has ended. */
export function authenticate(
  services: Pick<Services, 'db' | 'log' | 'now'>,
  request: Pick<IncomingMessage, 'headers'>,
  cookieName: string,
): Principal | null {
  const { authorization } = request.headers
  if (authorization !== undefined) {
    const key = /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
    const found = key === undefined ? null : authenticateApiKey(services, key)
    return found === null ? null : { kind: 'key', ...found }
  }
  const secret = cookieValue(request.headers, cookieName)
  if (secret === null || secret === '') return null
  const person = sessionPerson(services, secret)
  if (person === null) return null
  const shown = request.headers[COMPANY_HEADER]
  return typeof shown === 'string'
    ? { kind: 'session', secret, person, shown }
    : { kind: 'session', secret, person }
}

/** The only company that this caller may act for; null: every one. */
export const boundCompany = (principal: Principal): string | null =>
  principal.kind === 'key' ? principal.companyId : principal.person.companyId

/** The company that the caller's window shows; null: the request names none. */
export const shownCompany = (principal: Principal): string | null =>
  principal.kind === 'session' ? (principal.shown ?? null) : null
