/**
 * The lease of the appliance in charge, in Redis: where it ran out, a standby takes over. Whether the former one may still
 * write is not decided here but in the store (domain/standby/place.ts): Redis may lose what it knows.
 */
import { createHash } from 'node:crypto'
import type { Config } from '../config/config.ts'
import type { Logger } from '../log.ts'
import { requireReachable } from '../reachable.ts'
import { connectRedis, type RedisConnection } from './remote/redis.ts'

const LEASE_MS = 10_000
const RENEW_MS = 2000

interface Lease {
  readonly epoch: number
  /** It was stopped in good order, and is not gone. */
  readonly stopped: boolean
}

type LeaseConfig = Pick<Config, 'redisUrl' | 'store' | 'network'>

/** One for the place that both appliances use. */
const keyOf = ({ store }: LeaseConfig): string =>
  `cutroom:standby:${createHash('sha256')
    .update(store ?? '')
    .digest('hex')
    .slice(0, 16)}`

/** Never in place of that of a later epoch. */
const TAKE = `
local held = redis.call('get', KEYS[1])
if held and cjson.decode(held).epoch > tonumber(ARGV[1]) then return 0 end
if tonumber(ARGV[3]) > 0 then redis.call('set', KEYS[1], ARGV[2], 'px', ARGV[3])
else redis.call('set', KEYS[1], ARGV[2]) end
return 1`

async function connect(config: LeaseConfig, log: Logger): Promise<RedisConnection | null> {
  if (config.redisUrl === null) return null
  requireReachable(config, 'Redis', config.redisUrl)
  return connectRedis(config.redisUrl, log)
}

/** Holds the lease until it is stopped. Without a Redis nothing is held. */
export function holdStandbyLease(
  config: LeaseConfig,
  epoch: number,
  log: Logger,
): { readonly stop: (inGoodOrder: boolean) => Promise<void> } {
  let connection: RedisConnection | null = null
  const take = async (stopped: boolean): Promise<void> => {
    if (connection?.isThere() !== true) return
    const lease: Lease = { epoch, stopped }
    const time = String(stopped ? 0 : LEASE_MS)
    await connection.client.eval(TAKE, 1, keyOf(config), String(epoch), JSON.stringify(lease), time)
  }
  const renew = (): void =>
    void take(false).catch((error: unknown) => log.warn('the lease could not be renewed', { error }))
  const begun = connect(config, log)
    .then(async (made) => {
      connection = made
      await made?.tried
      renew()
    })
    .catch((error: unknown) => log.error('there is no lease for the standby', { error }))
  const timer = setInterval(renew, RENEW_MS)
  return {
    stop: async (inGoodOrder) => {
      clearInterval(timer)
      await begun
      if (inGoodOrder) await take(true).catch((error: unknown) => log.debug('the lease stays', { error }))
      connection?.close()
    },
  }
}

export interface LeaseWatch {
  /** `held`: by the appliance in charge, or it was stopped in good order. `unknown`: Redis does not answer, or not for long. */
  readonly look: () => Promise<'held' | 'stopped' | 'gone' | 'unknown'>
  readonly close: () => void
}

/** Null: there is no Redis, and a person has to say when to take over. */
export async function watchStandbyLease(config: LeaseConfig, log: Logger): Promise<LeaseWatch | null> {
  const connection = await connect(config, log)
  if (connection === null) return null
  await connection.tried
  // A Redis that was started anew knows nothing until the appliance in charge comes by.
  let goneSince: number | null = null
  connection.client.on('close', () => {
    goneSince = null
  })
  return {
    look: async () => {
      if (!connection.isThere()) return 'unknown'
      const held = await connection.client.get(keyOf(config))
      if (held !== null) {
        goneSince = null
        return (JSON.parse(held) as Lease).stopped ? 'stopped' : 'held'
      }
      goneSince ??= performance.now()
      return performance.now() - goneSince > RENEW_MS * 2 ? 'gone' : 'unknown'
    },
    close: () => connection.close(),
  }
}
