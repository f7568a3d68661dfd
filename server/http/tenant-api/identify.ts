/** Identifies the caller of a tenant API route, before anything else of the request is read. */
import { AppError } from '../../contract/errors.ts'
import { authoriseDelegation, authoriseSession, type Caller } from '../../domain/access/authorise.ts'
import { verifyDelegation, type Delegation } from '../../domain/access/delegations.ts'
import { verifyServiceToken, type ServiceIdentity } from '../../domain/access/service-tokens.ts'
import type { Services } from '../../domain/services.ts'
import type { Principal } from '../authenticate.ts'

/**
 * The caller and its delegation; a studio session has no delegation. `session`: the person of the session cookie, if
 * there is one.
 */
export async function identifyTenant(
  services: Services,
  headers: Headers,
  session: Principal | null,
): Promise<{ caller: Caller; delegation: Delegation | null }> {
  const token = headers.get('x-service-delegation')
  if (token === null && session?.kind === 'session')
    return { caller: authoriseSession(services, session.person), delegation: null }
  const delegation = await verifyDelegation(services, token?.trim() ?? '')
  return { caller: authoriseDelegation(services, delegation), delegation }
}

const NODE_PATHS = /^\/internal\/worker(\/|$)/

/** A node's own token is of no use at any `path` but those of nodes. */
export async function identifyService(
  services: Services,
  headers: Headers,
  path: string,
): Promise<ServiceIdentity> {
  const given = /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1]
  if (given === undefined) {
    const message = 'Send a service ID token: "Authorization: Bearer <token>".'
    throw new AppError('UNAUTHENTICATED', { message, details: { header: 'Authorization' } })
  }
  const service = await verifyServiceToken(services, given)
  if (service.node !== undefined && !NODE_PATHS.test(path))
    throw new AppError('UNAUTHENTICATED', {
      message: 'This token is a worker node’s, and opens /internal/worker only.',
      details: { header: 'Authorization' },
    })
  return service
}
