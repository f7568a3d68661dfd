/**
 * The one who works through the queue: takes up what a dead appliance left, polls for work, stops in good order.
 */
import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { ModelTask } from '../../models/manifest.ts'
import { mediaTools } from '../adapters/media-tools.ts'
import { doubtEncoder, workingEncoder } from '../adapters/video-encoder.ts'
import { getOperation, listRunning, requestCancel } from '../db/operations.ts'
import { advanceRun, listResumableKeys } from '../db/runs.ts'
import { modelFingerprint } from '../domain/models/models.ts'
import { requireReachable } from '../reachable.ts'
import { cancelledFailure, recoverLost } from '../domain/runs/recover-lost-work.ts'
import type { Services } from '../domain/services.ts'
import { applianceId } from '../domain/people/sign-in.ts'
import { followMovedHome } from '../domain/library/uploads.ts'
import { sweepAttemptsOf, sweepTemporary } from '../../workers/artefacts.ts'
import { recoverDispatches } from './dispatch-loop.ts'
import { createEngineClient } from './engine-client.ts'
import { entryPoints } from './entry-points.ts'
import type { Jobs } from './jobs.ts'
import { createLanes, laneLimits, threadsFor } from './lanes.ts'
import { HEARTBEAT_MS } from './queue.ts'
import type { Machine } from './run-executor.ts'
import { createReserve } from './reserve.ts'
import { speechModelState } from './speech-model.ts'
import { createRemoteExecutor, type RemoteExecutor } from './remote/executor.ts'
import { createStageRunner, type Toolbox } from './stage-runner.ts'
import { createWatchers } from './watchers.ts'
import { createWhileWanted } from './while-wanted.ts'
import {
  abortOperation,
  beat,
  keepReserve,
  settledOf,
  tellWatchers,
  tick,
  type WorkLoop,
} from './work-loop.ts'

const POLL_MS = 500
/** Together with the engine's own grace below the 4 s that the composition root gives. */
const STOP_WAIT_MS = 1500

type Deps = Omit<Services, 'jobs'>

/** The job machinery, with what tests need besides. */
export interface RunningJobs extends Jobs {
  /** Process id of the engine, null while none runs. */
  enginePid(): number | null
}

/**
 * Starts working through the queue. The caller holds the home's lock (home-lock.ts), so whatever is found running was
 * left by an appliance that is dead: it is queued again, and its temporary files go, before anything is started.
 */
export async function startJobs(deps: Deps): Promise<RunningJobs> {
  const moved = followMovedHome(deps)
  if (moved > 0) deps.log.info('the home has moved: runs read their uploads here', { runs: moved })
  recoverLost(deps, listRunning(deps.db))
  recoverDispatches(deps, null)
  await sweepTemporary(deps.home.temporary, new Set(listResumableKeys(deps.db)))
  return startWorking(deps)
}

/** Where stages are done by worker nodes: those that hand them out. */
function remoteExecutor({ config, db, home, log }: Deps): RemoteExecutor | null {
  if (config.queue !== 'bullmq' || config.redisUrl === null) return null
  const { redisUrl } = config
  requireReachable(config, 'Redis', redisUrl)
  return createRemoteExecutor({ redisUrl, applianceId: applianceId({ db }), home, log })
}

function startWorking(deps: Deps): RunningJobs {
  const { config, db, home, log, now } = deps
  const limits = laneLimits(availableParallelism())
  const engine = createEngineClient({
    entryPoints: entryPoints(),
    threads: threadsFor(limits),
    network: config.network,
    log,
    onGone: (pid) => sweepAttemptsOf(home.temporary, pid),
  })
  const toolbox: Toolbox = {
    tools: async () => {
      const tools = await mediaTools(config)
      // Found out while the first stages work, so that it is known when there is something to render.
      workingEncoder(config).catch((error: unknown) => log.warn('encoders could not be tried', { error }))
      return tools
    },
    modelFingerprint: (task: ModelTask, name: string) => modelFingerprint(config, task, name),
    // Nodes differ, and one key means one result: only an encoder that is asked for by name is used on all of them.
    ...(config.queue === 'bullmq' && config.encoder === 'auto'
      ? {}
      : { encoder: () => workingEncoder(config), doubtEncoder: () => doubtEncoder(config) }),
  }
  const remote = remoteExecutor(deps)
  const machine: Machine = {
    services: deps,
    stages: createStageRunner(deps, { engine, lanes: createLanes(limits), toolbox, remote }),
    speech: (named) => speechModelState(config, home, named),
  }
  const wanted = createWhileWanted(machine.stages)
  let stopping = false
  let woken: NodeJS.Immediate | null = null
  const wake = (): void => {
    if (stopping) return
    woken ??= setImmediate(() => {
      woken = null
      if (!stopping) tick(loop)
    })
  }
  const loop: WorkLoop = {
    machine,
    wake,
    owner: `${process.pid}-${randomUUID()}`,
    watchers: createWatchers(),
    active: new Map(),
    turns: new Map(),
    reserve: createReserve(home),
  }
  keepReserve(loop)
  const timers = [setInterval(() => tick(loop), POLL_MS), setInterval(() => beat(loop), HEARTBEAT_MS)]
  wake()

  return {
    wake,
    ...(remote === null ? {} : { nodes: remote.nodes }),
    takesWork: () => !stopping,
    whileWanted: (work, waitMs) => wanted.ask(work, waitMs),
    enginePid: () => engine.pid(),
    cancel: (id) => {
      const asked = requestCancel(db, id, now())
      if (asked?.state === 'cancelled' && asked.kind === 'run')
        advanceRun(db, asked.subjectId, 'Error', now(), cancelledFailure())
      abortOperation(loop, id, 'cancel')
      tellWatchers(loop, id)
    },
    whenSettled: (id, timeoutMs) => loop.watchers.wait(id, timeoutMs, () => settledOf(getOperation(db, id))),
    stop: async () => {
      stopping = true
      for (const timer of timers) clearInterval(timer)
      for (const id of loop.active.keys()) abortOperation(loop, id, 'stop')
      const patience = new Promise((resolve) => setTimeout(resolve, STOP_WAIT_MS).unref())
      const going = [...loop.active.values()].map(({ done }) => done)
      await Promise.race([Promise.all([...going, wanted.stop()]), patience])
      await Promise.all([engine.stop(), remote?.stop()])
    },
  }
}
