/**
 * Pages of other sites that may call the APIs (CUTROOM_CORS_ORIGINS), by key or delegation and never by a cookie: there is no
 * Access-Control-Allow-Credentials, and a cookie that comes is not looked at.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

/** What begins so is for the studio, for people of other companies, or for machines. */
const CLOSED = /^\/(studio|shared|internal|mcp|metrics|media|docs)(\/|$)/

const TAKEN = [
  'Authorization, Content-Type, Idempotency-Key, If-Match, Service-Workflow-Channel, X-Request-Id, X-Service-Delegation',
  // Of uploads (public/uploads.ts).
  'Tus-Resumable, Upload-Checksum, Upload-Length, Upload-Metadata, Upload-Offset, X-HTTP-Method-Override',
].join(', ')
const SHOWN = [
  'ETag, Idempotency-Replayed, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Service-Workflow-Channel, X-Request-Id',
  'Location, Tus-Checksum-Algorithm, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version',
  'Upload-Expires, Upload-Length, Upload-Metadata, Upload-Offset',
].join(', ')

/** Whether a page of a listed origin calls an API; then its answer, whatever it is, may be read there. */
export function admitForeignPage(
  { request, response, path }: { request: IncomingMessage; response: ServerResponse; path: string },
  origins: readonly string[],
): boolean {
  const { origin } = request.headers
  if (origins.length === 0 || CLOSED.test(path)) return false
  // Also to those that are not listed: a cache must not give them the answer of one that is.
  response.setHeader('Vary', 'Origin')
  if (origin === undefined || !origins.includes(origin)) return false
  response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader('Access-Control-Expose-Headers', SHOWN)
  delete request.headers.cookie
  return true
}

export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined

export function sendPreflight(response: ServerResponse, methods: readonly string[]): void {
  response.writeHead(204, {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': TAKEN,
    'Access-Control-Max-Age': '600',
    Allow: methods.join(', '),
  })
  response.end()
}
