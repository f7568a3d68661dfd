/** A proxy that passes requests on and loses every so many answers: the work is done, and the caller does not hear of it. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LosingProxy {
  readonly url: string
  /** Answers that were lost until now. */
  lost(): number
  close(): Promise<void>
}

/** Starts one before the server at `port`; the `every`th answer, and each that many after it, is lost. */
export async function startLosingProxy(port: number, every: number): Promise<LosingProxy> {
  let answers = 0
  let lost = 0
  const proxy = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const onward = request({ port, host: '127.0.0.1', method, path, headers }, (answer) => {
      answers += 1
      if (answers % every !== 0) {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
        return
      }
      lost += 1
      answer.resume().once('end', () => outgoing.destroy())
    })
    onward.once('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    lost: () => lost,
    close: () =>
      new Promise((resolve) => {
        proxy.closeAllConnections()
        proxy.close(() => resolve())
      }),
  }
}
