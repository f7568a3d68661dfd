/** GET and HEAD /media/{token}/{name}: straight from disk to socket, with Range, validators and caching; no key. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '../contract/errors.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'
import { contentDisposition } from '../domain/rendering/file-names.ts'
import { findMedia, type FoundMedia } from '../domain/rendering/register-media.ts'
import { opensMedia } from '../domain/rendering/media-links.ts'
import type { Services } from '../domain/services.ts'
import { isClientGone, sendRange } from './pipe-out.ts'
import { MEDIA_POLICY } from './security-headers.ts'
import { decideRange, isNotModified, rangeApplies } from './range.ts'

const PATH = /^\/media\/([A-Za-z0-9_-]{1,100})\/([^/]{1,1000})$/

function setMediaHeaders(response: ServerResponse, found: FoundMedia): void {
  response.setHeader('ETag', found.etag)
  response.setHeader('Last-Modified', new Date(found.modified).toUTCString())
  response.setHeader('Accept-Ranges', 'bytes')
  response.setHeader('Content-Type', found.mediaType)
}

/** Media may be fetched and shown by any page that knows its address: the token is the secret, there are no cookies. */
export function setMediaCors(response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Origin', '*')
  response.setHeader(
    'Access-Control-Expose-Headers',
    'Accept-Ranges, Content-Range, Content-Length, ETag, X-Request-Id',
  )
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
  response.setHeader('Content-Security-Policy', MEDIA_POLICY)
  response.removeHeader('X-Frame-Options')
}

/** Answers a media preflight, so that pages may send Range. */
export function sendMediaPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    'Access-Control-Allow-Methods': 'GET, HEAD',
    'Access-Control-Allow-Headers': 'Range, If-Range, If-None-Match, If-Modified-Since',
    'Access-Control-Max-Age': '86400',
    Allow: 'GET, HEAD, OPTIONS',
  })
  response.end()
}

/** Throws NOT_FOUND before anything was sent; afterwards errors end the connection, since the answer has begun. */
export async function sendMedia(
  services: Pick<Services, 'config' | 'db' | 'home' | 'log' | 'store'>,
  request: IncomingMessage,
  response: ServerResponse,
  { path, search }: { readonly path: string; readonly search: string },
): Promise<void> {
  const [, token, name] = PATH.exec(path) ?? []
  const found =
    token === undefined || name === undefined ? null : findMedia(services, token, decodeURIComponent(name))
  if (token === undefined || found === null) throw new AppError('NOT_FOUND')
  if (!opensMedia(services, token, search)) throw new AppError('MEDIA_LINK_ENDED')
  // Before anything of an answer is set: the store may be away, or have no such file.
  if (found.open !== undefined && (await services.store?.has(found.file)) !== true)
    throw new AppError('NOT_FOUND')
  // The file never changes; its address may be taken down, and a cache between us and others must not outlive that.
  const who = services.config.mediaLinks === 'signed' ? 'private' : 'public'
  response.setHeader('Cache-Control', `${who}, max-age=60, must-revalidate`)
  await sendFile(services, { request, response, path }, found, 'inline')
}

/** A found file, or the part of it that is asked for; who may have it was decided before. */
export async function sendFile(
  services: Pick<Services, 'log'>,
  {
    request,
    response,
    path,
  }: { readonly request: IncomingMessage; readonly response: ServerResponse; readonly path: string },
  found: FoundMedia,
  disposition: 'inline' | 'attachment',
): Promise<void> {
  setMediaHeaders(response, found)
  response.setHeader('Content-Disposition', contentDisposition(disposition, found.name))
  if (isNotModified(request.headers, found)) {
    response.writeHead(304).end()
    return
  }
  // Range is defined for GET alone.
  const { 'if-range': ifRange } = request.headers
  const wanted = request.method === 'GET' && rangeApplies(ifRange?.toString(), found)
  const range = decideRange(wanted ? request.headers.range : undefined, found.bytes)
  if (range.kind === 'unsatisfiable') response.setHeader('Cache-Control', 'no-store')
  const file = { path: found.file, bytes: found.bytes, ...omitUndefined({ open: found.open }) }
  await sendRange(response, file, range, request.method === 'HEAD').catch((error: unknown) => {
    if (!isClientGone(error)) services.log.warn('a media transfer broke off', { path, error })
  })
}
