/**
 * From node:http to the handlers. In this order: request id, host and origin guard, media, known path and method, who is
 * asking, body limit; then Elysia, which would validate before anybody is authenticated if that were left to it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { randomUUID } from 'node:crypto'
import { WORKER_FILES_PATH } from '../contract/domain/worker.ts'
import { AppError } from '../contract/errors.ts'
import type { EventStream } from '../domain/event-stream.ts'
import type { Services } from '../domain/services.ts'
import type { App } from './app.ts'
import { OPEN_ROUTES } from './app.ts'
import type { createDomainApp } from './domain/app.ts'
import { createDomainGate, type DomainGate } from './domain/gate.ts'
import { authenticate, type Principal } from './authenticate.ts'
import { isAllowedHost, isAllowedOrigin, isOwnOrigin, type HostRules } from './host-guard.ts'
import { answerByElysia } from './elysia-exchange.ts'
import type { createMcpApp } from './mcp/http.ts'
import { sendMedia, sendMediaPreflight, setMediaCors } from './media.ts'
import { sendError, setCommonHeaders } from './respond.ts'
import { routeIndex } from './route-index.ts'
import { streamEvents } from './studio/events.ts'
import { handleSignIn, handleSignOut, type CookieRules } from './studio/sign-in.ts'
import type { StaticFiles } from './studio/static-files.ts'
import { receiveUpload } from './studio/uploads.ts'
import { serveWorkerFiles } from './worker-files.ts'

const RAW_ROUTES = [
  { method: 'PUT', path: '/studio/uploads' },
  { method: 'GET', path: '/studio/sign-in' },
  { method: 'POST', path: '/studio/sign-out' },
  { method: 'GET', path: '/studio/events' },
  { method: 'POST', path: '/mcp' },
]
const RAW_PATHS: ReadonlySet<string> = new Set(RAW_ROUTES.map(({ path }) => path))
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

export interface BridgeParts {
  readonly app: App
  readonly domainApp: ReturnType<typeof createDomainApp>
  readonly files: StaticFiles
  readonly rules: HostRules
  readonly cookie: CookieRules
  readonly events: EventStream
  readonly mcp: ReturnType<typeof createMcpApp>
  /** Base of addresses in answers, for a request with this Host. */
  readonly baseUrl: (host: string | undefined) => string
}

type Meant = ReturnType<DomainGate['meant']>
export type RequestListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  readonly query: URLSearchParams
  readonly requestId: string
}

function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:~+/=-]{1,128}$/.test(given) ? given : randomUUID()
}

function takeApart(request: IncomingMessage, response: ServerResponse, requestId: string): Exchange {
  const target = request.url ?? '/'
  const mark = target.indexOf('?')
  const given = mark === -1 ? target : target.slice(0, mark)
  const path = given.length > 1 && given.endsWith('/') ? given.slice(0, -1) : given
  const query = new URLSearchParams(mark === -1 ? '' : target.slice(mark + 1))
  return { request, response, path, query, requestId }
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return path.startsWith('/')
  } catch {
    // Half a percent sign: there can be nothing at such an address.
    return false
  }
}

/** Throws FORBIDDEN_HOST for an address that is not ours, or a page that is not. */
function guard({ request, path }: Exchange, rules: HostRules): void {
  if (!isAllowedHost(request.headers.host, rules)) throw new AppError('FORBIDDEN_HOST')
  // Media is for any page; everything else only for our own.
  if (!path.startsWith('/media/') && !isAllowedOrigin(request.headers.origin, rules))
    throw new AppError('FORBIDDEN_HOST')
}

/** Who asks, by what their request carries. */
function doorkeeper(services: Services, { rules, cookie }: Pick<BridgeParts, 'rules' | 'cookie'>) {
  const whoAsks = ({ request, path }: Exchange): Principal | null => {
    if (OPEN_ROUTES.has(path) || path === '/studio/sign-in') return null
    const principal = authenticate(services, request, cookie.name)
    if (principal === null)
      throw new AppError(path.startsWith('/studio/') ? 'UNAUTHENTICATED' : 'INVALID_API_KEY')
    if (
      principal.kind === 'session' &&
      !SAFE_METHODS.has(request.method ?? '') &&
      !isOwnOrigin(request.headers, rules)
    )
      throw new AppError('FORBIDDEN_HOST', { message: 'This change did not come from a page of the studio.' })
    return principal
  }

  /** Delegations and services are identified by the routes themselves; here only the studio's own cookie is looked at. */
  const studioAsks = (exchange: Exchange): Principal | null => {
    const { headers } = exchange.request
    if (headers['x-service-delegation'] !== undefined || headers.authorization !== undefined) return null
    return authenticate(services, exchange.request, cookie.name) === null ? null : whoAsks(exchange)
  }

  return { whoAsks, studioAsks }
}

