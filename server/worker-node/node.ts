/** A worker node: takes stages while it has places. Its home is only a store of what it fetched and made. */
import { randomUUID } from 'node:crypto'
import { availableParallelism, hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { mediaToolsLike } from '../adapters/media-tools.ts'
import type { Config } from '../config/config.ts'
import { stageVersions } from '../domain/worker-nodes/worker-nodes.ts'
import { openHome, type Home } from '../home.ts'
import { listInstalledModels } from '../../models/installed.ts'
import { runsModelsOnCard } from '../../models/machine.ts'
import { createEngineClient, entryPoints } from '../jobs/engine-client.ts'
import { acquireHomeLock } from '../jobs/home-lock.ts'
import { laneLimits } from '../domain/operations/lane-limits.ts'
import { threadsFor } from '../jobs/lanes.ts'
import { listNodes, type QueueNode } from '../jobs/remote/channel.ts'
import { LOCK_MS, redisBase, NODE_SEEN_MS, nodeKey, type PlaceKind } from '../jobs/remote/protocol.ts'
import { connectRedis, type RedisConnection } from '../jobs/remote/redis.ts'
import type { Logger } from '../log.ts'
import { requireReachable } from '../reachable.ts'
import { sweepAttemptsOf, sweepTemporary } from '../../workers/artefacts.ts'
import type { Tracer } from '../traces/tracer.ts'
import { connectAppliance } from './appliance.ts'
import { createNodeBucket } from './bucket.ts'
import { createNodeCache, inputNames } from './cache.ts'
import { type NodeParts, carryOut } from './carry-out.ts'
import { openNodeQueue, queuesOf, type NodeQueue } from './queues.ts'
import type { WorkerWelcome } from '../contract/tenant-api/worker.ts'
import { AppError } from '../contract/errors.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'
import { holdLease } from './hold.ts'
import { takesNow } from './takes-now.ts'
import { freeBytes } from '../../workers/media/disk.ts'

export interface NodeOptions {
  readonly config: Config
  readonly log: Logger
  readonly server: string
  readonly token: string
  /** Where Redis is from here; null: as the appliance reaches it. */
  readonly redisUrl: string | null
  /** Kinds of work that it takes. */
  readonly labels: readonly PlaceKind[]
}

export interface WorkerNode {
  readonly name: string
  /** Kinds of work that it takes. */
  readonly queues: readonly string[]
  /** Resolves when the appliance takes it no more: its token is of no use. */
  readonly refused: Promise<void>
  /** Takes no more, and resolves when what it holds has ended. */
  drain(): Promise<void>
  /** Gives back what it holds, ends the engine. */
  stop(): Promise<void>
}

/** Nothing is lost with a node: a Redis that is away when it stops is not waited for. */
const STOP_STEP_MS = 4000

/** Joins the appliance. Throws INVALID_CONFIGURATION when this machine would make other results, HOME_IN_USE. */
export async function startWorkerNode(options: NodeOptions): Promise<WorkerNode> {
  const { config, log } = options
  requireReachable(config, 'The appliance', options.server)
  const home = openHome(config.home)
  const lock = acquireHomeLock(home, Date.now())
  const appliance = connectAppliance(options)
  const undo: (() => void | Promise<void>)[] = [() => lock.release(), () => appliance.close()]
  const stopAll = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) {
      const done = new AbortController()
      const limit = pause(STOP_STEP_MS, undefined, { signal: done.signal }).catch(() => undefined)
      await Promise.race([step(), limit])
      done.abort()
    }
  }
  try {
    await sweepTemporary(home.temporary)
    const welcome = await appliance.welcome()
    const tools = await mediaToolsLike(config, welcome.toolsFingerprint)
    refuseIfOther(welcome, { stages: stageVersions(), toolsFingerprint: tools.fingerprint })
    const redisUrl = options.redisUrl ?? welcome.redisUrl
    requireReachable(config, 'Redis', redisUrl)
    await appliance.join()
    const connection = await connectRedis(redisUrl, log)
    undo.push(() => connection.close())
    const limits = laneLimits(availableParallelism())
    const engine = createEngineClient({
      entryPoints: entryPoints(),
      threads: threadsFor(limits),
      network: config.network,
      log,
      onGone: (pid) => sweepAttemptsOf(home.temporary, pid),
    })
    undo.push(() => engine.stop())
    const name = `${hostname()}-${randomUUID().slice(0, 8)}`
    const { modelFolders, resources, inference } = config
    const machine = { tools: tools.paths, modelFolders, resources, inference }
    const tracer = await tracerOf(config, name, log)
    if (tracer !== null) undo.push(() => tracer.close())
    const bucket = createNodeBucket({ network: config.network })
    const cache = createNodeCache({ home, log, limitBytes: config.workerCacheBytes })
    await cache.shrink()
    const parts: NodeParts = { name, appliance, bucket, cache, engine, home, log, machine, tracer }
    const base = redisBase(welcome.applianceId)
    const queues: NodeQueue[] = []
    for (const [queue, place] of await queuesOf(config, base))
      if (options.labels.includes(place)) queues.push(await openNodeQueue(queue, place, connection, log))
    undo.push(async () => {
      if (connection.isThere()) await Promise.allSettled(queues.map((queue) => queue.close()))
    })
    const places = { cpu: limits.cpu, render: limits.render, gpu: limits.gpu }
    const loop = startLoop({
      parts,
      base,
      connection,
      queues,
      models: (await listInstalledModels(modelFolders)).map((model) => model.name),
      places,
      minFreeBytes: config.minFreeBytes,
    })
    undo.push(() => loop.stop())
    return {
      name,
      queues: queues.map((queue) => queue.name),
      refused: loop.refused,
      drain: loop.drain,
      stop: stopAll,
    }
  } catch (error) {
    await stopAll()
    throw error
  }
}

