/**
 * A port on the loopback that relays datagrams to one external address and back, for a protocol that only a tool supports. The tool
 * connects to the loopback; the external address was checked by the rules of all sources.
 */
import { createSocket, type Socket } from 'node:dgram'
import { isIP } from 'node:net'
import { AppError } from '../../../server/contract/errors.ts'
import { guardedLookup, refused, type AddressPolicy } from '../ingest/guard.ts'
import { addressAllowed } from '../ingest/pure/addresses.ts'

export interface UdpRelay {
  /** Port on 127.0.0.1; accepts only the first sender. */
  readonly port: number
  readonly close: () => Promise<void>
}

/** Throws SOURCE_FORBIDDEN for a refused address, SOURCE_UNREACHABLE for an unknown name. The caller closes it. */
export async function startUdpRelay(
  to: { readonly host: string; readonly port: number },
  addresses: AddressPolicy,
): Promise<UdpRelay> {
  const target = await resolveGuarded(to.host, addresses)
  const outer = createSocket(target.family === 6 ? 'udp6' : 'udp4')
  const inner = createSocket('udp4')
  let peer: number | null = null
  inner.on('message', (bytes, from) => {
    if (from.address !== '127.0.0.1') return
    peer ??= from.port
    // A datagram that cannot be sent counts as lost; the protocol requests it again.
    if (from.port === peer) outer.send(bytes, () => undefined)
  })
  outer.on('message', (bytes) => {
    if (peer !== null) inner.send(bytes, peer, '127.0.0.1', () => undefined)
  })
  for (const socket of [outer, inner]) socket.on('error', () => undefined)
  try {
    await new Promise<void>((resolve, reject) => {
      outer.once('error', reject)
      // A connected socket receives datagrams from its peer only.
      outer.connect(to.port, target.address, () => resolve())
    })
    await new Promise<void>((resolve) => inner.bind(0, '127.0.0.1', () => resolve()))
  } catch (error) {
    await Promise.all([closeSocket(outer), closeSocket(inner)])
    const message = `The address ${to.host} cannot be sent to.`
    throw new AppError('SOURCE_UNREACHABLE', { message, cause: error })
  }
  return {
    port: inner.address().port,
    close: async () => void (await Promise.all([closeSocket(outer), closeSocket(inner)])),
  }
}

const closeSocket = (socket: Socket): Promise<void> => new Promise((resolve) => socket.close(() => resolve()))

async function resolveGuarded(
  host: string,
  addresses: AddressPolicy,
): Promise<{ address: string; family: number }> {
  const family = isIP(host)
  if (family !== 0) {
    if (!addressAllowed(host, addresses)) throw refused(host, addresses)
    return { address: host, family }
  }
  return new Promise((resolve, reject) => {
    guardedLookup(addresses)(host, { all: false }, (error, address, found) => {
      if (error === null && typeof address === 'string') resolve({ address, family: found ?? 4 })
      else if (error instanceof AppError) reject(error)
      else {
        const message = `There is no server named ${host}. Check the address.`
        reject(new AppError('SOURCE_UNREACHABLE', { message, cause: error }))
      }
    })
  })
}
