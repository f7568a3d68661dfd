/** A proxy before a server that loses answers, or gives its own: what clients meet on the way. */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to a call: `lost` and `half` after the server has done it; a status is answered instead of it. */
export type Fate = 'passed' | 'lost' | 'half' | { readonly status: number; readonly retryAfter?: string }

export interface ScriptedProxy {
  readonly url: string
  /** What happens to the next calls, in order; then all pass. */
  fates: Fate[]
  /** METHOD and path of each call. */
  readonly calls: string[]
  close(): Promise<void>
}

function pass(port: number, incoming: IncomingMessage, outgoing: ServerResponse, fate: Fate): void {
  const { method, url: path, headers } = incoming
  const onward = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.once('end', () => {
      if (fate === 'lost') return void incoming.socket.destroy()
      const body = Buffer.concat(chunks)
      outgoing.writeHead(answer.statusCode ?? 502, {
        ...answer.headers,
        'content-length': String(body.byteLength),
      })
      if (fate === 'passed') return void outgoing.end(body)
      outgoing.write(body.subarray(0, body.byteLength / 2), () => incoming.socket.destroy())
    })
  })
  onward.once('error', () => incoming.socket.destroy())
  incoming.pipe(onward)
}

/** Starts one before the server at `port`; `fateOf` decides where no fate is set. */
export async function startScriptedProxy(
  port: number,
  fateOf: () => Fate = () => 'passed',
): Promise<ScriptedProxy> {
  const server = createServer((incoming, outgoing) => {
    proxy.calls.push(`${incoming.method ?? ''} ${incoming.url?.split('?')[0] ?? ''}`)
    const fate = proxy.fates.shift() ?? fateOf()
    if (typeof fate === 'string') return void pass(port, incoming, outgoing, fate)
    incoming.resume()
    outgoing.writeHead(fate.status, fate.retryAfter === undefined ? {} : { 'retry-after': fate.retryAfter })
    outgoing.end('<p>not now</p>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: ScriptedProxy = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    fates: [],
    calls: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return proxy
}