export function createBridge(services: Services, parts: BridgeParts): RequestListener {
  const { app, domainApp, files, rules, cookie } = parts
  const index = routeIndex([...app.routes, ...RAW_ROUTES])
  const gate = createDomainGate(domainApp.routes, [...app.routes, ...RAW_ROUTES])

  const { whoAsks, studioAsks } = doorkeeper(services, parts)

  const byDomain = async (exchange: Exchange, inside: NonNullable<Meant['inside']>): Promise<void> => {
    const { request, response, requestId } = exchange
    if (request.method === 'OPTIONS' || !inside.methods.includes(request.method ?? '')) {
      setCommonHeaders(response, requestId)
      return sendMethods(request, response, inside.methods)
    }
    const principal = studioAsks(exchange)
    const mark = (request.url ?? '').indexOf('?')
    request.url = inside.path + (mark === -1 ? '' : (request.url ?? '').slice(mark))
    return answerByElysia(domainApp, exchange, { principal, baseUrl: parts.baseUrl(request.headers.host) })
  }

  const byHand = async (exchange: Exchange, methods: readonly string[] | null): Promise<void> => {
    const { request, response, path, query } = exchange
    const method = request.method ?? ''
    if (path.startsWith('/media/')) return answerMedia(services, exchange)
    if (path.startsWith(WORKER_FILES_PATH)) return serveWorkerFiles(services, exchange)
    if (methods === null) {
      const reads = method === 'GET' || method === 'HEAD'
      if (reads && (await files.serve(request, response, path))) return
      throw new AppError('NOT_FOUND')
    }
    if (method === 'OPTIONS' || !methods.includes(method)) return sendMethods(request, response, methods)
    // Link previews ask with HEAD; they must not use up the link.
    if (path === '/studio/sign-in' && method === 'HEAD') throw methodNotAllowed(response, ['GET', 'OPTIONS'])
    if (path === '/studio/sign-in') return handleSignIn(services, response, { query, rules: cookie })
    if (path === '/mcp') return answerByElysia(parts.mcp, exchange, nobodyYet(parts, request))
    const principal = whoAsks(exchange)
    if (principal === null) throw new AppError('NOT_FOUND')
    if (path === '/studio/events')
      return streamEvents(services, parts.events, { request, response, query, principal })
    if (path === '/studio/sign-out') return handleSignOut(services, response, { principal, rules: cookie })
    return receiveUpload(services, request, response, { principal, query })
  }

  const route = async (exchange: Exchange, { inside }: Meant): Promise<void> => {
    const { request, response, path, requestId } = exchange
    if (!isDecodable(path)) throw new AppError('NOT_FOUND')
    guard(exchange, rules)
    if (inside !== null) return byDomain(exchange, inside)
    const methods = path.startsWith('/media/') ? null : index.methods(path)
    if (
      request.method !== 'OPTIONS' &&
      methods?.includes(request.method ?? '') === true &&
      !RAW_PATHS.has(path)
    ) {
      const principal = whoAsks(exchange)
      return answerByElysia(app, exchange, { principal, baseUrl: parts.baseUrl(request.headers.host) })
    }
    setCommonHeaders(response, requestId)
    return byHand(exchange, methods)
  }

  return async (request, response) => {
    const requestId = requestIdOf(request)
    const exchange = takeApart(request, response, requestId)
    const meant = gate.meant(exchange.path, request.headers)
    try {
      await route(exchange, meant)
    } catch (error) {
      if (request.destroyed && !request.complete) {
        services.log.debug('the client went away', { requestId, path: exchange.path })
        response.destroy()
        return
      }
      if (!response.headersSent) setCommonHeaders(response, requestId)
      await sendError({ ...exchange, log: services.log, family: meant.family }, error)
    }
  }
}

async function answerMedia(services: Services, { request, response, path }: Exchange): Promise<void> {
  setMediaCors(response)
  if (request.method === 'OPTIONS') sendMediaPreflight(response)
  else if (request.method === 'GET' || request.method === 'HEAD')
    await sendMedia(services, request, response, path)
  else throw methodNotAllowed(response, ['GET', 'HEAD', 'OPTIONS'])
}

/** For what finds out by itself who asks. */
const nobodyYet = ({ baseUrl }: BridgeParts, { headers }: IncomingMessage) => ({
  ...{ principal: null, baseUrl: baseUrl(headers.host) },
})

/** Which methods an address takes: the answer to OPTIONS, the refusal of any that it does not. */
function sendMethods(request: IncomingMessage, response: ServerResponse, methods: readonly string[]): void {
  if (request.method !== 'OPTIONS') throw methodNotAllowed(response, methods)
  response.writeHead(204, { Allow: methods.join(', ') }).end()
}

function methodNotAllowed(response: ServerResponse, methods: readonly string[]): AppError {
  response.setHeader('Allow', methods.join(', '))
  return new AppError('METHOD_NOT_ALLOWED', { details: { allow: methods } })
}
