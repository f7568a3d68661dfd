/** Waits on this machine for a browser to come back from a platform with a code: RFC 8252, the loopback redirect. */
import { timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppError } from '../contract/errors.ts'

export interface Loopback {
  /** `http://127.0.0.1:PORT/connected`; some platforms require exactly this address to be registered. */
  readonly address: string
  /**
   * Resolves with the code once the browser brings it with this state. Throws INVALID_REQUEST when the person declined
   * or took too long.
   */
  code(state: string, signal: AbortSignal): Promise<string>
  close(): void
}

const PATH = '/connected'
const PAGE = (text: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Cutroom</title><p style="font:18px system-ui;margin:3em">${text}</p>`

/** Listens on this machine only. `port` 0: a free one. */
export async function startLoopback(port: number, host = '127.0.0.1'): Promise<Loopback> {
  let arrived: (query: URLSearchParams) => boolean = () => false
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const taken = url.pathname === PATH && arrived(url.searchParams)
    response.writeHead(taken ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', connection: 'close' })
    response.end(PAGE(taken ? 'Done. You can close this window.' : 'There is nothing here.'))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    address: `http://${host}:${(server.address() as AddressInfo).port}${PATH}`,
    code: (state, signal) =>
      new Promise((resolve, reject) => {
        const late = () =>
          reject(new AppError('INVALID_REQUEST', 'Nobody came back from the platform in time.'))
        signal.addEventListener('abort', late, { once: true })
        arrived = (query) => {
          if (!same(query.get('state') ?? '', state)) return false
          const code = query.get('code')
          if (code !== null && code !== '') resolve(code)
          else reject(new AppError('INVALID_REQUEST', 'The platform gave no leave; nothing was connected.'))
          return true
        }
      }),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function same(given: string, wanted: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(wanted)
  return a.length === b.length && timingSafeEqual(a, b)
}
