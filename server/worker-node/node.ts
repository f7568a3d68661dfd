/**
 * A worker node: takes stages from the queue of an appliance while it has places for them. It has a home of its own, which
 * is a store of what it fetched and made; nothing is lost with it.
 */
import { randomUUID } from 'node:crypto'
import { availableParallelism, hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { mediaTools } from '../adapters/media-tools.ts'
import type { Config } from '../config/config.ts'
import { stageVersions } from '../domain/worker-nodes/worker-nodes.ts'
import { openHome } from '../home.ts'
import { createEngineClient } from '../jobs/engine-client.ts'
import { entryPoints } from '../jobs/entry-points.ts'
import { acquireHomeLock } from '../jobs/home-lock.ts'
import { laneLimits, threadsFor } from '../jobs/lanes.ts'
import { redisBase } from '../jobs/remote/protocol.ts'
import { connectRedis } from '../jobs/remote/redis.ts'
import type { Logger } from '../log.ts'
import { requireReachable } from '../reachable.ts'
import { sweepAttemptsOf, sweepTemporary } from '../../workers/artefacts.ts'
import { connectAppliance } from './appliance.ts'
import type { NodeParts } from './carry-out.ts'
import { startLoop } from './loop.ts'
import { openNodeQueue, queuesOf, type NodeQueue } from './queues.ts'
import type { WorkerWelcome } from '../contract/tenant-api/worker.ts'
import { AppError } from '../contract/errors.ts'

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
    const tools = await mediaTools(config)
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
    const parts: NodeParts = { name, appliance, engine, home, log, machine }
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
