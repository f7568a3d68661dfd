/**
 * Protects an appliance on localhost or in a LAN from web pages of other sites: DNS rebinding is recognised by the Host
 * header, requests from another site by Origin.
 */
import { isIP } from 'node:net'

export interface HostRules {
  /** Address that we listen on. */
  readonly listen: string
  /** Further accepted names: CUTROOM_ALLOWED_HOSTS and the host of CUTROOM_PUBLIC_URL. */
  readonly allowed: readonly string[]
  readonly publicUrl: string | null
}

const WILDCARDS = new Set(['0.0.0.0', '::', ''])

/** The name in a Host header, without port and brackets, in lower case; null when it is malformed. */
export function hostName(host: string): string | null {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::\d{1,5})?$/.exec(host)
  const name = match?.[1] ?? match?.[2]
  return name === undefined ? null : name.toLowerCase().replace(/\.$/, '')
}

function isLoopback(name: string): boolean {
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    (isIP(name) === 4 && name.startsWith('127.'))
  )
}

/** Normalises an IPv6 address, however a setting spells it, to the form that `hostName` returns. */
const bare = (entry: string): string => entry.toLowerCase().replace(/^\[([^\]]*)\]$/, '$1')

/** Whether a Host header may reach us. An address cannot be rebound, so on a wildcard every address is accepted. */
export function isAllowedHost(host: string | undefined, rules: HostRules): boolean {
  const name = host === undefined ? null : hostName(host)
  if (host === undefined || name === null) return false
  if (isLoopback(name) || name === rules.listen.toLowerCase()) return true
  if (isIP(name) !== 0 && WILDCARDS.has(rules.listen)) return true
  const allowed = rules.allowed.some((entry) => [name, host.toLowerCase()].includes(bare(entry)))
  return allowed || (rules.publicUrl !== null && bare(new URL(rules.publicUrl).hostname) === name)
}

/** Whether a page of this origin may talk to us at all; no Origin header: not a page of another site. */
export function isAllowedOrigin(origin: string | undefined, rules: HostRules): boolean {
  if (origin === undefined) return true
  return URL.canParse(origin) && isAllowedHost(new URL(origin).host, rules)
}

/** Whether a page is our own: what a state change by session cookie needs. Browsers always send one of the two. */
export function isOwnOrigin(
  headers: { origin?: string | undefined; host?: string | undefined; 'sec-fetch-site'?: string | undefined },
  rules: HostRules,
): boolean {
  const { origin, host } = headers
  if (origin === undefined) return headers['sec-fetch-site'] === 'same-origin'
  if (rules.publicUrl !== null && origin === new URL(rules.publicUrl).origin) return true
  return URL.canParse(origin) && new URL(origin).host === host
}
