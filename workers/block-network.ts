/**
 * When the network is off, this process connects only to its own machine. This is a second line of defence behind the rules
 * of each outbound connection, for libraries that connect by themselves and for code that forgets the rules.
 */
import dgram from 'node:dgram'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { isIP, Socket } from 'node:net'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

const KEY = 'cutroom:network'
const LOCAL_NAME = /^(?:[a-z0-9-]+\.)*localhost\.?$/i

let blocked = false

/** The error that a system without a network would give. */
function unreachable(host: string): NodeJS.ErrnoException {
  const message = `The network is off (CUTROOM_NETWORK), and ${host} is not this machine.`
  return Object.assign(new Error(message), { code: 'ENETUNREACH', syscall: 'connect' })
}

/** Whether this host is this machine, decided without a name lookup. */
export function isLocalHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '')
  if (isIP(name) === 4) return name.startsWith('127.') || name === '0.0.0.0'
  if (isIP(name) === 6) return /^(?:::1|::|::ffff:127\.[\d.]+)$/i.test(name)
  return LOCAL_NAME.test(name)
}

/** The host passed to `connect`; null when there is none (a pipe, or this machine by default). */
function hostOf(given: readonly unknown[]): string | null {
  const first = Array.isArray(given[0]) ? (given[0] as unknown[])[0] : given[0]
  if (typeof first === 'object' && first !== null) {
    const { path, host } = first as { path?: unknown; host?: unknown }
    return typeof path === 'string' || typeof host !== 'string' ? null : host
  }
  return typeof given[1] === 'string' ? given[1] : null
}

/** Blocks this process, and its threads if it is called before they start. Can be called more than once. */
export function blockNetwork(): void {
  if (blocked) return
  blocked = true
  setEnvironmentData(KEY, 'off')
  blockConnections()
  blockLookups()
  blockDatagrams()
  syncBuiltinESMExports()
}

/** Must run first in a new thread, because a thread has its own copies of the modules. */
export function inheritNetworkBlock(): void {
  if (getEnvironmentData(KEY) === 'off') blockNetwork()
}

function blockConnections(): void {
  const connect = Reflect.get(Socket.prototype, 'connect') as (this: Socket, ...given: unknown[]) => Socket
  Socket.prototype.connect = function blocked(this: Socket, ...given: unknown[]) {
    const host = hostOf(given)
    if (host === null || isLocalHost(host)) return connect.apply(this, given)
    process.nextTick(() => this.destroy(unreachable(host)))
    return this
  }
}

function blockLookups(): void {
  const lookup = dns.lookup.bind(dns) as (...all: unknown[]) => void
  const refusing = (hostname: string, ...rest: unknown[]): void => {
    if (isLocalHost(hostname)) return lookup(hostname, ...rest)
    const callback = rest.at(-1) as (error: Error) => void
    process.nextTick(() => callback(unreachable(hostname)))
  }
  dns.lookup = refusing as typeof dns.lookup
  const promised = dns.promises.lookup.bind(dns.promises) as (...all: unknown[]) => Promise<unknown>
  dns.promises.lookup = ((hostname: string, ...rest: unknown[]) =>
    isLocalHost(hostname)
      ? promised(hostname, ...rest)
      : Promise.reject(unreachable(hostname))) as typeof dns.promises.lookup
  for (const resolver of [dns.Resolver.prototype, dns.promises.Resolver.prototype])
    for (const name of Object.getOwnPropertyNames(resolver).filter((one) => /^(resolve|reverse)/.test(one)))
      Object.defineProperty(resolver, name, {
        value: (...given: unknown[]) => {
          const error = unreachable(String(given[0]))
          const callback = given.at(-1)
          if (typeof callback !== 'function') return Promise.reject(error)
          return process.nextTick(() => (callback as (error: Error) => void)(error))
        },
      })
}

function blockDatagrams(): void {
  type Method = (this: dgram.Socket, ...given: unknown[]) => void
  const connectTo = Reflect.get(dgram.Socket.prototype, 'connect') as Method
  const sendTo = Reflect.get(dgram.Socket.prototype, 'send') as Method
  dgram.Socket.prototype.connect = function blocked(this: dgram.Socket, ...given: unknown[]) {
    const host = typeof given[1] === 'string' ? given[1] : '127.0.0.1'
    if (!isLocalHost(host)) throw unreachable(host)
    connectTo.apply(this, given)
  }
  dgram.Socket.prototype.send = function blocked(this: dgram.Socket, ...given: unknown[]) {
    // The address is the last string argument: `msg` may be a string as well, and comes first.
    const host = given.slice(1).find((one) => typeof one === 'string')
    if (typeof host === 'string' && !isLocalHost(host)) throw unreachable(host)
    sendTo.apply(this, given)
  }
}
