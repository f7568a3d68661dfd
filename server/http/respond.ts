/** Writing answers on the raw response, for what does not pass through Elysia. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '../contract/errors.ts'
import type { Logger } from '../log.ts'
import { answerError, type ErrorAnswer, type Family } from './error-mapper.ts'
import { COMMON_HEADERS } from './security-headers.ts'

/** Sets the common headers on a response that is written header by header. */
export function setCommonHeaders(response: ServerResponse, requestId: string): void {
  response.setHeader('x-request-id', requestId)
  for (const [name, value] of COMMON_HEADERS) response.setHeader(name, value)
}

/** The head in one list, as node:http writes it fastest. `own` has its names in lower case. */
export function headOf(requestId: string, own: readonly [string, string][]): string[] {
  const head = ['x-request-id', requestId]
  for (const [name, value] of COMMON_HEADERS)
    if (!own.some(([taken]) => taken === name)) head.push(name, value)
  for (const [name, value] of own) head.push(name, value)
  return head
}

/** Sends a JSON body. Closes the connection where a response has begun or the client is gone. */
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

/** Discards for a while what a refused client sends: closed at once, it often loses our answer. */
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
    family: Family
  },
  error: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<ErrorAnswer> {
  const { request, response, path, requestId, log, family } = exchange
  const answer = answerError(error, { path, method: request.method ?? '', requestId }, log, family)
  const unread = !request.complete && hasBody(request)
  if (unread) await drain(request)
  sendJson(response, answer.status, answer.body, {
    ...answer.headers,
    ...headers,
    ...(unread && !request.complete ? { connection: 'close' } : {}),
  })
  return answer
}

/** Throws UNSUPPORTED_ENCODING for a compressed body: unpacked, it could be of any size, and its bytes are no JSON. */
export function requirePlainBody(request: IncomingMessage): void {
  const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? ''
  // What comes with a GET or a DELETE is not read.
  const isRead = request.method !== 'GET' && request.method !== 'DELETE' && hasBody(request)
  if (coding === '' || coding === 'identity' || !isRead) return
  throw new AppError('UNSUPPORTED_ENCODING', { details: { header: 'Content-Encoding' } })
}

/** Whether the request has a body. */
export function hasBody(request: IncomingMessage): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  )
}

const STYLE = [
  'body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:18vh auto 0;padding:0 1.5rem;',
  'color:#1c1917;background:#fafaf9}',
  '@media(prefers-color-scheme:dark){body{color:#e7e5e4;background:#1c1917}}',
  'h1{font-size:1.4rem}code{font-family:ui-monospace,monospace}',
].join('')

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** `text` may hold `code` in backticks; everything is escaped. */
export function sendPage(
  response: ServerResponse,
  status: number,
  page: { title: string; text: string; head?: boolean },
): void {
  const text = escape(page.text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
  const title = escape(page.title)
  const html = Buffer.from(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>${title}</title><style>${STYLE}</style><h1>${title}</h1><p>${text}</p></html>\n`,
  )
  response.setHeader(
    'Content-Security-Policy',
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  )
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': html.length })
  response.end(page.head === true ? undefined : html)
}
