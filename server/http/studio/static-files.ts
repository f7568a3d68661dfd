/**
 * The built studio at `/`. Only files that a listing of the built folder has found can be asked for, so no path from
 * outside ever reaches the file system.
 */
import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, sep } from 'node:path'
import { isNotModified } from '../range.ts'
import { sendPage } from './pages.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
}
/** Addresses of pages that lie elsewhere in the build: what is at `/docs/...` is one page that looks where it is. */
const PAGES: Readonly<Record<string, string>> = {
  '/': '/index.html',
  '/docs/api': '/api-docs.html',
  '/docs/domain-api': '/api-docs.html',
}
const RESCAN_MS = 1000

export interface StaticFiles {
  /** True when it has answered: the path is a studio file, or `/`. */
  serve(request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean>
}

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

function listFiles(folder: string): Map<string, string> {
  const found = new Map<string, string>()
  const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
    : []
  for (const entry of names) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    found.set(file.slice(folder.length).split(sep).join('/'), file)
  }
  return found
}

/**
 * Serves `folder` (the built renderer), and `fonts` under `/fonts/`: what the finished clips are set in, the preview is too.
 * Without a built renderer `/` is a page that says how to build it.
 */
export function staticFiles(
  folder: string,
  options: { fonts: string; publicUrl: string | null; now: () => number },
): StaticFiles {
  const mediaOrigin = options.publicUrl === null ? null : new URL(options.publicUrl).origin
  const policy = contentSecurityPolicy(mediaOrigin)
  let files = new Map<string, string>()
  let scanned = -Infinity
  const find = (path: string): string | undefined => {
    // A new build has new names: look again on a miss, but not for every stray request.
    if (!files.has(path) && options.now() - scanned >= RESCAN_MS) {
      const fonts = [...listFiles(options.fonts)].map(([name, file]) => [`/fonts${name}`, file] as const)
      files = new Map([...fonts, ...listFiles(folder)])
      scanned = options.now()
    }
    return files.get(path)
  }
  const serve = async (
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): Promise<boolean> => {
    const file = find(PAGES[path] ?? path)
    if (file === undefined) {
      if (path !== '/') return false
      sendPage(response, 200, {
        title: 'Cutroom is running',
        text: 'The API answers here. The studio is not built yet: run `npm run build`, then reload this page.',
        head: request.method === 'HEAD',
      })
      return true
    }
    const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (bytes === null) return false
    sendFile(request, response, { bytes, file, hashed: path.startsWith('/assets/') })
    return true
  }
  const sendFile = (
    request: IncomingMessage,
    response: ServerResponse,
    found: { bytes: Buffer; file: string; hashed: boolean },
  ): void => {
    const etag = `"${createHash('sha256').update(found.bytes).digest('base64url').slice(0, 27)}"`
    response.setHeader('ETag', etag)
    response.setHeader('Cache-Control', found.hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    response.setHeader('Content-Security-Policy', policy)
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
    if (isNotModified({ 'if-none-match': request.headers['if-none-match'] }, { etag, modified: 0 })) {
      response.writeHead(304).end()
      return
    }
    response.writeHead(200, {
      'Content-Type': TYPES[extname(found.file)] ?? 'application/octet-stream',
      'Content-Length': found.bytes.length,
    })
    response.end(request.method === 'HEAD' ? undefined : found.bytes)
  }
  return { serve }
}
