/** The cookie that ties a visit to another site (the identity provider, a platform) to the browser in which it began. */
import { randomBytes } from 'node:crypto'
import { FLOW_LIVES_MS } from '../../domain/people/flows.ts'
import type { Services } from '../../domain/services.ts'
import { cookieValue } from '../authenticate.ts'
import { cookieRules } from './sign-in.ts'
import type { Answering } from './sign-in-routes.ts'

const nameOf = (services: Services): string => cookieRules(services).name.replace('_session_', '_flow_')

/** The secret of the browser's cookie; null: it has none. */
export function browserSecret(services: Services, { headers }: Request): string | null {
  const value = cookieValue({ cookie: headers.get('cookie') ?? undefined }, nameOf(services))
  return value === '' ? null : value
}

/**
 * The secret of this browser, new where it had none, set anew for the length of a visit. Lax, so that it comes along when
 * the other site sends the browser back; only to addresses below `path`.
 */
export function tieToBrowser(services: Services, ctx: Answering, path: string): string {
  const secret = browserSecret(services, ctx.request) ?? randomBytes(32).toString('base64url')
  const secure = cookieRules(services).secure ? '; Secure' : ''
  ctx.set.headers['set-cookie'] =
    `${nameOf(services)}=${secret}; Path=${path}; Max-Age=${FLOW_LIVES_MS / 1000}; HttpOnly; SameSite=Lax${secure}`
  return secret
}
