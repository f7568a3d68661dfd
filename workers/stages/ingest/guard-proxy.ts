/** A proxy on the loopback, by which a tool's own connections pass the guard of our downloads. It requires a password. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { AppError } from '../../../server/contract/errors.ts'
import { guardedLookup, hostAllowed, refused, type AddressPolicy } from './guard.ts'
import { rootCause } from './transfer.ts'

/** Credentials of a source, which only its own server may receive. */
export interface SignIn {
  /** An http origin: nothing can be added inside an encrypted tunnel. */
  readonly origin: string
  /** Value of the header. */
  readonly authorization: string
}

const HOP_HEADERS = new Set(['proxy-authorization', 'proxy-connection', 'connection', 'keep-alive'])

/** The caller closes it. `signIn` is added here: a tool would send it to other servers and repeat it in its output. */
export async function startGuardProxy(policy: AddressPolicy, signIn: SignIn | null = null) {
  const password = randomBytes(18).toString('base64url')
  const wanted = `Basic ${Buffer.from(`cutroom:${password}`).toString('base64')}`
  const sockets = new Set<Duplex>()
  let refusal: AppError | null = null
  const guard: Guard = {
    policy,
    signIn,
    sockets,
    admits: (request) => isSameText(request.headers['proxy-authorization'] ?? '', wanted),
    note: (error) => {
      const cause = rootCause(error)
      if (cause instanceof AppError) refusal ??= cause
    },
  }
  const server = createServer((request, response) => forwardPlain(guard, request, response))
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) =>
    tunnel(guard, request, client, head),
  )
  server.on('connection', (socket) => trackSocket(sockets, socket))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    /** As the tool needs it. */
    url: `http://cutroom:${password}@127.0.0.1:${port}`,
    /** The first refusal, if any. The tool itself only reports a proxy error. */
    refusal: (): AppError | null => refusal,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

interface Guard {
  readonly policy: AddressPolicy
  readonly signIn: SignIn | null
  readonly sockets: Set<Duplex>
  readonly admits: (request: IncomingMessage) => boolean
  readonly note: (error: unknown) => void
}

/** Options of a connection. Throws SOURCE_FORBIDDEN for a refused literal address. */
function connection({ policy }: Guard, url: URL, standardPort: number) {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!hostAllowed(host, policy)) throw refused(host, policy)
  const port = url.port === '' ? standardPort : Number(url.port)
  return { host, port, lookup: guardedLookup(policy), autoSelectFamily: true }
}

/** `CONNECT host:port`, which https uses. */
function tunnel(guard: Guard, request: IncomingMessage, client: Duplex, head: Buffer): void {
  trackSocket(guard.sockets, client)
  const deny = (status: string): void => void client.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`)
  if (!guard.admits(request)) return deny('407 Proxy Authentication Required')
  const target = `http://${request.url ?? ''}`
  if (!URL.canParse(target)) return deny('400 Bad Request')
  try {
    const upstream: Socket = connect(connection(guard, new URL(target), 80))
    trackSocket(guard.sockets, upstream)
    upstream.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.write(head)
      upstream.pipe(client).pipe(upstream)
    })
    upstream.once('error', (error) => {
      guard.note(error)
      deny('502 Bad Gateway')
    })
    client.once('close', () => upstream.destroy())
    upstream.once('close', () => client.destroy())
  } catch (error) {
    guard.note(error)
    deny('403 Forbidden')
  }
}

/** `GET http://host/path`, which plain http uses. */
function forwardPlain(guard: Guard, request: IncomingMessage, response: ServerResponse): void {
  const deny = (status: number): void => {
    if (response.headersSent) response.destroy()
    else response.writeHead(status).end()
  }
  if (!guard.admits(request)) return deny(407)
  const target = request.url ?? ''
  if (!URL.canParse(target) || new URL(target).protocol !== 'http:') return deny(400)
  const url = new URL(target)
  const headers = {
    ...Object.fromEntries(Object.entries(request.headers).filter(([name]) => !HOP_HEADERS.has(name))),
    ...(url.origin === guard.signIn?.origin ? { authorization: guard.signIn.authorization } : {}),
  }
  try {
    const upstream = forward({
      ...connection(guard, url, 80),
      path: `${url.pathname}${url.search}`,
      method: request.method,
      headers,
      agent: false,
    })
    upstream.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
      answer.once('error', () => response.destroy())
    })
    upstream.once('error', (error) => {
      guard.note(error)
      deny(502)
    })
    response.once('close', () => upstream.destroy())
    request.pipe(upstream)
  } catch (error) {
    guard.note(error)
    deny(403)
  }
}

function trackSocket(sockets: Set<Duplex>, socket: Duplex): void {
  if (sockets.has(socket)) return
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
  // Connections may break; the other end notices by itself.
  socket.on('error', () => undefined)
}

function isSameText(given: string, wanted: string): boolean {
  const one = Buffer.from(given)
  const other = Buffer.from(wanted)
  return one.length === other.length && timingSafeEqual(one, other)
}
