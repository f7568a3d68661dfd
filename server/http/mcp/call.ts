/** One tool call through the route itself, in this process, in the name of a delegation. */
import { randomUUID } from 'node:crypto'
import { authoriseDelegation, type Caller } from '../../domain/access/authorise.ts'
import { verifyDelegation } from '../../domain/access/delegations.ts'
import type { Services } from '../../domain/services.ts'
import { requireRouteScope, serveRoute } from '../tenant-api/serve-route.ts'
import { recordTrace, toolTrace, withinLimits } from '../call-trace.ts'
import { answerError } from '../error-mapper.ts'
import { attachContext } from '../request-context.ts'
import { requestOf, type RouteTool } from './tools.ts'

/** The caller, and the base of addresses in responses. */
export interface McpSession {
  /** The delegation as it is now; it lives an hour at most. */
  readonly token: () => Promise<string>
  readonly baseUrl: string
  /** Called once per request; throws RATE_LIMITED. Absent for calls from this machine. */
  readonly take?: () => void
  /** Why what is queued does not begin yet, in a sentence; null or left out: it is taken up at once. */
  readonly waits?: () => string | null
}

/** Checks that the caller may use the tools: the feature `mcp`, and everything that the tenant API requires. */
export async function authoriseMcp(services: Services, token: string): Promise<Caller> {
  const delegation = await verifyDelegation(services, token)
  authoriseDelegation(services, delegation)
  return authoriseDelegation(services, delegation, 'mcp')
}

/** Answers with the route's envelope, and `etag` or a `note` about waiting. Never throws. */
export async function callTool(
  services: Services,
  session: McpSession,
  call: { readonly tool: RouteTool; readonly input: Record<string, unknown> },
): Promise<{ readonly ok: boolean; readonly body: Record<string, unknown> }> {
  const { route } = call.tool
  const requestId = randomUUID()
  const trace = toolTrace(route)
  let status = 500
  try {
    withinLimits(trace, () => session.take?.())
    const token = await session.token()
    // Before its inputs are looked at, as the route itself does it.
    requireRouteScope(await authoriseMcp(services, token), route)
    const { method, params, query, headers, body } = requestOf(call.tool, call.input, randomUUID)
    trace.resourceId = Object.values(params).at(-1) ?? null
    const request = new Request(`http://cutroom.internal/mcp${query}`, {
      method,
      headers: { 'x-service-delegation': token, 'content-type': 'application/json', ...headers },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    })
    attachContext(request, { requestId, principal: null, baseUrl: session.baseUrl, trace })
    const answer = await serveRoute(services, route, { request, params })
    status = answer.status
    const answerBody = (await answer.json()) as Record<string, unknown>
    const etag = answer.headers.get('etag')
    const note = answer.status === 202 ? (session.waits?.() ?? null) : null
    const beside = { ...(etag === null ? {} : { etag }), ...(note === null ? {} : { note }) }
    return { ok: answer.status < 400, body: { ...answerBody, ...beside } }
  } catch (error) {
    const where = { path: route.path, method: route.method, requestId }
    const refusal = answerError(error, where, services.log, 'domain')
    status = refusal.status
    return { ok: false, body: refusal.body as Record<string, unknown> }
  } finally {
    recordTrace(services, trace, { path: '', requestId, status })
  }
}
