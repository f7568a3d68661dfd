/** The one HTTP server: its socket, its limits, its end. */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { applicationRoot } from '../config/config.ts'
import { createEventStream } from '../domain/operations/event-stream.ts'
import { applianceId } from '../domain/people/sign-in.ts'
import type { Services } from '../domain/services.ts'
import { createApp } from './app.ts'
import { sessionCookieName } from './authenticate.ts'
import { createBridge } from './bridge.ts'
import { createDomainApp } from './tenant-api/app.ts'
import { answerBadProtocol } from './bad-protocol.ts'
import { listen } from './listen.ts'
import { createMcpApp } from './mcp/http.ts'
import { createMetricsRoute } from './metrics.ts'
import { createLimits } from './rate-limits.ts'
import { staticFiles } from './studio/static-files.ts'

export interface HttpServer {
  /** `http://127.0.0.1:4810`: an address by which this machine reaches it. */
  readonly url: string
  readonly port: number
  /** Stops accepting, lets requests finish for a few seconds, then closes. */
  close(): Promise<void>
}

/** How long requests in flight have at shutdown; a render continues without its caller. */
const DRAIN_MS = 5000

function applicationVersion(): string {
  const parsed = JSON.parse(readFileSync(join(applicationRoot(), 'package.json'), 'utf8')) as {
    version: string
  }
  return parsed.version
}

function reachableUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Listens and answers. Throws INVALID_CONFIGURATION when the address cannot be listened on. */
export async function startHttpServer(services: Services): Promise<HttpServer> {
  const { config, log } = services
  const metrics = await createMetricsRoute(services, config.operate.metricsToken)
  const events = createEventStream(services)
  const bridge = createBridge(services, {
    events,
    metrics,
    limits: createLimits(config, () => performance.now()),
    mcp: createMcpApp(services, applicationVersion()),
    app: createApp(services, applicationVersion()),
    domainApp: createDomainApp(services),
    files: staticFiles(join(applicationRoot(), 'out', 'renderer'), {
      fonts: join(config.resources, 'fonts'),
      publicUrl: config.publicUrl,
    }),
    rules: { listen: config.host, allowed: config.allowedHosts, publicUrl: config.publicUrl },
    cookie: {
      name: sessionCookieName(applianceId(services)),
      secure: config.publicUrl?.startsWith('https:') === true,
    },
    baseUrl: (host) =>
      config.publicUrl ?? (host === undefined ? reachableUrl(config.host, port) : `http://${host}`),
  })
  let closing = false
  // Uploads take as long as they take: stalls are timed where a body is read.
  const server = createServer({
    requestTimeout: 0,
    headersTimeout: 20_000,
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
    url: reachableUrl(config.host, port),
    port,
    close: async () => {
      closing = true
      events.close()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
      await closed
      clearTimeout(timer)
    },
  }
}
