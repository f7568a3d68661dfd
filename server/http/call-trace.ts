/** Collects what is learned about a call, for its row in the audit log and the caller's rate limits. */
import type { Actor } from '../contract/audit.ts'
import { AppError } from '../contract/errors.ts'
import { recordCall } from '../domain/people/audit.ts'
import type { Services } from '../domain/services.ts'
import { isRecorded } from './abilities.ts'
import type { Principal } from './authenticate.ts'
import { NO_LIMITS, type Limits } from './rate-limits.ts'

/** The caller is not identified yet. */
const UNKNOWN: ReadonlySet<string> = new Set(['INVALID_API_KEY', 'UNAUTHENTICATED'])
/** The response was not sent because the client had disconnected. */
const GONE = 499

export interface CallTrace {
  /** The route that is meant, as it is declared; null: none. */
  route: { readonly method: string; readonly path: string } | null
  actor: Actor | null
  principal: Principal | null
  companyId: string | null
  resourceId: string | null
  /** Refused for being too much: leaves no row, or a flood of calls would be one of rows. */
  limited: boolean
  /** By what name the caller is limited; null: it is not known yet, or has no limit. */
  caller: string | null
  readonly limits: Limits
  /** Where the call comes from. */
  readonly address: string
}

const companies = new WeakMap<Principal, string>()

/** Notes which company a request turned out to concern. */
export function noteCompany(principal: Principal, companyId: string): void {
  companies.set(principal, companyId)
}

/** The trace of a request that has just come in: nothing is known of it but its address. */
export const createTrace = (
  { socket }: { readonly socket: { readonly remoteAddress?: string | undefined } },
  limits: Limits,
): CallTrace => ({
  route: null,
  actor: null,
  principal: null,
  companyId: null,
  resourceId: null,
  limited: false,
  caller: null,
  limits,
  address: socket.remoteAddress ?? 'unknown',
})

/** Of a tool call: what carries it holds it to its limits (mcp/server.ts). */
export const toolTrace = (route: NonNullable<CallTrace['route']>): CallTrace => ({
  ...createTrace({ socket: { remoteAddress: 'mcp' } }, NO_LIMITS),
  route,
})

/** Notes who is calling. Throws RATE_LIMITED for a client over its limit; the appliance's own services have none. */
export function identified(trace: CallTrace, actor: Actor, companyId: string | null): void {
  trace.actor = actor
  trace.companyId = companyId
  if (actor.kind === 'client') limitCaller(trace, `client:${actor.id}`)
}

/** Counts a request of this caller. RATE_LIMITED. */
export function limitCaller(trace: CallTrace, name: string): void {
  trace.caller = name
  withinLimits(trace, ({ request }) => request(name))
}

/** What the caller has left, as headers of the answer, in lower case; none where it has no limit. */
export function limitHeaders({ caller, limits }: CallTrace): [string, string][] {
  const allowance = caller === null ? null : limits.allowance(caller)
  if (allowance === null) return []
  const { limit, remaining, reset } = allowance
  return [
    ['ratelimit-limit', String(limit)],
    ['ratelimit-remaining', String(remaining)],
    ['ratelimit-reset', String(reset)],
  ]
}

/** What `take` of the limits throws, and a note of it. */
export function withinLimits(trace: CallTrace, take: (limits: Limits) => void): void {
  try {
    take(trace.limits)
  } catch (error) {
    trace.limited = true
    throw error
  }
}

/** The same refusal, or RATE_LIMITED where this address has brought too many credentials that are not valid. */
export function refusedCaller(trace: CallTrace, error: unknown): unknown {
  if (!(error instanceof AppError) || !UNKNOWN.has(error.code) || trace.actor !== null) return error
  try {
    withinLimits(trace, ({ failure }) => failure(trace.address))
    return error
  } catch (limited) {
    return limited
  }
}

/** The actor of a key or of a session. */
export function actorOf(principal: Principal): Actor {
  return principal.kind === 'key'
    ? { kind: 'key', id: principal.keyId, name: null }
    : { kind: 'person', id: principal.person.id, name: principal.person.name }
}

/** The values of a template's parameters in an address: `/clips/:clipId` and `/clips/{clipId}:cut` alike. */
function resourceIn(template: string, path: string): string | null {
  const names = template.split('/')
  const values = path.split('/')
  const at = names.findLastIndex((part) => part.startsWith(':') || part.startsWith('{'))
  const verb = /\}(:[a-z-]+)$/.exec(names[at] ?? '')?.[1] ?? ''
  const value = at === -1 ? undefined : values[at]
  if (value === undefined) return null
  const bare = verb !== '' && value.endsWith(verb) ? value.slice(0, -verb.length) : value
  return decodeURIComponent(bare)
}

/** Records the call, if it is of those that are. `path`: the address as it came, without its query. */
export function recordTrace(
  services: Services,
  trace: CallTrace,
  call: { readonly path: string; readonly requestId: string; readonly status: number | null },
): void {
  const { route, actor, principal, resourceId, limited, address } = trace
  if (route === null || limited || !isRecorded(route.method, route.path)) return
  recordCall(services, {
    actor: actor ?? { kind: 'nobody', id: address, name: null },
    companyId: (principal === null ? null : companies.get(principal)) ?? trace.companyId,
    method: route.method,
    route: route.path,
    resourceId: resourceIn(route.path, call.path) ?? resourceId,
    status: call.status ?? GONE,
    requestId: call.requestId,
  })
}
