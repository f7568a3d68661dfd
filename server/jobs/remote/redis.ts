/** The connection to Redis. Loaded only where it is configured; an appliance with a SQLite queue does not need it. */
import type { Redis } from 'ioredis'
import type { Logger } from '../../log.ts'

export interface RedisConnection {
  readonly client: Redis
  /** Whether Redis answers now. Commands sent while it does not are queued. */
  isThere(): boolean
  /** The first attempt to connect has come to something, or takes longer than anybody should wait. */
  readonly tried: Promise<void>
  /** Another connection of the same kind: blocking reads take one for themselves. */
  another(): Redis
  close(): void
}

const FIRST_TRY_MS = 2000

/** The address for people and logs, without what is secret. */
function describeRedis(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}

/** Never fails: commands wait until Redis is reachable. Disconnects and reconnects are logged. */
export async function connectRedis(url: string, log: Logger): Promise<RedisConnection> {
  const { Redis } = await import('ioredis')
  const made: Redis[] = []
  const connect = (): Redis => {
    const client = new Redis(url, {
      // Callers wait for as long as it takes, as BullMQ requires.
      maxRetriesPerRequest: null,
      enableReadyCheck: true,
      retryStrategy: (times) => Math.min(250 * 2 ** Math.min(times, 4), 3000),
    })
    made.push(client)
    return client
  }
  const address = describeRedis(url)
  const client = connect()
  const tried = new Promise<void>((resolve) => {
    for (const event of ['ready', 'error', 'close']) client.once(event, () => resolve())
    setTimeout(resolve, FIRST_TRY_MS).unref()
  })
  let away = false
  client.on('ready', () => {
    log[away ? 'warn' : 'info'](away ? 'the queue is there again' : 'the queue is there', { redis: address })
    away = false
  })
  const gone = (reason: string): void => {
    if (!away) log.warn('the queue is away; work waits until it is back', { redis: address, reason })
    away = true
  }
  client.on('error', (error: Error) => gone(error.message))
  client.on('close', () => gone('the connection ended'))
  return {
    client,
    isThere: () => client.status === 'ready',
    tried,
    another: () => {
      const next = connect()
      // Only the first connection's state is reported.
      next.on('error', (error: Error) => log.debug('a connection to the queue failed', { error }))
      return next
    },
    close: () => {
      client.removeAllListeners('close')
      for (const one of made) one.disconnect()
    },
  }
}