/** Null: no collector is named, and nothing of traces is loaded. */
async function tracerOf(config: Config, instance: string, log: Logger): Promise<Tracer | null> {
  if (config.traces.endpoint === null) return null
  const { startTracer } = await import('../traces/tracer.ts')
  return startTracer(config, { service: 'cutroom-worker', instance }, log)
}

const refuse = (message: string): AppError => new AppError('INVALID_CONFIGURATION', { message })

/** Equal keys must mean equal results on every machine. Throws INVALID_CONFIGURATION that names what differs. */
export function refuseIfOther(
  appliance: Pick<WorkerWelcome, 'stages' | 'toolsFingerprint'>,
  here: Pick<WorkerWelcome, 'stages' | 'toolsFingerprint'>,
): void {
  const names = new Set([...Object.keys(appliance.stages), ...Object.keys(here.stages)])
  const other = [...names].find((stage) => appliance.stages[stage] !== here.stages[stage])
  if (other !== undefined)
    throw refuse(
      `This machine has another version of Cutroom than the appliance (they differ in "${other}"): install the same one.`,
    )
  if (appliance.toolsFingerprint !== here.toolsFingerprint)
    throw refuse(
      'This machine has another build of ffmpeg than the appliance, which would make other results: point CUTROOM_FFMPEG and CUTROOM_FFPROBE at the same build on both.',
    )
}

export interface LoopParts {
  readonly parts: NodeParts
  readonly base: string
  readonly connection: RedisConnection
  readonly queues: readonly NodeQueue[]
  /** Names of the installed models, for people. */
  readonly models: readonly string[]
  readonly places: Readonly<Record<PlaceKind, number>>
  readonly minFreeBytes: number
}

const IDLE_MS = 200
const SWEEP_EVERY_MS = 600_000
const DISK_EVERY_MS = 5000
const STORE_EVERY_MS = 1000

/** What is held now, by the place that it takes. */
interface WorkerSlots {
  readonly holding: Map<Promise<void>, PlaceKind>
  readonly stopping: AbortController
  taken: number
  /** It takes no more. */
  isDraining: boolean
  /** The task that was looked at last, and since when it is known. */
  next: { key: string; since: number }
}

