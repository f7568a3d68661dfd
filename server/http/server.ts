/** The one HTTP server: its socket, its limits, its end. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { applicationRoot, applicationVersion } from '../config/config.ts'
import { createEventStream } from '../domain/operations/event-stream.ts'
import { useMediaLinks } from '../domain/rendering/media-links.ts'
import type { Services } from '../domain/services.ts'
import { createApp } from './app.ts'
import { createBridge } from './bridge.ts'
import { createDomainApp } from './tenant-api/app.ts'
import { createMetricsRoute } from './metrics.ts'
import { createLimits } from './rate-limits.ts'
import { cookieRules } from './studio/sign-in.ts'
import { staticFiles } from './studio/static-files.ts'
import type { AddressInfo, Server, Socket } from 'node:net'
import { AppError, ERRORS } from '../contract/errors.ts'
import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { COMMON_HEADERS } from './security-headers.ts'

/** The headers of a request are complete within this time; those who hold connections open by them are many. */
const HEADERS_MS = 10_000

/** How long requests in flight have at shutdown; a render continues without its caller. */
const DRAIN_MS = 5000

function reachableUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Loaded by the first call of an agent: its SDK takes a moment, and most appliances never need it. */
async function loadMcp(services: Services) {
  const { createMcpApp } = await import('./mcp/server.ts')
  return createMcpApp(services, applicationVersion())
}

/** Listens and answers. Throws INVALID_CONFIGURATION when the address cannot be listened on. */
export async function startHttpServer(services: Services) {
  const { config, log } = services
  useMediaLinks(services)
  const metrics = await createMetricsRoute(services, config.operate.metricsToken)
  const events = createEventStream(services)
  let mcp: ReturnType<typeof loadMcp> | null = null
  const bridge = createBridge(services, {
    events,
    metrics,
    limits: createLimits(config, () => performance.now()),
    mcp: {
      readsContentType: true,
      fetch: async (request) => (await (mcp ??= loadMcp(services))).fetch(request),
    },
    app: createApp(services, applicationVersion()),
    domainApp: createDomainApp(services),
    files: staticFiles(join(applicationRoot(), 'out', 'renderer'), {
      fonts: join(config.resources, 'fonts'),
      publicUrl: config.publicUrl,
    }),
    rules: { listen: config.host, allowed: config.allowedHosts, publicUrl: config.publicUrl },
    cookie: cookieRules(services),
    baseUrl: (host) =>
      config.publicUrl ?? (host === undefined ? reachableUrl(config.host, port) : `http://${host}`),
  })
  let closing = false
  // Uploads take as long as they take: stalls are timed where a body is read.
  const server = createServer({
    requestTimeout: 0,
    headersTimeout: HEADERS_MS,
    // Node looks at what is late only now and then: every 30 s unless it is told otherwise.
    connectionsCheckingInterval: 1000,
    keepAliveTimeout: 65_000,
    // A client that waits for a render is silent for minutes: TCP keep-alive stops proxies from closing the connection.
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    // The guard answers that, as it answers every other Host.
    requireHostHeader: false,
  })
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (closing) response.setHeader('Connection', 'close')
    bridge(request, response).catch((error: unknown) => {
      log.error('an answer could not be sent', { error })
      response.destroy()
    })
  }
  server.on('request', answer)
  // Node would answer `Expect` headers that it does not know with 417 and none of our headers; the header can be
  // ignored.
  server.on('checkExpectation', answer)
  server.on('clientError', answerBadProtocol)
  const port = await listen(server, config)
  return {
    /** An address by which this machine reaches it: `http://127.0.0.1:4810`. */
    url: reachableUrl(config.host, port),
    port,
    /** Stops accepting, lets requests finish for a few seconds, then closes. */
    close: async (): Promise<void> => {
      closing = true
      events.close()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
      await closed
      clearTimeout(timer)
    },
  }
}

interface Wanted {
  readonly host: string
  readonly port: number
}

/** Why it is not possible to listen, with the setting that is to be changed. */
export function whyNot(cause: NodeJS.ErrnoException, { host, port }: Wanted): string {
  const other = 'choose another with CUTROOM_PORT or --port (0 picks a free one)'
  switch (cause.code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use; ${other}.`
    case 'EACCES':
      return `port ${port} on ${host} is not for this user to take; ${other}.`
    default:
      return `it is not possible to listen on ${host}:${port} (${cause.code ?? cause.message}); CUTROOM_HOST or --host should be an address of this machine.`
  }
}

/** The port that is listened on. Throws INVALID_CONFIGURATION that names the setting. */
export async function listen(server: Server, { host, port }: Wanted): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, exclusive: true }, () => {
      server.off('error', reject)
      resolve()
    })
  }).catch((cause: NodeJS.ErrnoException) => {
    throw new AppError('INVALID_CONFIGURATION', { message: whyNot(cause, { host, port }), cause })
  })
  return (server.address() as AddressInfo).port
}

const STATUS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** Answers a malformed request; not on an unused connection, which browsers open in advance. */
export function answerBadProtocol(error: NodeJS.ErrnoException, socket: Duplex): void {
  const code = error.code ?? ''
  const isUnused = code === 'ERR_HTTP_REQUEST_TIMEOUT' && (socket as Partial<Socket>).bytesRead === 0
  if (isUnused || code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const requestId = randomUUID()
  const body = JSON.stringify({
    error: ERRORS.INVALID_REQUEST.message,
    status: 'error',
    code: 'INVALID_REQUEST',
    requestId,
  })
  const common = COMMON_HEADERS.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(
    `HTTP/1.1 ${STATUS[code] ?? '400 Bad Request'}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nX-Request-Id: ${requestId}\r\n${common}\r\n${body}`,
  )
}
