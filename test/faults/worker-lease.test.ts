/** A task leased by a node, with a real Redis: released, lost, cancelled, lost too often; its end is reported once. */
import { Queue } from 'bullmq'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectRedis, type RedisConnection } from '../../server/jobs/remote/redis.ts'
import {
  enqueue,
  openChannel,
  serviceOf,
  takeAway,
  withdraw,
  type Channel,
  follow,
} from '../../server/jobs/remote/channel.ts'
import {
  LOST_TOO_OFTEN,
  MAX_LOST,
  nodeKey,
  type RemoteEnd,
  type RemoteTask,
} from '../../server/jobs/remote/protocol.ts'
import { createLogger } from '../../server/log.ts'
import { holdLease } from '../../server/worker-node/hold.ts'
import { openNodeQueue, type NodeQueue, type TaskJob } from '../../server/worker-node/queues.ts'
import { findRedis, makeRedis, whyNoRedis, type TestRedis } from '../support/redis.ts'

const program = findRedis()
if (program === null) console.log(whyNoRedis)

const log = createLogger('error')
const BASE = 'cutroom-test'
let redis: TestRedis
let connection: RedisConnection
let channel: Channel
let node: NodeQueue
let key: string
let keys = 0

beforeAll(async () => {
  if (program === null) return
  redis = await makeRedis(program)
  await redis.start()
  connection = await connectRedis(redis.url, log)
  channel = await openChannel(`${BASE}-cpu`, connection, log)
  node = await openNodeQueue(`${BASE}-cpu`, 'cpu', connection, log)
})
afterAll(async () => {
  if (program === null) return
  await Promise.allSettled([node.close(), channel.queue.close(), channel.events.close()])
  connection.close()
  await redis.remove()
})
beforeEach(() => {
  key = String(++keys).padStart(64, '0')
})

const task = (): RemoteTask => ({
  stage: 'peaks',
  version: 1,
  key,
  params: {},
  inputs: {},
  models: {},
  sources: [],
})
const queueIt = () => enqueue(channel, connection, task(), { base: BASE, priority: 2 })
const take = async (token: string): Promise<TaskJob> => {
  const job = await node.take(token)
  if (job === null) throw new Error('there is nothing to take')
  return job
}
const stateOf = async (): Promise<string> => (await channel.queue.getJob(key))?.getState() ?? 'none'
let refused = 0
const holding = (job: TaskJob, token: string) => ({
  job,
  token,
  base: BASE,
  connection,
  log,
  onRefused: () => void refused++,
})
const never = new AbortController().signal
/** Work that ends when it is aborted. */
const untilAborted =
  (seen: unknown[] = []) =>
  ({ signal }: { signal: AbortSignal }): Promise<RemoteEnd> =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => {
        seen.push(signal.reason)
        reject(new Error('stopped'))
      }),
    )
const watch = (starts: { count: number }, signal = never, longestHoldMs = 60_000) =>
  follow(channel, {
    longestHoldMs,
    key,
    signal,
    onProgress: () => undefined,
    onIdle: () => Promise.resolve(),
    lookEveryMs: 200,
    begin: () => {
      starts.count++
      return null
    },
  })

