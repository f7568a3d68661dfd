/** A plain or encrypted connection under the rules of all sources: the address of the actual connection is checked. */
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { AppError } from '../../../server/contract/errors.ts'
import { guardedLookup, hostAllowed, refused, type AddressPolicy } from '../ingest/guard.ts'
import { addressAllowed } from '../ingest/pure/addresses.ts'
import { networkSentence, rootCause } from '../ingest/transfer.ts'

export interface Destination {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  readonly addresses: AddressPolicy
  readonly timeoutSeconds: number
}

/** Throws SOURCE_FORBIDDEN for a refused address, SOURCE_UNREACHABLE, CANCELLED. The caller destroys the socket. */
export async function connectGuarded(to: Destination, signal: AbortSignal): Promise<Socket> {
  const { host, port, secure, addresses, timeoutSeconds } = to
  if (!hostAllowed(host, addresses)) throw refused(host, addresses)
  const plain = connect({ host, port, lookup: guardedLookup(addresses), autoSelectFamily: true })
  const timer = setTimeout(
    () => plain.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })),
    timeoutSeconds * 1000,
  )
  const stop = (): void => void plain.destroy(new AppError('CANCELLED'))
  signal.addEventListener('abort', stop, { once: true })
  try {
    if (signal.aborted) stop()
    await waitForEvent(plain, 'connect')
    if (!addressAllowed(plain.remoteAddress ?? '', addresses)) throw refused(host, addresses)
    if (!secure) return plain
    const safe = connectSecurely({ socket: plain, servername: isIP(host) === 0 ? host : '' })
    await waitForEvent(safe, 'secureConnect')
    return safe
  } catch (error) {
    plain.destroy()
    if (signal.aborted) throw new AppError('CANCELLED', { cause: error })
    const cause = rootCause(error)
    if (cause instanceof AppError) throw cause
    const code = (cause as NodeJS.ErrnoException).code ?? ''
    const message =
      code === 'ENOTFOUND'
        ? `There is no server named ${host}. Check the address.`
        : networkSentence(code, host)
    throw new AppError('SOURCE_UNREACHABLE', { message, cause })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

function waitForEvent(socket: Socket, name: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      socket.off('error', failed)
      resolve()
    }
    const failed = (error: Error): void => {
      socket.off(name, done)
      reject(error)
    }
    socket.once(name, done)
    socket.once('error', failed)
  })
}
