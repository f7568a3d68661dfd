/** A queue in Redis as the appliance sees it: tasks are added, joined, withdrawn and followed. */
import type { Queue, QueueEvents } from 'bullmq'
import type { Logger } from '../../log.ts'
import { cancelKey, nodeKey, type RemoteEnd, type RemoteProgress, type RemoteTask } from './protocol.ts'
import type { RedisConnection } from './redis.ts'
import type { NodeReport } from '../jobs.ts'
import type { StageVerdict } from '../attempt-stage.ts'

export interface Channel {
  readonly name: string
  readonly queue: Queue<RemoteTask, RemoteEnd>
  readonly events: QueueEvents
  /** The lock under which a node holds this task; null: none does. */
  lockOf(key: string): Promise<string | null>
  /** By content key. */
  readonly followers: Map<
    string,
    { readonly look: () => void; readonly progress: (progress: RemoteProgress) => void }
  >
}

/** Finished tasks stay in Redis this long, for inspection; their results are artefacts. */
const KEEP_SECONDS = 600

export async function openChannel(name: string, connection: RedisConnection, log: Logger): Promise<Channel> {
  const { Queue, QueueEvents } = await import('bullmq')
  const queue = new Queue<RemoteTask, RemoteEnd>(name, { connection: connection.client })
  const events = new QueueEvents(name, { connection: connection.another() })
  const complain = (error: Error): void => log.debug('the queue reports an error', { error })
  queue.on('error', complain)
  events.on('error', complain)
  const followers: Channel['followers'] = new Map()
  const look = ({ jobId }: { jobId: string }): void => followers.get(jobId)?.look()
  for (const event of ['active', 'completed', 'failed', 'stalled', 'removed'] as const) events.on(event, look)
  events.on('progress', ({ jobId, data }) =>
    followers.get(jobId)?.progress(data as unknown as RemoteProgress),
  )
  const lockOf = (key: string): Promise<string | null> => connection.client.get(lockKey(queue, key))
  return { name, queue, events, followers, lockOf }
}

const lockKey = (queue: Queue, key: string): string => `${queue.toKey(key)}:lock`

/** Queues it, or joins what is queued under this key already. Waits for as long as Redis is away. */
export async function enqueue(
  channel: Channel,
  { client }: RedisConnection,
  task: RemoteTask,
  place: { readonly base: string; readonly priority: number },
): Promise<void> {
  const { key, stage } = task
  await client.del(cancelKey(place.base, key))
  const before = await channel.queue.getJob(key)
  if (before !== undefined && ['completed', 'failed'].includes(await before.getState())) await before.remove()
  const retention = { age: KEEP_SECONDS }
  await channel.queue.add(stage, task, {
    jobId: key,
    priority: place.priority,
    attempts: 1,
    removeOnComplete: retention,
    removeOnFail: retention,
  })
}

/** Withdraws a task that has not begun; cancels one that has. */
export async function withdraw(
  channel: Channel,
  { client }: RedisConnection,
  key: string,
  base: string,
): Promise<void> {
  await client.set(cancelKey(base, key), '1', 'EX', 3600)
  const job = await channel.queue.getJob(key)
  // A node that has the task, or begins it now, sees the cancel.
  if (job !== undefined && (await job.getState()) !== 'active') await job.remove()
}

/** Takes the task from the node that holds it; later reports of that node are ignored. */
export async function takeAway(
  channel: Channel,
  { client }: RedisConnection,
  key: string,
  base: string,
): Promise<void> {
  await client.set(cancelKey(base, key), '1', 'EX', 3600)
  await client.del(lockKey(channel.queue, key))
  await (await channel.queue.getJob(key))?.remove()
}

/** What a node says of itself in the queue. */
export interface QueueNode extends NodeReport {
  readonly name: string
  /** That it takes from. */
  readonly queues: readonly string[]
}

/** What the nodes say of themselves that were seen lately. */
export async function listNodes({ client }: RedisConnection, base: string): Promise<QueueNode[]> {
  const nodes: string[] = []
  for (let cursor = '0'; ;) {
    const [next, found] = await client.scan(cursor, 'MATCH', nodeKey(base, '*'), 'COUNT', 500)
    nodes.push(...found)
    cursor = next
    if (cursor === '0') break
  }
  const reports = nodes.length === 0 ? [] : await client.mget(nodes)
  return reports.flatMap((text) => (text === null ? [] : [JSON.parse(text) as QueueNode]))
}

