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
import { redisBase, NODE_SEEN_MS, nodeKey, type PlaceKind } from '../jobs/remote/protocol.ts'
import { connectRedis, type RedisConnection } from '../jobs/remote/redis.ts'
import type { Logger } from '../log.ts'
import { requireReachable } from '../reachable.ts'
import { sweepAttemptsOf, sweepTemporary } from '../../workers/artefacts.ts'
import type { Tracer } from '../traces/tracer.ts'
import { connectAppliance } from './appliance.ts'
import { createNodeBucket } from './bucket.ts'
import { type NodeParts, carryOut } from './carry-out.ts'
import { openNodeQueue, queuesOf, type NodeQueue } from './queues.ts'
import type { WorkerWelcome } from '../contract/tenant-api/worker.ts'
import { AppError } from '../contract/errors.ts'
import { holdLease } from './hold.ts'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { freeBytes } from '../../workers/media/disk.ts'

export interface NodeOptions {
  readonly config: Config
  readonly log: Logger
  readonly server: string
  readonly token: string
  /** Where Redis is from here; null: as the appliance reaches it. */
  readonly redisUrl: string | null
}

export interface WorkerNode {
  readonly name: string
  /** Kinds of work that it takes. */
  readonly queues: readonly string[]
  /** Resolves when the appliance takes it no more: its token is of no use. */
  readonly refused: Promise<void>
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
    const parts: NodeParts = { name, appliance, bucket, engine, home, log, machine, tracer }
    const base = redisBase(welcome.applianceId)
    const queues: NodeQueue[] = []
    for (const [queue, place] of await queuesOf(config, base))
      queues.push(await openNodeQueue(queue, place, connection, log))
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
    return { name, queues: queues.map((queue) => queue.name), refused: loop.refused, stop: stopAll }
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
}

/** Renders take their places among those of the processor. */
function hasPlace({ places }: LoopParts, { holding }: WorkerSlots, kind: PlaceKind): boolean {
  const count = (one: PlaceKind): number => [...holding.values()].filter((place) => place === one).length
  return count(kind) < places[kind] && (kind === 'gpu' || count('cpu') + count('render') < places.cpu)
}

async function takeFrom(loop: LoopParts, slots: WorkerSlots, queue: NodeQueue): Promise<boolean> {
  const { parts, base, connection } = loop
  const { log, name } = parts
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
    const may = queue !== undefined && !slots.stopping.signal.aborted && connection.isThere()
    if (!may || !hasPlace(loop, slots, queue.place)) continue
    try {
      took = (await takeFrom(loop, slots, queue)) || took
    } catch (error) {
      parts.log.warn('the queue could not be read', { queue: queue.name, error })
    }
  }
  return took
}

/** Cleans the store while no task is held; false when the disk has no space for work. */
function storeKeeper({ parts, minFreeBytes }: LoopParts, { holding }: WorkerSlots): () => Promise<boolean> {
  let sweptAt = performance.now()
  let lookedAt = -Infinity
  let roomy = true
  return async () => {
    const now = performance.now()
    if (now - lookedAt < DISK_EVERY_MS) return roomy
    lookedAt = now
    roomy = await hasRoomOnDisk(parts.home, minFreeBytes)
    if (holding.size > 0 || (roomy && now - sweptAt < SWEEP_EVERY_MS)) return roomy
    sweptAt = now
    const removed = await sweepStore(parts.home, roomy ? Date.now() - STORE_AGE_MS : Date.now())
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

/** Works until it is stopped; what is held then is given back. */
function startLoop(loop: LoopParts): { stop(): Promise<void>; readonly refused: Promise<void> } {
  const { parts, base, connection, queues, models } = loop
  const slots: WorkerSlots = { holding: new Map(), stopping: new AbortController(), taken: 0 }
  const hasRoom = storeKeeper(loop, slots)
  const reachesStore = storeWatcher(loop)
  const card = runsModelsOnCard(parts.machine.inference ?? 'auto')

  async function run(): Promise<void> {
    for (let turn = 0; !slots.stopping.signal.aborted; turn++) {
      const mayTake = (await reachesStore()) && (await hasRoom())
      const took = mayTake && (await pollQueues(loop, slots, turn))
      if (!took) await pause(IDLE_MS)
    }
  }

  const logHere = (): void => {
    if (!connection.isThere()) return
    const here = JSON.stringify({
      name: parts.name,
      queues: queues.map(({ name }) => name),
      nodeId: parts.appliance.nodeId(),
      cores: availableParallelism(),
      card,
      models,
      storeThere: parts.bucket.wasThere(),
    })
    connection.client
      .set(nodeKey(base, parts.name), here, 'PX', NODE_SEEN_MS)
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

async function listed(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).map((name) => join(folder, name))
}

/** Source files and artefact folders: each is used whole or not at all. */
async function entries({ sources, artefacts }: Pick<Home, 'sources' | 'artefacts'>): Promise<string[]> {
  const groups = [
    ...(await listed(sources)),
    ...(await Promise.all((await listed(artefacts)).map(listed))).flat(),
  ]
  return (await Promise.all(groups.map(listed))).flat()
}

/** Removes what was put there before this moment (epoch milliseconds); only while nothing is worked on. How many went. */
export async function sweepStore(home: Pick<Home, 'sources' | 'artefacts'>, before: number): Promise<number> {
  let removed = 0
  for (const path of await entries(home)) {
    const found = await stat(path).catch(() => null)
    if (found === null || found.mtimeMs >= before) continue
    await rm(path, { recursive: true, force: true })
    removed++
  }
  return removed
}
