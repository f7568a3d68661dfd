/** A local HTTP server whose every path misbehaves in its own way; tests define what a path does. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export interface BadServer {
  readonly url: (path: string) => string
  /** Requests seen: method, path and the headers that matter to downloads. */
  readonly seen: {
    path: string
    range: string | undefined
    ifRange: string | undefined
    ifNoneMatch: string | undefined
  }[]
  readonly close: () => Promise<void>
}

/** Starts on a free port of 127.0.0.1; unknown paths answer 404. */
export async function startBadServer(answers: Readonly<Record<string, Answer>>): Promise<BadServer> {
  const seen: BadServer['seen'] = []
  const sockets = new Set<Socket>()
  const server: Server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    seen.push({
      path,
      range: request.headers.range,
      ifRange: request.headers['if-range'] as string | undefined,
      ifNoneMatch: request.headers['if-none-match'],
    })
    const answer = answers[path]
    if (answer === undefined)
      response.writeHead(404, { 'content-type': 'text/html' }).end('<html>gone</html>')
    else answer(request, response)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    seen,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Serves bytes with ETag, Range, If-Range and If-None-Match, as a good server does. */
export function serveBytes(bytes: Buffer, options: { etag?: string; type?: string } = {}): Answer {
  const { etag = '"v1"', type = 'video/mp4' } = options
  return (request, response) => {
    const headers = { etag, 'content-type': type, 'accept-ranges': 'bytes' }
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304, headers).end()
      return
    }
    const ifRange = request.headers['if-range']
    const from = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1]
    if (from === undefined || (ifRange !== undefined && ifRange !== etag)) {
      response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes)
      return
    }
    const start = Number(from)
    response
      .writeHead(206, {
        ...headers,
        'content-length': bytes.length - start,
        'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}`,
      })
      .end(bytes.subarray(start))
  }
}