/** Whether some node that was seen lately takes from this queue; `cut-off`: only such that cannot reach the store. */
export async function serviceOf(
  connection: RedisConnection,
  base: string,
  name: string,
): Promise<'served' | 'cut-off' | 'none'> {
  const nodes = (await listNodes(connection, base)).filter(({ queues }) => queues.includes(name))
  if (nodes.length === 0) return 'none'
  return nodes.every(({ storeThere }) => storeThere === false) ? 'cut-off' : 'served'
}

/** How it ended, or why it is followed no more. */
export type Ended =
  | { readonly kind: 'ended'; readonly end: RemoteEnd }
  | { readonly kind: 'broken'; readonly reason: string }
  /** Not in the queue: removed by a person, or lost by Redis. */
  | { readonly kind: 'gone' }
  /** One node has held it for longer than it may. */
  | { readonly kind: 'overdue' }
  /** The caller has a verdict of its own. */
  | { readonly kind: 'instead'; readonly verdict: StageVerdict }
  | { readonly kind: 'aborted' }

export interface Following {
  readonly key: string
  readonly signal: AbortSignal
  readonly onProgress: (fraction: number, note: string) => void
  readonly onCheckpoint?: (position: number) => void
  /** Called for each start on a node; a verdict ends the following. */
  readonly begin: () => StageVerdict | null
  /** Called while no node works on the task. */
  readonly onIdle: () => Promise<void>
  /** How often the task is polled in addition to events from Redis. */
  readonly lookEveryMs: number
  readonly longestHoldMs: number
}

/** One look; `seen`: how many starts were counted before, and when the last of them was. */
async function look(
  { queue }: Channel,
  following: Following,
  seen: { starts: number; at: number },
): Promise<Ended | null> {
  // In this order: a task that ends between the two is over at the next look, and never one that is over without its end.
  const state = await queue.getJobState(following.key)
  const job = await queue.getJob(following.key)
  if (job === undefined) return { kind: 'gone' }
  const over = state === 'completed' || state === 'failed'
  if (!over && state !== 'active') {
    await following.onIdle()
    return null
  }
  // One that was over before it was seen to run has been begun all the same.
  if (over ? seen.starts === 0 : job.attemptsStarted > seen.starts) {
    Object.assign(seen, { starts: Math.max(1, job.attemptsStarted), at: performance.now() })
    const verdict = following.begin()
    if (verdict !== null) return { kind: 'instead', verdict }
  }
  if (state === 'completed') return { kind: 'ended', end: job.returnvalue }
  if (!over && performance.now() - seen.at > following.longestHoldMs) return { kind: 'overdue' }
  return state === 'failed' ? { kind: 'broken', reason: job.failedReason } : null
}

/** Resolves when the task has ended or left the queue, or when the signal aborts. */
export function follow(channel: Channel, following: Following): Promise<Ended> {
  const { key, signal, onProgress, onCheckpoint, lookEveryMs } = following
  const seen = { starts: 0, at: performance.now() }
  return new Promise((resolve, reject) => {
    let over = false
    let looking = Promise.resolve()
    const close = (): void => {
      over = true
      clearInterval(timer)
      signal.removeEventListener('abort', onAbort)
      channel.followers.delete(key)
    }
    const end = (ended: Ended | null): void => {
      if (ended === null || over) return
      close()
      resolve(ended)
    }
    const onAbort = (): void => end({ kind: 'aborted' })
    const lookSoon = (): void => {
      // One after the other, so that a start is counted once.
      looking = looking
        .then(() => (over ? null : look(channel, following, seen)))
        .then(end, (error: unknown) => {
          if (over) return
          close()
          reject(error instanceof Error ? error : new Error(String(error)))
        })
    }
    const timer = setInterval(lookSoon, lookEveryMs)
    signal.addEventListener('abort', onAbort, { once: true })
    channel.followers.set(key, {
      look: lookSoon,
      progress: ({ fraction, note, checkpoint }) => {
        onProgress(fraction, note)
        if (checkpoint !== undefined) onCheckpoint?.(checkpoint)
      },
    })
    if (signal.aborted) onAbort()
    else lookSoon()
  })
}