describe.skipIf(program === null)('a task leased by a node', () => {
  it('is queued once, however often it is requested, and its end is reported to all who wait for it', async () => {
    await Promise.all([queueIt(), queueIt(), queueIt()])
    const starts = { count: 0 }
    const followed = watch(starts)
    const job = await take('a')
    expect(await node.take('b')).toBeNull()
    await queueIt()
    expect(await stateOf()).toBe('active')
    await holdLease(holding(job, 'a'), never, () => Promise.resolve({ ok: true }))
    expect(await followed).toEqual({ kind: 'ended', end: { ok: true } })
    expect(starts.count).toBe(1)
    // Requested again after its end, it is done again.
    await queueIt()
    expect(await stateOf()).toBe('prioritized')
    await holdLease(holding(await take('c'), 'c'), never, () => Promise.resolve({ ok: true }))
  })

  it('is released when the node stops, for another one at once', async () => {
    await queueIt()
    const stop = new AbortController()
    const held = holdLease(holding(await take('a'), 'a'), stop.signal, untilAborted())
    stop.abort('stop')
    await held
    const again = await take('b')
    expect(again.id).toBe(key)
    await holdLease(holding(again, 'b'), never, () => Promise.resolve({ ok: true }))
    expect(await stateOf()).toBe('completed')
  })

  it('is released when the appliance no longer accepts the node', async () => {
    const { AppError } = await import('../../server/contract/errors.ts')
    await queueIt()
    const before = refused
    await holdLease(holding(await take('a'), 'a'), never, () =>
      Promise.reject(new AppError('UNAUTHENTICATED')),
    )
    expect(refused).toBe(before + 1)
    await holdLease(holding(await take('b'), 'b'), never, () => Promise.resolve({ ok: true }))
  })

  it('that another node has leased by now is dropped silently', async () => {
    await queueIt()
    const seen: unknown[] = []
    const first = holdLease(holding(await take('a'), 'a'), never, untilAborted(seen))
    // As if this node had slept: its lock is gone, and the check for stalled tasks finds the task.
    await connection.client.del(`bull:${BASE}-cpu:${key}:lock`)
    await first
    expect(seen).toEqual(['lost'])
    let job: TaskJob | null = null
    while (job === null) job = await node.take('b')
    expect(job.stalledCounter).toBe(1)
    await holdLease(holding(job, 'b'), never, () => Promise.resolve({ ok: true }))
    expect(await stateOf()).toBe('completed')
  })

  it('is stopped by a cancel, which is reported as such; a new request is not cancelled', async () => {
    await queueIt()
    const seen: unknown[] = []
    const held = holdLease(holding(await take('a'), 'a'), never, untilAborted(seen))
    await withdraw(channel, connection, key, BASE)
    await held
    expect(seen).toEqual(['cancel'])
    const job = await channel.queue.getJob(key)
    expect(job?.returnvalue).toMatchObject({ ok: false, failure: { code: 'CANCELLED' } })
    await queueIt()
    await holdLease(holding(await take('b'), 'b'), never, () => Promise.resolve({ ok: true }))
    // A task that no node has begun is simply removed.
    key = 'f'.repeat(64)
    await queueIt()
    await withdraw(channel, connection, key, BASE)
    expect(await node.take('c')).toBeNull()
    const gone = await watch({ count: 0 })
    expect(gone).toEqual({ kind: 'gone' })
  })

  it('that was lost with its nodes too often is given up, and a defect of a node is reported', async () => {
    await queueIt()
    const worn = Object.assign(await take('a'), { stalledCounter: MAX_LOST + 1 })
    let worked = false
    await holdLease(holding(worn, 'a'), never, () => {
      worked = true
      return Promise.resolve({ ok: true })
    })
    expect([worked, await stateOf()]).toEqual([false, 'failed'])
    expect(await watch({ count: 0 })).toEqual({ kind: 'broken', reason: LOST_TOO_OFTEN })
    await queueIt()
    await holdLease(holding(await take('b'), 'b'), never, () => Promise.reject(new Error('no such tool')))
    expect(await watch({ count: 0 })).toEqual({ kind: 'broken', reason: 'no such tool' })
  })

  it('that a node holds too long is taken away, and later results of that node are ignored', async () => {
    await queueIt()
    const job = await take('a')
    expect(await channel.lockOf(key)).toBe('a')
    expect(await watch({ count: 0 }, never, 0)).toEqual({ kind: 'overdue' })
    await takeAway(channel, connection, key, BASE)
    expect([await stateOf(), await channel.lockOf(key)]).toEqual(['none', null])
    await expect(job.moveToCompleted({ ok: true }, 'a', false)).rejects.toThrow()
    await queueIt()
    await holdLease(holding(await take('b'), 'b'), never, () => Promise.resolve({ ok: true }))
    expect(await stateOf()).toBe('completed')
  })

  it('is released by the node itself when it is held too long', async () => {
    await queueIt()
    const seen: unknown[] = []
    await holdLease({ ...holding(await take('a'), 'a'), longestHoldMs: 0 }, never, untilAborted(seen))
    expect(seen).toEqual(['lost'])
    await takeAway(channel, connection, key, BASE)
  })

  it('knows whether any node takes from a queue', async () => {
    const seen = () => serviceOf(connection, BASE, channel.name)
    const say = (name: string, storeThere: boolean) =>
      connection.client.set(
        nodeKey(BASE, name),
        JSON.stringify({ name, queues: [channel.name], storeThere }),
        'PX',
        60_000,
      )
    expect(await seen()).toBe('none')
    await say('n', false)
    expect(await seen()).toBe('cut-off')
    await say('m', true)
    expect(await seen()).toBe('served')
    expect(await serviceOf(connection, BASE, `${BASE}-gpu`)).toBe('none')
  })

  it('leaves nothing in the queue that is not waited for', async () => {
    const counts = await new Queue(channel.name, { connection: connection.client }).getJobCounts()
    expect([counts['active'], counts['waiting'], counts['prioritized']]).toEqual([0, 0, 0])
  })
})
