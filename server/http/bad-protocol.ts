/** What comes in before there is a request: no HTTP at all, headers beyond measure, or nothing for too long. */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ERRORS } from '../contract/errors.ts'
import { COMMON_HEADERS } from './security-headers.ts'

const STATUS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/**
 * Answers a malformed request and closes the connection. A connection on which nothing was received is closed without
 * an answer: browsers open some in advance, and would take that answer for the response to their next request.
 */
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
