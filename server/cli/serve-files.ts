/** A small HTTP server for a handful of named local files, so that the demo can give its video as an address. */
import { createReadStream, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FileServer {
  /** `http://127.0.0.1:40123`, no slash at the end. */
  readonly url: string
  close(): Promise<void>
}

/** First and last byte of a Range header; null for the whole file, or `unsatisfiable`. */
export function byteRange(
  header: string | undefined,
  bytes: number,
): { start: number; end: number } | null | 'unsatisfiable' {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (found === null || (found[1] === '' && found[2] === '')) return null
  const first = found[1] ?? ''
  const last = found[2] ?? ''
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  return start > end ? 'unsatisfiable' : { start, end }
}

/** Serves `files` (address name to path) on a free loopback port. Ranges and ETags, as a real host has them. */
export async function serveFiles(files: ReadonlyMap<string, string>): Promise<FileServer> {
  const server = createServer((request, response) => answer(files, request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answer(
  files: ReadonlyMap<string, string>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const name = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname.slice(1))
  const path = files.get(name)
  const facts = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })
  if (path === undefined || facts === undefined) return void response.writeHead(404).end()
  const etag = `"${facts.size.toString(36)}-${Math.round(facts.mtimeMs).toString(36)}"`
  const common = { etag, 'accept-ranges': 'bytes', 'content-type': 'application/octet-stream' }
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304, common).end()
  const range = byteRange(request.headers.range, facts.size)
  if (range === 'unsatisfiable')
    return void response.writeHead(416, { ...common, 'content-range': `bytes */${facts.size}` }).end()
  const { start, end } = range ?? { start: 0, end: facts.size - 1 }
  response.writeHead(range === null ? 200 : 206, {
    ...common,
    'content-length': end - start + 1,
    ...(range === null ? {} : { 'content-range': `bytes ${start}-${end}/${facts.size}` }),
  })
  if (request.method === 'HEAD' || facts.size === 0) return void response.end()
  createReadStream(path, { start, end })
    .on('error', () => response.destroy())
    .pipe(response)
}