/** Renders take their places among those of the processor. */
function hasPlace({ places }: LoopParts, { holding }: WorkerSlots, kind: PlaceKind): boolean {
  const count = (one: PlaceKind): number => [...holding.values()].filter((place) => place === one).length
  return count(kind) < places[kind] && (kind === 'gpu' || count('cpu') + count('render') < places.cpu)
}

/** Whether the next task of a queue is one for this node: others may have its inputs. */
async function suits(loop: LoopParts, slots: WorkerSlots, queue: NodeQueue): Promise<boolean> {
  const { parts, base, connection } = loop
  const next = await queue.peek()
  if (next === null) return false
  if (next.key !== slots.next.key) slots.next = { key: next.key, since: performance.now() }
  const waitedMs = performance.now() - slots.next.since
  const inputs = inputNames(next)
  const has = new Set(parts.cache.names())
  if (inputs.length === 0 || inputs.every((one) => has.has(one))) return true
  const nodes = await listNodes(connection, base)
  const others = nodes
    .filter(({ name }) => name !== parts.name)
    .map(({ slots: places, has: names }) => {
      const place = places?.[queue.place]
      return { isFree: place !== undefined && place.busy < place.all, has: new Set(names) }
    })
  return takesNow({ inputs, has, others, waitedMs })
}

async function takeFrom(loop: LoopParts, slots: WorkerSlots, queue: NodeQueue): Promise<boolean> {
  const { parts, base, connection } = loop
  const { log, name } = parts
  if (!(await suits(loop, slots, queue))) return false
  const token = `${name}:${++slots.taken}`
  const job = await queue.take(token)
  if (job === null) return false
  log.debug('took a task', { content: job.id, queue: queue.name, stage: job.data.stage })
  const onRefused = (): void => slots.stopping.abort('refused')
  const leaseParts = { job, token, base, connection, log, onRefused }
  const work = holdLease(leaseParts, slots.stopping.signal, (doing) =>
    carryOut(parts, { task: job.data, lock: token }, doing),
  )
  slots.holding.set(work, queue.place)
  void work.finally(() => slots.holding.delete(work))
  return true
}

/** Each look begins with another queue, so that none waits for the others to be empty. */
async function pollQueues(loop: LoopParts, slots: WorkerSlots, turn: number): Promise<boolean> {
  const { queues, connection, parts } = loop
  let took = false
  for (const index of queues.keys()) {
    const queue = queues[(index + turn) % queues.length]
    const may =
      queue !== undefined && !slots.stopping.signal.aborted && !slots.isDraining && connection.isThere()
    if (!may || !hasPlace(loop, slots, queue.place)) continue
    try {
      took = (await takeFrom(loop, slots, queue)) || took
    } catch (error) {
      parts.log.warn('the queue could not be read', { queue: queue.name, error })
    }
  }
  return took
}

/** Lets go of what is old, and of all that is not in use where the disk is full; false when the disk has no space for work. */
function storeKeeper({ parts, minFreeBytes }: LoopParts): () => Promise<boolean> {
  let sweptAt = performance.now()
  let lookedAt = -Infinity
  let roomy = true
  return async () => {
    const now = performance.now()
    if (now - lookedAt < DISK_EVERY_MS) return roomy
    lookedAt = now
    roomy = await hasRoomOnDisk(parts.home, minFreeBytes)
    if (roomy && now - sweptAt < SWEEP_EVERY_MS) return roomy
    sweptAt = now
    const removed = await parts.cache.sweep(roomy ? Date.now() - STORE_AGE_MS : Date.now())
    if (removed > 0) parts.log.info('let go of what was fetched and made before', { removed })
    if (!roomy) {
      roomy = await hasRoomOnDisk(parts.home, minFreeBytes)
      if (!roomy) parts.log.warn('the disk is full: no work is taken until there is room', { minFreeBytes })
    }
    return roomy
  }
}

