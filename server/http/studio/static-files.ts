/**
 * The built studio at `/`, by sirv: it stays inside its folder, knows media types, and sends the file beside it that was
 * compressed at build time when the client accepts that. Here are the addresses, how long each answer may be kept, and
 * what sirv leaves to others: validators, and transfers that end early.
 */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'
import sirv, { type RequestHandler } from 'sirv'
import { isNotModified } from '../range.ts'
import { sendPage } from '../respond.ts'

/** Addresses of pages with another name; both `/docs/...` are one page that reads its own location. */
const PAGES: Readonly<Record<string, string>> = {
  '/': '/index.html',
  '/docs/api': '/api-docs.html',
  '/docs/domain-api': '/api-docs.html',
  '/shared': '/shared.html',
}
const FONTS = '/fonts/'

export type StaticFiles = ReturnType<typeof staticFiles>

/** Scripts and connections to ourselves only; media also from the public address when that is another one. */
function contentSecurityPolicy(mediaOrigin: string | null): string {
  const media = mediaOrigin === null ? '' : ` ${mediaOrigin}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' data: blob:${media}`,
    `media-src 'self' blob:${media}`,
    `connect-src 'self'${media}`,
    "font-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Codings that the client takes, as sirv looks for them: it would take `br;q=0` for a yes. */
function acceptedCodings(header: string | string[] | undefined): string {
  return String(header ?? '')
    .split(',')
    .filter((coding) => !/;\s*q=0(?:\.0*)?\s*$/.test(coding))
    .map((coding) => coding.replace(/;.*/, '').trim().toLowerCase())
    .filter((coding) => coding === 'br' || coding === 'gzip')
    .join(', ')
}

/** What files are sent with; sirv names the other types itself. */
const TEXT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '': 'application/octet-stream',
}

/**
 * Finds the quoted ETag of a file; null where there is none. By content, once for each version of a file: packages give
 * all their files one time, and index.html is as long in every build, so time and size do not tell two builds apart.
 */
function createTagger(folder: string): (path: string) => Promise<string | null> {
  const known = new Map<string, { size: number; modified: number; etag: string }>()
  return async (path) => {
    const file = join(folder, decodeURI(path))
    if (!file.startsWith(folder + sep)) return null
    const found = await stat(file).catch(() => null)
    if (found?.isFile() !== true) return null
    const last = known.get(file)
    if (last?.size === found.size && last.modified === found.mtimeMs) return last.etag
    const bytes = await readFile(file).catch(() => null)
    if (bytes === null) return null
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
    known.set(file, { size: found.size, modified: found.mtimeMs, etag })
    return etag
  }
}

/** sirv pipes and looks away: a client that leaves would keep the file open, a file that is gone would end the process. */
function closeWithResponse(response: ServerResponse): void {
  response.once('pipe', (source: Readable) => {
    source.once('error', () => response.destroy())
    response.once('close', () => source.destroy())
  })
}

interface OpenFolder {
  readonly send: RequestHandler
  readonly etagOf: (path: string) => Promise<string | null>
}

/** `compressed`: where compressed files lie that are not beside their originals. */
function openFolder(folder: string, compressed?: string): OpenFolder {
  // `dev`: looked up on each request, since a build may replace the files of a running appliance.
  const options = { dev: true, brotli: true, gzip: true, extensions: [] }
  const sendFile = sirv(folder, options)
  const sendCompressed = compressed === undefined ? undefined : sirv(compressed, options)
  return {
    etagOf: createTagger(resolve(folder)),
    send: (request, response, next) => {
      if (sendCompressed === undefined) sendFile(request, response, next)
      else sendCompressed(request, response, () => sendFile(request, response, next))
    },
  }
}

/** Serves the built renderer, and `fonts` under `/fonts/`; not built, `/` is a page that says how to. */
export function staticFiles(folder: string, options: { fonts: string; publicUrl: string | null }) {
  const mediaOrigin = options.publicUrl === null ? null : new URL(options.publicUrl).origin
  const policy = contentSecurityPolicy(mediaOrigin)
  const studio = openFolder(folder)
  const fonts = openFolder(options.fonts, join(folder, 'fonts'))
  const setHeaders = (response: ServerResponse, path: string, etag: string): void => {
    const hashed = path.startsWith('/assets/')
    const type = TEXT_TYPES[extname(path)]
    response.setHeader('ETag', `W/${etag}`)
    response.setHeader('Vary', 'Accept-Encoding')
    response.setHeader('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    response.setHeader('Content-Security-Policy', policy)
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
    if (type !== undefined) response.setHeader('Content-Type', type)
  }
  /** True when it has answered: the path is a studio file, or `/`. */
  const serve = async (
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): Promise<boolean> => {
    const isFont = path.startsWith(FONTS)
    const inside = isFont ? path.slice(FONTS.length - 1) : (PAGES[path] ?? path)
    const { send, etagOf } = isFont ? fonts : studio
    const etag = await etagOf(inside)
    if (etag === null) {
      if (path !== '/') return false
      sendPage(response, 200, {
        title: 'Cutroom is running',
        text: 'The API answers here. The studio is not built yet: run `npm run build`, then reload this page.',
        head: request.method === 'HEAD',
      })
      return true
    }
    const { 'if-none-match': known, 'accept-encoding': codings } = request.headers
    setHeaders(response, inside, etag)
    if (isNotModified({ 'if-none-match': known }, { etag, modified: 0 })) {
      response.writeHead(304).end()
      return true
    }
    request.url = inside
    request.headers['accept-encoding'] = acceptedCodings(codings)
    // sirv takes the last five bytes for the first five; a range may be answered in full.
    delete request.headers.range
    closeWithResponse(response)
    let found = true
    send(request, response, () => {
      found = false
    })
    return found
  }
  return { serve }
}
