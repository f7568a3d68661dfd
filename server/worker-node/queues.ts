/** The queues that a node takes from: one for each kind of place and each set of models that are installed here. */
import type { Job, Worker } from 'bullmq'
import type { Config } from '../config/config.ts'
import { modelFingerprint } from '../domain/models/models.ts'
import { modelsOf } from '../jobs/stage-runner.ts'
import {
  isRemote,
  LOCK_MS,
  NO_MODEL,
  placeOf,
  queueName,
  STALL_CHECK_MS,
  type PlaceKind,
  type RemoteEnd,
  type RemoteTask,
} from '../jobs/remote/protocol.ts'
import type { RedisConnection } from '../jobs/remote/redis.ts'
import type { Logger } from '../log.ts'
import { listInstalledModels } from '../../models/installed.ts'
import { STAGES, type StageName } from '../../workers/stages/catalog.ts'
import type { StageDeclaration } from '../../workers/stages/declare.ts'

export type TaskJob = Job<RemoteTask, RemoteEnd>

export interface NodeQueue {
  readonly name: string
  readonly place: PlaceKind
  /** The task that is next, without taking it. */
  peek(): Promise<RemoteTask | null>
  /** The next task, now held under this token; null: there is none. */
  take(token: string): Promise<TaskJob | null>
  close(): Promise<void>
}

/** Names of the queues whose tasks this machine can do, and the kind of slot that each takes. */
export async function queuesOf(config: Config, base: string): Promise<Map<string, PlaceKind>> {
  const installed = await listInstalledModels(config.modelFolders)
  const names = new Map<string, PlaceKind>()
  const toolbox = {
    modelFingerprint: (task: Parameters<typeof modelFingerprint>[1], name: string) =>
      modelFingerprint(config, task, name),
  }
  for (const stage of Object.keys(STAGES) as StageName[]) {
    if (!isRemote(stage)) continue
    const declaration: StageDeclaration = STAGES[stage]
    // What an appliance without the models does without them can be done so here too.
    const none = Object.fromEntries(declaration.models.map((task) => [task, NO_MODEL]))
    names.set(queueName(base, placeOf(stage), none), placeOf(stage))
    const own = installed.filter((model) => declaration.models.includes(model.task))
    // A task names a model or leaves it open; what it needs is decided by the same function as on the appliance.
    for (const model of declaration.models.length === 0 ? [''] : ['', ...own.map(({ name }) => name)]) {
      const models = await modelsOf(toolbox, { stage, params: { model } })
      names.set(queueName(base, placeOf(stage), models), placeOf(stage))
    }
  }
  return names
}

export async function openNodeQueue(
  name: string,
  place: PlaceKind,
  connection: RedisConnection,
  log: Logger,
): Promise<NodeQueue> {
  const { Queue, Worker } = await import('bullmq')
  // Tasks are taken one by one, when there is a place for them: a node never sits on work that another could do.
  const worker: Worker<RemoteTask, RemoteEnd> = new Worker(name, null, {
    connection: connection.client,
    autorun: false,
    lockDuration: LOCK_MS,
    stalledInterval: STALL_CHECK_MS,
    maxStalledCount: Number.MAX_SAFE_INTEGER,
  })
  worker.on('error', (error: Error) => log.debug('the queue reports an error', { queue: name, error }))
  const queue = new Queue<RemoteTask, RemoteEnd>(name, { connection: connection.client })
  queue.on('error', (error: Error) => log.debug('the queue reports an error', { queue: name, error }))
  await worker.waitUntilReady()
  await worker.startStalledCheckTimer()
  return {
    name,
    place,
    peek: async () => (await queue.getJobs(['wait', 'prioritized'], 0, 0, true))[0]?.data ?? null,
    take: async (token) => {
      const job = (await worker.getNextJob(token, { block: false })) as TaskJob | undefined
      return job ?? null
    },
    close: async () => {
      await Promise.allSettled([worker.close(true), queue.close()])
    },
  }
}
