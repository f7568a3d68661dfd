/** Stages on worker nodes, by BullMQ. All state is in Redis and in artefacts: a restart finds its tasks. */
import { existsSync } from 'node:fs'
import { isErrorCode, type Failure, failureOf } from '../../contract/errors.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import type { Home } from '../../home.ts'
import type { Logger } from '../../log.ts'
import { readResult, sourcePath } from '../../../workers/artefacts.ts'
import type { StageTask } from '../../../workers/protocol.ts'
import { STAGES, type StageName } from '../../../workers/stages/catalog.ts'
import type { Backlog, WorkerNodes } from '../jobs.ts'
import { whenAborted, type StageRequest, type StageVerdict } from '../attempt-stage.ts'
import {
  enqueue,
  listNodes,
  openChannel,
  serviceOf,
  takeAway,
  withdraw,
  type Channel,
  follow,
  type Ended,
} from './channel.ts'
import { createHolds, type Holds } from './holds.ts'
import {
  isRemote,
  LABELS,
  MAX_HOLD_MS,
  LOST_TOO_OFTEN,
  placeOf,
  queueName,
  redisBase,
  toRemoteTask,
  type PlaceKind,
  type RemoteTask,
} from './protocol.ts'
import { connectRedis, type RedisConnection } from './redis.ts'

export type RemoteExecutor = ReturnType<typeof createRemoteExecutor>

export interface ExecutorOptions {
  readonly redisUrl: string
  readonly applianceId: string
  readonly home: Pick<Home, 'artefacts' | 'sources'>
  readonly log: Logger
  readonly lookEveryMs?: number
  /** Shorter waits are not reported. */
  readonly sayAfterMs?: number
  /** How long one node may hold a task. */
  readonly longestHoldMs?: number
}

interface Remote extends Required<ExecutorOptions> {
  readonly base: string
  readonly redis: () => Promise<RedisConnection>
  readonly channels: Map<string, Promise<Channel>>
  /** Tasks of each company that are in the queue or beyond. */
  readonly going: Map<string, number>
  readonly holds: Holds
  /** By content key: tasks that are out and that no node has. */
  readonly waiting: Map<string, { readonly label: PlaceKind; readonly since: number }>
}

export function createRemoteExecutor(options: ExecutorOptions) {
  let connecting: Promise<RedisConnection> | null = null
  let connected: RedisConnection | null = null
  const connect = async (): Promise<RedisConnection> =>
    (connected = await connectRedis(options.redisUrl, options.log))
  const holds = createHolds({
    lockOf: async ({ key }, name) => (await channelOf(remote, name)).lockOf(key),
    isThere: () => connected?.isThere() === true,
  })
  const remote: Remote = {
    lookEveryMs: 2000,
    sayAfterMs: 4000,
    longestHoldMs: MAX_HOLD_MS,
    ...options,
    base: redisBase(options.applianceId),
    holds,
    redis: () => (connecting ??= connect()),
    channels: new Map(),
    going: new Map(),
    waiting: new Map(),
  }
  return {
    /** Whether a stage is done by a node. */
    takes: ({ stage, lane }: Pick<StageRequest['invocation'], 'stage' | 'lane'>) => isRemote(stage, lane),
    /** What nodes hold. */
    nodes: {
      ...holds,
      reports: async () => {
        // People may look before there was any work to connect for.
        const connection = await remote.redis()
        await connection.tried
        return connection.isThere() ? listNodes(connection, remote.base) : null
      },
      backlog: () => backlogOf(remote),
    } satisfies WorkerNodes,
    /** Runs the task on some node that has these models: task of a model to fingerprint. */
    run: async (
      task: StageTask,
      request: StageRequest,
      models: Readonly<Record<string, string>>,
    ): Promise<StageVerdict> => {
      const { going, base, home } = remote
      const { companyId } = request
      going.set(companyId, (going.get(companyId) ?? 0) + 1)
      try {
        const name = queueName(base, placeOf(task.stage), models)
        const stored = (digest: string): boolean => existsSync(sourcePath(home.sources, digest))
        const { traceparent } = request
        const remoteTask = { ...toRemoteTask(task, models, stored), ...omitUndefined({ traceparent }) }
        return await throughQueue(remote, remoteTask, request, name)
      } finally {
        going.set(companyId, (going.get(companyId) ?? 1) - 1)
      }
    },
    stop: async (): Promise<void> => {
      if (connecting === null) return
      const connection = await connecting
      const open = await Promise.all(remote.channels.values())
      if (connection.isThere())
        await Promise.allSettled(open.flatMap(({ queue, events }) => [queue.close(), events.close()]))
      connection.close()
    },
  }
}

function backlogOf({ waiting }: Remote): Backlog[] {
  return LABELS.map((label) => {
    const since = [...waiting.values()].filter((one) => one.label === label).map((one) => one.since)
    const oldestMs = since.length === 0 ? 0 : performance.now() - Math.min(...since)
    return { label, waiting: since.length, oldestMs }
  })
}

async function channelOf(remote: Remote, name: string): Promise<Channel> {
  const connection = await remote.redis()
  const known = remote.channels.get(name) ?? openChannel(name, connection, remote.log)
  remote.channels.set(name, known)
  return known
}

