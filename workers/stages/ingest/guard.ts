/** HTTP with a guard at the socket: the address of the actual connection is checked, on every redirect. */
import { lookup as resolve, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { AppError } from '../../../server/contract/errors.ts'
import { addressAllowed } from './pure/addresses.ts'
import { omitUndefined } from '../../../server/contract/omit-undefined.ts'

export type AddressPolicy = 'any' | 'public' | 'loopback'

/** An undici agent that cannot reach refused addresses, whatever a name resolves to. The caller destroys it. */
export function guardedAgent(policy: AddressPolicy, connectTimeoutSeconds: number): Agent {
  const connect = buildConnector({
    timeout: connectTimeoutSeconds * 1000,
    lookup: guardedLookup(policy),
    // Every address of the name is tried, so that a broken IPv6 route does not end the download.
    autoSelectFamily: true,
  })
  return new Agent({
    connect: (options, callback) => {
      if (!hostAllowed(options.hostname, policy)) {
        callback(refused(options.hostname, policy), null)
        return
      }
      connect(options, (...result) => {
        const [error, socket] = result
        if (error === null && !addressAllowed(socket.remoteAddress ?? '', policy)) {
          socket.destroy()
          callback(refused(options.hostname, policy), null)
          return
        }
        callback(...result)
      })
    },
    // The download watches for silence itself, in all phases alike.
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
    keepAliveTimeout: 1000,
  })
}

/** Checked before any lookup, because a literal address needs none and `loopback` must not cause one. */
export function hostAllowed(hostname: string, policy: AddressPolicy): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return addressAllowed(host, policy)
  return policy !== 'loopback' || LOOPBACK_NAME.test(host)
}

/** Looks a name up and drops refused addresses; SOURCE_FORBIDDEN when none is left. */
export function guardedLookup(policy: AddressPolicy): LookupFunction {
  // A request to a name server would already leave the machine.
  if (policy === 'loopback') return loopbackLookup
  return (hostname, options, callback) => {
    const { family, hints } = options
    const wanted = {
      all: true as const,
      ...omitUndefined({ family, hints }),
    }
    resolve(hostname, wanted, (error, addresses: LookupAddress[]) => {
      if (error !== null) {
        callback(error, '', 0)
        return
      }
      const allowed = addresses.filter(({ address }) => addressAllowed(address, policy))
      const first = allowed[0]
      if (first === undefined) callback(refused(hostname, policy), '', 0)
      else if (options.all === true) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }
}

/** Resolves names of this machine without a lookup and refuses all others. */
const loopbackLookup: LookupFunction = (hostname, options, callback) => {
  const local = isIP(hostname) === 0 && LOOPBACK_NAME.test(hostname) ? LOOPBACK : []
  const { family } = options
  const wanted = family === 4 || family === 'IPv4' ? 4 : family === 6 || family === 'IPv6' ? 6 : 0
  const found = local.filter((one) => wanted === 0 || one.family === wanted)
  const first = found[0]
  if (first === undefined) callback(refused(hostname, 'loopback'), '', 0)
  else if (options.all === true) callback(null, found)
  else callback(null, first.address, first.family)
}

const LOOPBACK_NAME = /^(?:[a-z0-9-]+\.)*localhost$/i
const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** The error for a refused address. */
export function refused(host: string, policy: AddressPolicy = 'any'): AppError & NodeJS.ErrnoException {
  const message =
    policy === 'loopback'
      ? `The network is off (CUTROOM_NETWORK), and ${host} is not this machine.`
      : `The address ${host} leads to a network address that this appliance does not fetch from.`
  return new AppError('SOURCE_FORBIDDEN', { message, details: { host } })
}
