/** GET /studio/events: server-sent events with ids, so that a browser resumes after a reconnect. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '../../contract/errors.ts'
import type { StreamMessage } from '../../contract/events.ts'
import type { EventStream } from '../../domain/operations/event-stream.ts'
import { sessionPerson } from '../../domain/people/sign-in.ts'
import type { Services } from '../../domain/services.ts'
import type { Principal } from '../authenticate.ts'
import { companyFor } from './company.ts'

/** Proxies close what is silent for a minute; also how soon a session that ended is noticed. */
const HEARTBEAT_MS = 15_000
/** How long a browser waits before it comes again. */
const RETRY_MS = 2000
/** A client that does not read is disconnected; it reconnects and resumes. */
const MAX_UNREAD_BYTES = 1024 ** 2

function lastEventId(request: IncomingMessage, query: URLSearchParams): number | null {
  const given = request.headers['last-event-id'] ?? query.get('lastEventId')
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : null
}

/** Streams events until the client disconnects, its session ends, or the appliance stops. Throws UNAUTHENTICATED. */
export function streamEvents(
  services: Services,
  stream: EventStream,
  exchange: {
    readonly request: IncomingMessage
    readonly response: ServerResponse
    readonly query: URLSearchParams
    readonly principal: Principal
  },
  heartbeatMs = HEARTBEAT_MS,
): void {
  const { request, response, query, principal } = exchange
  if (principal.kind !== 'session')
    throw new AppError('UNAUTHENTICATED', 'Events are for the studio; sign in with its link.')
  const companyId = companyFor(services, principal, query.get('companyId') ?? undefined)
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' })
  if (request.method === 'HEAD') {
    response.end()
    return
  }
  const write = (text: string): void => {
    if (response.writableEnded || response.destroyed) return
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy()
    else response.write(text)
  }
  write(`retry: ${RETRY_MS}\n\n`)
  const leave = stream.listen({
    companyId,
    person: principal.person.id,
    after: lastEventId(request, query),
    send: (message: StreamMessage, id) =>
      write(`${id === null ? '' : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`),
    end: () => response.end(),
  })
  const beat = setInterval(() => {
    const person = sessionPerson(services, principal.secret)
    // A change of the person's companies ends the stream; the client reconnects and is authorised again.
    if (person !== null && person.companyId === principal.person.companyId) write(': beat\n\n')
    else response.end()
  }, heartbeatMs)
  response.once('close', () => {
    clearInterval(beat)
    leave()
  })
}
