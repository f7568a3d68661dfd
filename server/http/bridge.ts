/**
 * Takes requests from node:http to the handlers, in this order: request id, host and origin guard, media, known path
 * and method, authentication and role, body limit; then Elysia, which by itself would validate before it authenticates.
 * Calls are recorded in the audit log at the end, and nowhere else in HTTP.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { randomUUID } from 'node:crypto'
import { WORKER_FILES_PATH } from '../contract/tenant-api/worker.ts'
import { AppError } from '../contract/errors.ts'
import type { EventStream } from '../domain/operations/event-stream.ts'
import type { Services } from '../domain/services.ts'
import { type App, OPEN_ROUTES } from './app.ts'
import type { createDomainApp } from './tenant-api/app.ts'
import { createDomainGate, declaredPath, type MatchedRoute } from './tenant-api/paths.ts'
import type { Principal } from './authenticate.ts'
import { createTrace, limitHeaders, recordTrace, refusedCaller, type CallTrace } from './call-trace.ts'
import { admitForeignPage, isPreflight, sendPreflight } from './cross-origin.ts'
import { createRequestGuard, isAllowedHost, isAllowedOrigin, type HostRules } from './request-guard.ts'
import { answerByElysia } from './elysia-exchange.ts'
import type { createMcpApp } from './mcp/server.ts'
import type { Family } from './error-mapper.ts'
import { METRICS_PATH, type MetricsRoute } from './metrics.ts'
import { sendMedia, sendMediaPreflight, setMediaCors } from './media.ts'
import { beginTus, isUploadPath, PIECE_ROUTE, receivePiece, sendTusOptions } from './public/uploads.ts'
import type { Limits } from './rate-limits.ts'
import { sendError, setCommonHeaders } from './respond.ts'
import { routeIndex } from './route-index.ts'
import { SHARED_MEDIA, sendSharedMedia } from './shared.ts'
import { streamEvents } from './studio/events.ts'
import { handleSignIn, handleSignOut, type CookieRules } from './studio/sign-in.ts'
import type { StaticFiles } from './studio/static-files.ts'
import { receiveUpload } from './studio/library.ts'
import { serveWorkerFiles } from './worker-files.ts'

/** Routes that do not pass through Elysia. */
export const RAW_ROUTES = [
  { method: 'PUT', path: '/studio/uploads' },
  { method: 'GET', path: '/studio/sign-in' },
  { method: 'POST', path: '/studio/sign-out' },
  { method: 'GET', path: '/studio/events' },
  { method: 'POST', path: '/mcp' },
  { method: 'GET', path: METRICS_PATH },
  PIECE_ROUTE,
]
/** The status that proxies log when the client closed the connection before the response. */
const CLIENT_GONE = 499
const RAW: ReadonlySet<string> = new Set(RAW_ROUTES.map(({ method, path }) => `${method} ${path}`))
/** Answered also while nothing can be shipped to a standby. */
const UNSETTLED: ReadonlySet<string> = new Set(['/health', '/ready'])
const isRaw = (method: string, template: string): boolean =>
  RAW.has(`${method === 'HEAD' ? 'GET' : method} ${template}`)

export interface BridgeParts {
  readonly app: App
  readonly domainApp: ReturnType<typeof createDomainApp>
  readonly files: StaticFiles
  readonly rules: HostRules
  readonly cookie: CookieRules
  readonly events: EventStream
  readonly limits: Limits
  readonly mcp: ReturnType<typeof createMcpApp> & { readonly readsContentType: true }
  readonly metrics: MetricsRoute
  /** Base of addresses in answers, for a request with this Host. */
  readonly baseUrl: (host: string | undefined) => string
}

type RequestListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  /** The query string, without the question mark. */
  readonly search: string
  readonly requestId: string
  readonly trace: CallTrace
}

function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:~+/=-]{1,128}$/.test(given) ? given : randomUUID()
}

function parseExchange(request: IncomingMessage, response: ServerResponse, limits: Limits): Exchange {
  const target = request.url ?? '/'
  const mark = target.indexOf('?')
  const given = mark === -1 ? target : target.slice(0, mark)
  const path = given.length > 1 && given.endsWith('/') ? given.slice(0, -1) : given
  const trace = createTrace(request, limits)
  const search = mark === -1 ? '' : target.slice(mark + 1)
  return { request, response, path, search, trace, requestId: requestIdOf(request) }
}

