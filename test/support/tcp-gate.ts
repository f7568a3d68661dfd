/** A gate before a server: passes bytes on and counts them, slowly where that is wanted, and can be shut. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

export interface TcpGate {
  readonly url: string
  readonly port: number
  /** Bytes that went through, both ways. */
  bytes(): number
  /** No more than so many bytes a second on each connection; null: as fast as it goes. */
  slow(bytesPerSecond: number | null): void
  /** Leads to another server from now on; what is open stays. */
  turnTo(port: number): void
  /** Ends what is open and refuses what comes, until `open`. */
  shut(): void
  open(): void
  close(): Promise<void>
}

export async function startTcpGate(firstPort: number): Promise<TcpGate> {
  let port = firstPort
  const sockets = new Set<Socket>()
  let bytes = 0
  let pace: number | null = null
  let isShut = false
  const meter = (): Transform =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length
        const wait = pace === null ? Promise.resolve() : pause((chunk.length / pace) * 1000)
        void wait.then(() => done(null, chunk))
      },
    })
  const server = createServer({ allowHalfOpen: true }, (from) => {
    if (isShut) return void from.destroy()
    const to = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      // Its end is passed on behind what is still on the way.
      one.once('close', () => void sockets.delete(one))
      one.pipe(meter()).pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own = (server.address() as AddressInfo).port
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${own}`,
    port: own,
    bytes: () => bytes,
    slow: (bytesPerSecond) => {
      pace = bytesPerSecond
    },
    turnTo: (other) => {
      port = other
    },
    shut: () => {
      isShut = true
      endAll()
    },
    open: () => {
      isShut = false
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        endAll()
      }),
  }
}
