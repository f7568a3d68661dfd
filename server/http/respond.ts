/** Writing answers on the raw response, for what does not pass through Elysia. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '../log.ts'
import { answerError, type ErrorAnswer } from './error-mapper.ts'

/** On every answer; single ones override what they must. */
export function setCommonHeaders(response: ServerResponse, requestId: string): void {
  response.setHeader('X-Request-Id', requestId)
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('X-Frame-Options', 'DENY')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const bytes = Buffer.from(JSON.stringify(body))
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
  })
  response.end(bytes)
}

const LINGER_MS = 1000
const LINGER_BYTES = 16 * 1024 ** 2

/**
 * Throws away, for a short while, what a refused client is still sending: a connection that is closed on a client in the
 * middle of its sentence is often reset before it has read our answer.
 */
export async function drain(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return
  await new Promise<void>((resolve) => {
    let seen = 0
    const done = (): void => {
      clearTimeout(timer)
      request.off('data', onData).off('end', done).off('close', done).off('error', done)
      resolve()
    }
    const onData = (chunk: Buffer): void => {
      seen += chunk.length
      if (seen > LINGER_BYTES) done()
    }
    const timer = setTimeout(done, LINGER_MS)
    request.on('data', onData).once('end', done).once('close', done).once('error', done)
    request.resume()
  })
}

/** Answers an error, having let the client finish what it was saying. */
export async function sendError(
  exchange: {
    request: IncomingMessage
    response: ServerResponse
    path: string
    requestId: string
    log: Logger
  },
  error: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<ErrorAnswer> {
  const { request, response, path, requestId, log } = exchange
  const answer = answerError(error, { path, method: request.method ?? '', requestId }, log)
  const unread = !request.complete && hasBody(request)
  if (unread) await drain(request)
  sendJson(response, answer.status, answer.body, {
    ...answer.headers,
    ...headers,
    ...(unread && !request.complete ? { connection: 'close' } : {}),
  })
  return answer
}

export function hasBody(request: IncomingMessage): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  )
}