/** What a URL rewrites: steps up, backslashes (which it takes for slashes), and where a fragment begins. */
const REWRITTEN = /[\\#]|(?:^|\/)(?:\.|%2e){1,2}(?=\/|$)/i

/** Whether a route can exist here. A parser would rewrite some paths, and roles are checked before that. */
function canExist(path: string): boolean {
  if (!path.startsWith('/') || REWRITTEN.test(path)) return false
  if (!path.includes('%')) return true
  try {
    decodeURIComponent(path)
    return true
  } catch {
    // Half a percent sign: there can be nothing at such an address.
    return false
  }
}

/** Counts the Host headers. Called for every request, so it allocates nothing. */
function hostHeaders({ rawHeaders }: IncomingMessage): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

/**
 * `isForeign`: from a page of another site that the settings let in. Throws FORBIDDEN_HOST for an address that is not ours, or a
 * page that is not; INVALID_REQUEST for two at once.
 */
function guard({ request, path }: Exchange, rules: HostRules, isForeign: boolean): void {
  // Node uses the first Host header; a proxy in front may have used another one.
  if (hostHeaders(request) > 1)
    throw new AppError('INVALID_REQUEST', 'There are several Host headers; send one.')
  if (!isAllowedHost(request.headers.host, rules)) throw new AppError('FORBIDDEN_HOST')
  // Media is for any page; everything else only for our own.
  if (!path.startsWith('/media/') && !isForeign && !isAllowedOrigin(request.headers.origin, rules))
    throw new AppError('FORBIDDEN_HOST')
}

/** What an answer says is so also for an appliance that takes over from this one. */
function settling({ charge }: Services, { app, domainApp, mcp }: BridgeParts) {
  const settled = charge?.settled
  return {
    app: { fetch: app.fetch, settled },
    domainApp: { fetch: domainApp.fetch, settled },
    mcp: { ...mcp, settled },
  }
}

/** Creates the listener of node:http. Never throws: errors are answered. */
export function createBridge(services: Services, parts: BridgeParts): RequestListener {
  const { app, domainApp, mcp, rules, cookie } = { ...parts, ...settling(services, parts) }
  const index = routeIndex([...parts.app.routes, ...RAW_ROUTES])
  const gate = createDomainGate(parts.domainApp.routes, [...parts.app.routes, ...RAW_ROUTES])

  const { requirePrincipal, findStudioPrincipal, admitStranger } = createRequestGuard(
    services,
    rules,
    cookie.name,
  )
  const known = ({ request, trace }: Exchange, principal: Principal | null) => ({
    principal,
    trace,
    baseUrl: parts.baseUrl(request.headers.host),
  })

  const byDomain = async (exchange: Exchange, inside: NonNullable<MatchedRoute['inside']>): Promise<void> => {
    const { request, response, requestId } = exchange
    if (request.method === 'OPTIONS' || !inside.methods.includes(request.method ?? '')) {
      setCommonHeaders(response, requestId)
      return sendMethods(request, response, inside.methods)
    }
    exchange.trace.route = { method: request.method ?? '', path: declaredPath(inside.template) }
    const principal = findStudioPrincipal(exchange)
    const mark = (request.url ?? '').indexOf('?')
    request.url = inside.path + (mark === -1 ? '' : (request.url ?? '').slice(mark))
    return answerByElysia(domainApp, exchange, known(exchange, principal))
  }

  const answerRaw = async (exchange: Exchange, methods: readonly string[] | null): Promise<void> => {
    const { request, response, path, trace } = exchange
    const method = request.method ?? ''
    const files = FILES.find(([prefix]) => path.startsWith(prefix))
    if (files !== undefined) return files[1](services, exchange)
    if (methods === null) {
      const reads = method === 'GET' || method === 'HEAD'
      if (reads && (await parts.files.serve(request, response, path))) return
      throw new AppError('NOT_FOUND')
    }
    if (method === 'OPTIONS' && isUploadPath(path)) return sendTusOptions(services, response, methods)
    if (method === 'OPTIONS' || !methods.includes(method)) return sendMethods(request, response, methods)
    // Link previews send HEAD; that must not consume the one-time link.
    if (path === '/studio/sign-in' && method === 'HEAD') throw methodNotAllowed(response, ['GET', 'OPTIONS'])
    trace.route = { method, path: index.template(path) ?? path }
    const query = new URLSearchParams(exchange.search)
    if (path === '/studio/sign-in') return handleSignIn(services, exchange, { query, rules: cookie })
    if (path === '/mcp') return answerByElysia(mcp, exchange, known(exchange, null))
    if (path === METRICS_PATH) return parts.metrics.serve(request, response)
    const principal = requirePrincipal(exchange)
    return answerSignedIn(services, parts, exchange, { query, principal })
  }

  const route = async (exchange: Exchange, { inside }: MatchedRoute): Promise<void> => {
    const { request, response, path, requestId } = exchange
    if (!canExist(path)) throw new AppError('NOT_FOUND')
    const methods = path.startsWith('/media/') ? null : index.methods(path)
    const isForeign = admitForeignPage(exchange, services.config.corsOrigins)
    guard(exchange, rules, isForeign)
    if (isUploadPath(path)) beginTus(exchange)
    if (isForeign && isPreflight(request)) return answerPreflight(exchange, inside?.methods ?? methods)
    if (inside !== null) return byDomain(exchange, inside)
    const method = request.method ?? ''
    const template = index.template(path) ?? path
    if (method !== 'OPTIONS' && methods?.includes(method) === true && !isRaw(method, template)) {
      exchange.trace.route = { method, path: template }
      if (OPEN_ROUTES.has(template)) admitStranger(request)
      const principal = OPEN_ROUTES.has(template) ? null : requirePrincipal(exchange)
      return answerByElysia(UNSETTLED.has(template) ? parts.app : app, exchange, known(exchange, principal))
    }
    setCommonHeaders(response, requestId)
    return answerRaw(exchange, methods)
  }

  return async (request, response) => {
    const exchange = parseExchange(request, response, parts.limits)
    const began = performance.now()
    const matchRoute = gate.matchRoute(exchange.path, request.headers)
    try {
      await route(exchange, matchRoute)
    } catch (error) {
      if (!hasClientLeft(services, exchange)) await refuse(services, exchange, matchRoute.family, error)
    } finally {
      noteEnd(services, parts.metrics, exchange, began)
    }
  }
}

/** The raw routes of whoever is signed in: events, signing out, uploads. */
function answerSignedIn(
  services: Services,
  { events, cookie }: BridgeParts,
  { request, response, path, trace }: Exchange,
  { query, principal }: { readonly query: URLSearchParams; readonly principal: Principal },
): Promise<void> | void {
  if (path === '/studio/events')
    return streamEvents(services, events, { request, response, query, principal })
  if (path === '/studio/sign-out') return handleSignOut(services, response, { principal, rules: cookie })
  if (isUploadPath(path)) return receivePiece(services, { request, response, path, trace, query, principal })
  return receiveUpload(services, request, response, { principal, query })
}

/** Answers an error, in the form of the address's family. */
async function refuse(services: Services, exchange: Exchange, family: Family, error: unknown): Promise<void> {
  const { response, requestId, trace } = exchange
  if (!response.headersSent) setCommonHeaders(response, requestId)
  const refusal = refusedCaller(trace, error)
  const headers = Object.fromEntries(limitHeaders(trace))
  await sendError({ ...exchange, log: services.log, family }, refusal, headers)
}

function answerPreflight({ response, requestId }: Exchange, methods: readonly string[] | null): void {
  setCommonHeaders(response, requestId)
  sendPreflight(response, methods ?? [])
}

/** Whether the client disconnected before its request was complete: there is nobody to answer. */
function hasClientLeft(services: Services, { request, response, requestId, path }: Exchange): boolean {
  if (!request.destroyed || request.complete) return false
  services.log.debug('the client went away', { requestId, path })
  response.destroy()
  return true
}

/** Records a finished call in the audit log. `began`: from `performance.now()`. */
function noteEnd(services: Services, metrics: MetricsRoute, exchange: Exchange, began: number): void {
  const { request, response, trace, path, requestId } = exchange
  const status = response.headersSent ? response.statusCode : null
  const took = performance.now() - began
  if (trace.route !== null)
    metrics.seen({
      method: trace.route.method,
      route: trace.route.path,
      status: status ?? CLIENT_GONE,
      seconds: took / 1000,
    })
  // Log the route's template: the values in an address may be anything.
  services.log.debug('a request was answered', {
    requestId,
    method: request.method,
    route: trace.route?.path ?? null,
    status,
    milliseconds: Math.round(took),
  })
  recordTrace(services, trace, { path, requestId, status })
}

async function answerMedia(services: Services, { request, response, path, search }: Exchange): Promise<void> {
  setMediaCors(response)
  if (request.method === 'OPTIONS') sendMediaPreflight(response)
  else if (request.method === 'GET' || request.method === 'HEAD')
    await sendMedia(services, request, response, { path, search })
  else throw methodNotAllowed(response, ['GET', 'HEAD', 'OPTIONS'])
}

async function answerSharedMedia(services: Services, exchange: Exchange): Promise<void> {
  const { method } = exchange.request
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(exchange.response, ['GET', 'HEAD'])
  await sendSharedMedia(services, exchange)
}

/** What answers addresses of files, by how they begin. */
const FILES: readonly (readonly [
  prefix: string,
  answer: (services: Services, exchange: Exchange) => Promise<void>,
])[] = [
  ['/media/', answerMedia],
  [SHARED_MEDIA, answerSharedMedia],
  [WORKER_FILES_PATH, serveWorkerFiles],
]

/** Which methods an address takes: the answer to OPTIONS, the refusal of any that it does not. */
function sendMethods(request: IncomingMessage, response: ServerResponse, methods: readonly string[]): void {
  if (request.method !== 'OPTIONS') throw methodNotAllowed(response, methods)
  response.writeHead(204, { Allow: methods.join(', ') }).end()
}

function methodNotAllowed(response: ServerResponse, methods: readonly string[]): AppError {
  response.setHeader('Allow', methods.join(', '))
  return new AppError('METHOD_NOT_ALLOWED', { details: { allow: methods } })
}
