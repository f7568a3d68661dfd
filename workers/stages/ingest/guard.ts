/** HTTP with a guard at the socket: the address that is really connected to is judged, on every hop. */
import { lookup as resolve, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { AppError } from '../../../server/contract/errors.ts'
import { addressAllowed } from './pure/addresses.ts'
import { omitUndefined } from '../../../server/contract/omit-undefined.ts'

export type AddressPolicy = 'any' | 'public' | 'loopback'

/** An undici agent that cannot reach refused addresses, whatever the name resolves to. The caller destroys it. */
export function guardedAgent(policy: AddressPolicy, connectTimeoutSeconds: number): Agent {
  const connect = buildConnector({
    timeout: connectTimeoutSeconds * 1000,
    lookup: guardedLookup(policy),
    // Every answer of the name server is tried, so that a dead IPv6 route does not end the download.
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
    // Silence is watched by the download itself, over all phases alike.
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
    keepAliveTimeout: 1000,
  })
}

/** Before anything is looked up: a literal address is connected to without that, and `loopback` asks nobody. */
export function hostAllowed(hostname: string, policy: AddressPolicy): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return addressAllowed(host, policy)
  return policy !== 'loopback' || LOOPBACK_NAME.test(host)
}

/** A name server's answers without the refused addresses; SOURCE_FORBIDDEN when none is left. */
export function guardedLookup(policy: AddressPolicy): LookupFunction {
  // Asking a name server would be a word to somebody outside already.
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

/** Answers for names of this machine without asking; all others are refused. */
const loopbackLookup: LookupFunction = (hostname, options, callback) => {
  const asked = isIP(hostname) === 0 && LOOPBACK_NAME.test(hostname) ? LOOPBACK : []
  const { family } = options
  const wanted = family === 4 || family === 'IPv4' ? 4 : family === 6 || family === 'IPv6' ? 6 : 0
  const found = asked.filter((one) => wanted === 0 || one.family === wanted)
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

/** What a refused address gets. */
export function refused(host: string, policy: AddressPolicy = 'any'): AppError & NodeJS.ErrnoException {
  const message =
    policy === 'loopback'
      ? `The network is off (CUTROOM_NETWORK), and ${host} is not this machine.`
      : `The address ${host} leads to a network address that this appliance does not fetch from.`
  return new AppError('SOURCE_FORBIDDEN', { message, details: { host } })
}