/** Whether the store can be reached from here, which is looked at while it could not. */
function storeWatcher({ parts }: LoopParts): () => Promise<boolean> {
  let lookedAt = -Infinity
  let isThere = true
  return async () => {
    if (performance.now() - lookedAt < STORE_EVERY_MS) return isThere
    const before = isThere
    isThere = await parts.bucket.isThere()
    lookedAt = performance.now()
    const code = 'STORE_UNAVAILABLE'
    if (before && !isThere)
      parts.log.error('the store cannot be used from here: no work is taken until it answers', { code })
    if (!before && isThere) parts.log.info('the store answers again: work is taken')
    return isThere
  }
}

/** What it says of itself; nothing of it is secret. */
function reportOf({ parts, queues, models, places }: LoopParts, { holding, isDraining }: WorkerSlots) {
  const busy = [...holding.values()]
  const labels = [...new Set(queues.map(({ place }) => place))]
  const slots = labels.map((label) => {
    const count = busy.filter((place) => place === label).length
    return [label, { busy: count, all: isDraining ? count : places[label] }] as const
  })
  const report: QueueNode = {
    name: parts.name,
    queues: isDraining ? [] : queues.map(({ name }) => name),
    ...omitUndefined({ nodeId: parts.appliance.nodeId() }),
    cores: availableParallelism(),
    models,
    storeThere: parts.bucket.wasThere(),
    slots: Object.fromEntries(slots),
    has: parts.cache.names(),
    cacheBytes: parts.cache.bytes(),
    moved: { store: parts.bucket.moved(), appliance: parts.appliance.moved() },
  }
  return report
}

/** Works until it is stopped; what is held then is given back. */
function startLoop(loop: LoopParts): Pick<WorkerNode, 'stop' | 'drain' | 'refused'> {
  const { parts, base, connection } = loop
  const slots: WorkerSlots = {
    holding: new Map(),
    stopping: new AbortController(),
    taken: 0,
    isDraining: false,
    next: { key: '', since: 0 },
  }
  const hasRoom = storeKeeper(loop)
  const reachesStore = storeWatcher(loop)
  const card = runsModelsOnCard(parts.machine.inference ?? 'auto')

  async function run(): Promise<void> {
    for (let turn = 0; !slots.stopping.signal.aborted; turn++) {
      const mayTake = !slots.isDraining && (await reachesStore()) && (await hasRoom())
      const took = mayTake && (await pollQueues(loop, slots, turn))
      if (!took) await pause(IDLE_MS)
    }
  }

  const logHere = (): void => {
    if (!connection.isThere()) return
    const report = reportOf(loop, slots)
    connection.client
      .set(nodeKey(base, parts.name), JSON.stringify({ ...report, card }), 'PX', NODE_SEEN_MS)
      .catch((error: unknown) => parts.log.debug('the node could not say that it is there', { error }))
  }
  logHere()
  const timer = setInterval(logHere, NODE_SEEN_MS / 3)
  const running = run()
  const { signal } = slots.stopping
  const refused = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => signal.reason === 'refused' && resolve(), { once: true }),
  )
  return {
    refused,
    drain: async () => {
      slots.isDraining = true
      logHere()
      // What was being taken at that moment is held by the end of a round.
      await pause(IDLE_MS)
      // Without Redis for so long its tasks are others': there is no end to wait for.
      let thereAt = performance.now()
      while (slots.holding.size > 0 && performance.now() - thereAt < LOCK_MS) {
        if (connection.isThere()) thereAt = performance.now()
        await pause(IDLE_MS)
      }
    },
    stop: async () => {
      clearInterval(timer)
      slots.stopping.abort('stop')
      await running
      await Promise.all(slots.holding.keys())
      if (connection.isThere()) await connection.client.del(nodeKey(base, parts.name))
    },
  }
}

/** Files older than this are unlikely to be needed again. */
const STORE_AGE_MS = 24 * 3_600_000

/** Whether the disk has space for work: at least this many bytes are free. */
export async function hasRoomOnDisk(home: Pick<Home, 'root'>, minFreeBytes: number): Promise<boolean> {
  return (await freeBytes(home.root)) >= minFreeBytes
}
