/** What the appliance may connect to, by its settings: the one place that decides it, for every outbound path. */
import type { Config } from './config/config.ts'
import { AppError } from './contract/errors.ts'

/** `any`: private addresses too; `public`: none of those; `loopback`: this machine, and no name is looked up. */
export type Reach = 'any' | 'public' | 'loopback'

/** For what a run, a clip or a person names: files, streams, webhooks. */
export const reachable = ({ network, sources }: Pick<Config, 'network' | 'sources'>): Reach =>
  network === 'off' ? 'loopback' : sources

/** For what the administrator names: it may be anywhere, but with the network off only on this machine. */
export const reachableByAdministrator = ({ network }: Pick<Config, 'network'>): 'any' | 'loopback' =>
  network === 'off' ? 'loopback' : 'any'

/** Whether the host of an address is this machine, decided without DNS. */
export function isThisMachine(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '')
  return /^(?:[a-z0-9-]+\.)*localhost$/.test(name) || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name)
}

/** Throws INVALID_CONFIGURATION when a needed service is on another machine and the network is off. */
export function requireReachable({ network }: Pick<Config, 'network'>, what: string, url: string): void {
  if (network === 'on' || isThisMachine(new URL(url).hostname)) return
  throw new AppError(
    'INVALID_CONFIGURATION',
    `${what} at ${new URL(url).host} is not on this machine, and the network is off (CUTROOM_NETWORK).`,
  )
}
