/** Authenticates requests and checks roles: the one place where roles are enforced. */
import type { IncomingMessage } from 'node:http'
import { AppError } from '../contract/errors.ts'
import { KEY_MAY, ROLE_MAY, roleFor } from '../contract/people.ts'
import { requireScope } from '../domain/access/scopes.ts'
import type { Services } from '../domain/services.ts'
import { noteSeen, type Visit } from '../domain/people/sign-in.ts'
import { abilityOf, scopesOf } from './abilities.ts'
import { authenticate, type Principal } from './authenticate.ts'
import { actorOf, limitCaller, type CallTrace } from './call-trace.ts'
import { isIP } from 'node:net'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Where a request comes from, for the list of sessions. */
export const visitOf = (
  { headers }: { readonly headers: IncomingMessage['headers'] },
  { address }: Pick<CallTrace, 'address'>,
): Visit => ({ address, userAgent: headers['user-agent'] ?? null })

interface GuardedRequest {
  readonly request: IncomingMessage
  readonly path: string
  readonly trace: CallTrace
}

const A = { owner: 'an owner', editor: 'an editor', viewer: 'a viewer' } as const

/** Throws ROLE_NOT_ALLOWED or SCOPE_MISSING unless this caller may do what the route is for. */
function permit(principal: Principal, route: { readonly method: string; readonly path: string }): void {
  const ability = abilityOf(route.method, route.path)
  if (principal.kind === 'key') {
    const { scopes } = principal
    const openedBy = scopesOf(route.method, route.path) ?? []
    if (scopes === null ? KEY_MAY.has(ability) : openedBy.length > 0)
      return requireScope(scopes, openedBy, 'This API key')
    const message = 'API keys do not open this. Sign in to the studio as an owner, or use the command line.'
    throw new AppError('ROLE_NOT_ALLOWED', { message, details: { needs: roleFor(ability) } })
  }
  const { role } = principal.person
  if (ROLE_MAY[role].has(ability)) return
  const needs = roleFor(ability)
  throw new AppError('ROLE_NOT_ALLOWED', {
    message: `You are ${A[role]} here, and this is for ${needs === 'owner' ? 'owners' : 'editors and owners'}. Ask an owner to do it, or to change your role.`,
    details: { role, needs },
  })
}

/** Creates the guard: authenticates, applies rate limits and roles, and notes the caller in the trace. */
export function createRequestGuard(services: Services, rules: HostRules, cookieName: string) {
  const admit = ({ request, trace }: GuardedRequest, principal: Principal): Principal => {
    trace.actor = actorOf(principal)
    trace.principal = principal
    trace.companyId = principal.kind === 'key' ? principal.companyId : principal.person.companyId
    const name =
      principal.kind === 'key' ? `key:${principal.keyId}` : `session:${principal.secret.slice(0, 22)}`
    limitCaller(trace, name)
    if (
      principal.kind === 'session' &&
      !SAFE_METHODS.has(request.method ?? '') &&
      !isOwnOrigin(request.headers, rules)
    )
      throw new AppError('FORBIDDEN_HOST', 'This change did not come from a page of the studio.')
    if (trace.route !== null) permit(principal, trace.route)
    if (principal.kind === 'session') noteSeen(services, principal, visitOf(request, trace))
    return principal
  }
  return {
    /** Throws FORBIDDEN_HOST unless a page of the studio calls a route that signs in: nobody else signs anybody in. */
    admitStranger: ({ headers, method }: IncomingMessage): void => {
      if (SAFE_METHODS.has(method ?? '') || isOwnOrigin(headers, rules)) return
      throw new AppError('FORBIDDEN_HOST', 'This did not come from a page of the studio.')
    },
    /** The caller of a route that takes an API key or a session. Throws where there is none, or its role does not do. */
    requirePrincipal: (guarded: GuardedRequest): Principal => {
      const principal = authenticate(services, guarded.request, cookieName)
      if (principal !== null) return admit(guarded, principal)
      throw new AppError(guarded.path.startsWith('/studio/') ? 'UNAUTHENTICATED' : 'INVALID_API_KEY')
    },
    /** The studio session behind a request to the tenant API; null when the route identifies its caller itself. */
    findStudioPrincipal: (guarded: GuardedRequest): Principal | null => {
      const { headers } = guarded.request
      if (headers['x-service-delegation'] !== undefined || headers.authorization !== undefined) return null
      const principal = authenticate(services, guarded.request, cookieName)
      return principal === null ? null : admit(guarded, principal)
    },
  }
}

export interface HostRules {
  /** Address that we listen on. */
  readonly listen: string
  /** Further accepted names: CUTROOM_ALLOWED_HOSTS and the host of CUTROOM_PUBLIC_URL. */
  readonly allowed: readonly string[]
  readonly publicUrl: string | null
}

const WILDCARDS = new Set(['0.0.0.0', '::', ''])

/** The name in a Host header, without port and brackets, in lower case; null when it is malformed. */
export function hostName(host: string): string | null {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::\d{1,5})?$/.exec(host)
  const name = match?.[1] ?? match?.[2]
  return name === undefined ? null : name.toLowerCase().replace(/\.$/, '')
}

function isLoopback(name: string): boolean {
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    (isIP(name) === 4 && name.startsWith('127.'))
  )
}

/** Normalises an IPv6 address, however a setting spells it, to the form that `hostName` returns. */
const bare = (entry: string): string => entry.toLowerCase().replace(/^\[([^\]]*)\]$/, '$1')

/** Whether a Host header may reach us. An address cannot be rebound, so on a wildcard every address is accepted. */
export function isAllowedHost(host: string | undefined, rules: HostRules): boolean {
  const name = host === undefined ? null : hostName(host)
  if (host === undefined || name === null) return false
  if (isLoopback(name) || name === rules.listen.toLowerCase()) return true
  if (isIP(name) !== 0 && WILDCARDS.has(rules.listen)) return true
  const allowed = rules.allowed.some((entry) => [name, host.toLowerCase()].includes(bare(entry)))
  return allowed || (rules.publicUrl !== null && bare(new URL(rules.publicUrl).hostname) === name)
}

/** Whether a page of this origin may talk to us at all; no Origin header: not a page of another site. */
export function isAllowedOrigin(origin: string | undefined, rules: HostRules): boolean {
  if (origin === undefined) return true
  return URL.canParse(origin) && isAllowedHost(new URL(origin).host, rules)
}

/** Whether a page is our own: what a state change by session cookie needs. Browsers always send one of the two. */
export function isOwnOrigin(
  headers: { origin?: string | undefined; host?: string | undefined; 'sec-fetch-site'?: string | undefined },
  rules: HostRules,
): boolean {
  const { origin, host } = headers
  if (origin === undefined) return headers['sec-fetch-site'] === 'same-origin'
  if (rules.publicUrl !== null && origin === new URL(rules.publicUrl).origin) return true
  return URL.canParse(origin) && new URL(origin).host === host
}
