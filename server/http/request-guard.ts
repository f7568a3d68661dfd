/** Authenticates requests and checks roles: the one place where roles are enforced. */
import type { IncomingMessage } from 'node:http'
import { AppError } from '../contract/errors.ts'
import { KEY_MAY, ROLE_MAY, roleFor } from '../contract/people.ts'
import type { Services } from '../domain/services.ts'
import { noteSeen } from '../domain/people/sign-in.ts'
import { abilityOf } from './abilities.ts'
import { authenticate, type Principal } from './authenticate.ts'
import { actorOf, withinLimits, type CallTrace } from './call-trace.ts'
import { isOwnOrigin, type HostRules } from './host-guard.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

export interface GuardedRequest {
  readonly request: IncomingMessage
  readonly path: string
  readonly trace: CallTrace
}

export interface RequestGuard {
  /**
   * The caller of a route that takes an API key or a session. Throws when there is none or its role does not allow the
   * route.
   */
  readonly requirePrincipal: (guarded: GuardedRequest) => Principal
  /** The studio session behind a request to the tenant API; null when the route identifies its caller itself. */
  readonly findStudioPrincipal: (guarded: GuardedRequest) => Principal | null
}

const A = { owner: 'an owner', editor: 'an editor', viewer: 'a viewer' } as const

/** Throws ROLE_NOT_ALLOWED unless this caller may do what the route is for. */
function permit(principal: Principal, route: { readonly method: string; readonly path: string }): void {
  const ability = abilityOf(route.method, route.path)
  if (principal.kind === 'key') {
    if (KEY_MAY.has(ability)) return
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

/**
 * Creates the guard: authenticates by cookie or key, applies rate limits and roles, and notes the caller in the trace.
 */
export function createRequestGuard(
  services: Services,
  { rules, cookieName }: { readonly rules: HostRules; readonly cookieName: string },
): RequestGuard {
  const admit = ({ request, trace }: GuardedRequest, principal: Principal): Principal => {
    trace.actor = actorOf(principal)
    trace.principal = principal
    trace.companyId = principal.kind === 'key' ? principal.companyId : principal.person.companyId
    const name =
      principal.kind === 'key' ? `key:${principal.keyId}` : `session:${principal.secret.slice(0, 22)}`
    withinLimits(trace, (limits) => limits.request(name))
    if (
      principal.kind === 'session' &&
      !SAFE_METHODS.has(request.method ?? '') &&
      !isOwnOrigin(request.headers, rules)
    )
      throw new AppError('FORBIDDEN_HOST', { message: 'This change did not come from a page of the studio.' })
    if (trace.route !== null) permit(principal, trace.route)
    if (principal.kind === 'session') noteSeen(services, principal.person)
    return principal
  }
  return {
    requirePrincipal: (guarded) => {
      const principal = authenticate(services, guarded.request, cookieName)
      if (principal !== null) return admit(guarded, principal)
      throw new AppError(guarded.path.startsWith('/studio/') ? 'UNAUTHENTICATED' : 'INVALID_API_KEY')
    },
    findStudioPrincipal: (guarded) => {
      const { headers } = guarded.request
      if (headers['x-service-delegation'] !== undefined || headers.authorization !== undefined) return null
      const principal = authenticate(services, guarded.request, cookieName)
      return principal === null ? null : admit(guarded, principal)
    },
  }
}