async function throughQueue(
  remote: Remote,
  task: RemoteTask,
  request: StageRequest,
  name: string,
): Promise<StageVerdict> {
  const { signal, onProgress, onCheckpoint } = request
  const { lookEveryMs, longestHoldMs, waiting } = remote
  const begin = (): StageVerdict | null => {
    waiting.delete(task.key)
    return request.begin()
  }
  const channel = await channelOf(remote, name)
  const notice = waitingNotice(remote, task.stage, name, request)
  const watch = setInterval(() => void notice.ifAway(), lookEveryMs)
  const takeBack = remote.holds.offer(task, name)
  try {
    for (;;) {
      waiting.set(task.key, { label: placeOf(task.stage), since: performance.now() })
      await queueTask(remote, channel, task, request)
      if (signal.aborted) return { kind: 'stopped' }
      const { onIdle } = notice
      const listeners = { begin, onProgress, onIdle, ...omitUndefined({ onCheckpoint }) }
      const about = { key: task.key, signal, ...listeners, lookEveryMs, longestHoldMs }
      const ended = await follow(channel, about)
      await letGo(remote, channel, task.key, ended, signal)
      const verdict = await verdictOf(remote, task, ended)
      if (verdict !== null) return verdict
    }
  } finally {
    takeBack()
    waiting.delete(task.key)
    clearInterval(watch)
  }
}

/** Resolves when the task is queued, however long Redis is unreachable, or when it is no longer wanted. */
async function queueTask(
  remote: Remote,
  channel: Channel,
  task: RemoteTask,
  { signal, urgent, companyId }: StageRequest,
): Promise<void> {
  const { base, going, log } = remote
  // Urgent tasks first, then the company with the least running.
  const priority = urgent ? 1 : 2 + Math.min(1000, going.get(companyId) ?? 0)
  const connection = await remote.redis()
  const queued = enqueue(channel, connection, task, { base, priority })
  queued.catch((error: unknown) => {
    if (signal.aborted) log.debug('a task that nobody wants any more was not queued', { error })
  })
  await Promise.race([queued, whenAborted(signal)])
}

/** Adds a warning to the run when its stage waits long for a node. */
function waitingNotice(remote: Remote, stage: StageName, name: string, request: StageRequest) {
  const { log, sayAfterMs, base } = remote
  const { label } = STAGES[stage]
  let since: number | null = null
  let reported = false
  const isLong = (): boolean => performance.now() - (since ??= performance.now()) >= sayAfterMs
  return {
    ifAway: async (): Promise<void> => {
      const connection = await remote.redis()
      if (!connection.isThere() && isLong())
        request.onWaiting?.(`"${label}" waited: the queue of the worker nodes was away.`)
    },
    onIdle: async (): Promise<void> => {
      if (reported || !isLong()) return
      const service = await serviceOf(await remote.redis(), base, name)
      if (service === 'served') return
      reported = true
      const why =
        service === 'none'
          ? 'no worker node was there that can do it'
          : 'no worker node could reach the store'
      request.onWaiting?.(`"${label}" waited: ${why}.`)
      const code = service === 'none' ? {} : { code: 'STORE_UNAVAILABLE' }
      log.warn('no worker node takes this', { stage, queue: name, ...code })
    },
  }
}

/** An appliance that stops leaves its tasks to the nodes, and finds what they made when it is back. */
async function letGo(
  remote: Remote,
  channel: Channel,
  key: string,
  ended: Ended,
  signal: AbortSignal,
): Promise<void> {
  if (ended.kind === 'overdue') {
    remote.log.warn('a task was taken away from a node that held it too long', { content: key })
    const away = takeAway(channel, await remote.redis(), key, remote.base)
    return Promise.race([away, whenAborted(signal)])
  }
  const stays = signal.reason === 'stop' || signal.reason === 'lost'
  if (ended.kind !== 'instead' && (ended.kind !== 'aborted' || stays)) return
  const taken = withdraw(channel, await remote.redis(), key, remote.base)
  taken.catch((error: unknown) => remote.log.debug('a task could not be withdrawn', { content: key, error }))
}

async function finished({ home }: Remote, { stage, key }: RemoteTask): Promise<StageVerdict | null> {
  const found = await readResult(home.artefacts, { stage, version: STAGES[stage].version, key })
  if (found === null) return null
  const { output, warnings, milliseconds } = found
  return { kind: 'finished', output, warnings, milliseconds, reused: false }
}

/** Null: it is to be queued again. */
async function verdictOf(remote: Remote, task: RemoteTask, ended: Ended): Promise<StageVerdict | null> {
  switch (ended.kind) {
    case 'instead':
      return ended.verdict
    case 'aborted':
      return { kind: 'stopped' }
    case 'overdue':
      return failed({ code: 'STAGE_FAILED', message: 'A worker node held it for too long.' }, true)
    case 'gone':
      return finished(remote, task)
    case 'broken':
      return ended.reason === LOST_TOO_OFTEN
        ? failed(failureOf('INTERRUPTED'), false)
        : failed({ code: 'STAGE_FAILED', message: `A worker node failed: ${ended.reason}` }, true)
    case 'ended':
      if (ended.end.ok) return (await finished(remote, task)) ?? { kind: 'engine-died' }
      // The cancel was for an earlier request.
      return ended.end.failure.code === 'CANCELLED' ? null : failed(ended.end.failure, ended.end.retryable)
  }
}

function failed(failure: Failure, retryable: boolean): StageVerdict {
  const code = isErrorCode(failure.code) ? failure.code : 'STAGE_FAILED'
  return { kind: 'failed', failure: { ...failure, code }, retryable }
}
