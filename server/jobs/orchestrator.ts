/** Works through the queue: recovers the work of a dead process, polls, and shuts down cleanly. */
import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { type ModelTask, manifestModel } from '../../models/manifest.ts'
import { mediaTools } from '../adapters/media-tools.ts'
import { doubtEncoder, workingEncoder } from '../adapters/video-encoder.ts'
import { listOperationKeys, getOperation, listRunning, requestCancel } from '../db/operations.ts'
import { advanceRun, listResumableKeys } from '../db/runs.ts'
import { modelFingerprint, speechModelToInstall, usualSpeechModel } from '../domain/models/models.ts'
import { requireReachable } from '../reachable.ts'
import { cancelledFailure, recoverLost } from '../domain/runs/runs.ts'
import type { Services } from '../domain/services.ts'
import { applianceId } from '../domain/people/sign-in.ts'
import { followMovedHome } from '../domain/library/uploads.ts'
import { sweepAttemptsOf, sweepTemporary } from '../../workers/artefacts.ts'
import {
  recoverDispatches,
  abortOperation,
  renewLeases,
  renewPromises,
  takeReserve,
  toSettledOperation,
  notifyWatchers,
  tick,
  type WorkLoop,
  createReserve,
  createWatchers,
} from './work-loop.ts'
import { createEngineClient, entryPoints, type EngineClient } from './engine-client.ts'
import type { Jobs } from './jobs.ts'
import { laneLimits } from '../domain/operations/lane-limits.ts'
import { chosenRenderLimit } from '../domain/settings/render-limit.ts'
import { createLanes, threadsFor } from './lanes.ts'
import { HEARTBEAT_MS } from './queue.ts'
import type { Machine } from './run-executor.ts'
import { createRemoteExecutor, type RemoteExecutor } from './remote/executor.ts'
import { createStageRunner, type Toolbox } from './stage-runner.ts'
import type { StageRunner } from './attempt-stage.ts'
import { createForegroundStages } from './foreground-stages.ts'
import { runInBackground } from './background-stages.ts'
import { createQueryReader } from './query-reader.ts'
import { formatInstallCommand } from '../../models/install.ts'
import { listInstalledModels } from '../../models/installed.ts'
import type { Config } from '../config/config.ts'
import type { PlanEnvironment } from '../domain/runs/plan/plan-input.ts'
import { speechServerState, withModelServers } from '../domain/settings/model-servers.ts'
import type { Home } from '../home.ts'
import type { Tracer } from '../traces/tracer.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'

const POLL_MS = 500
/** How often it is said anew when work will be done. */
const PROMISES_MS = 2000
/** With the engine's own timeout less than the 4 s that the composition root allows. */
const STOP_WAIT_MS = 1500

type Deps = Omit<Services, 'jobs'>

/** The job machinery, with more for tests. */
export interface RunningJobs extends Jobs {
  /** Process id of the engine, null while none runs. */
  enginePid(): number | null
}

/** Starts working. The caller holds the home's lock, so what is found running belonged to a dead process. */
export async function startJobs(deps: Deps): Promise<RunningJobs> {
  const moved = followMovedHome(deps)
  if (moved > 0) deps.log.info('the home has moved: runs read their uploads here', { runs: moved })
  recoverLost(deps, listRunning(deps.db), 'death')
  recoverDispatches(deps, null)
  const resumable = [...listResumableKeys(deps.db), ...listOperationKeys(deps.db)]
  await sweepTemporary(deps.home.temporary, new Set(resumable))
  return startWorking(deps, await tracerOf(deps))
}

/** Null: no collector is named, and nothing of traces is loaded. */
async function tracerOf({ config, db, log }: Deps): Promise<Tracer | null> {
  if (config.traces.endpoint === null) return null
  const { startTracer } = await import('../traces/tracer.ts')
  return startTracer(config, { service: 'cutroom', instance: applianceId({ db }) }, log)
}

/** The executor that sends stages to worker nodes; null where they all run here. */
function remoteExecutor({ config, db, home, log }: Deps): RemoteExecutor | null {
  if (config.queue !== 'bullmq' || config.redisUrl === null) return null
  const { redisUrl } = config
  requireReachable(config, 'Redis', redisUrl)
  return createRemoteExecutor({ redisUrl, applianceId: applianceId({ db }), home, log })
}

/** The engine, and what runs stages on it or on worker nodes. */
export function createStages(
  { charge, config, home, log, store }: Pick<Deps, 'charge' | 'config' | 'home' | 'log' | 'store'>,
  remote: RemoteExecutor | null,
  rendersAtOnce?: () => number | null,
): { readonly engine: EngineClient; readonly stages: StageRunner } {
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
      // Tested while the first stages run, so that the result is there before the first render.
      workingEncoder(config).catch((error: unknown) => log.warn('encoders could not be tried', { error }))
      return tools
    },
    modelFingerprint: (task: ModelTask, name: string) => modelFingerprint(config, task, name),
    // Nodes have different hardware and a key must mean one result, so only an encoder that is configured by name is used.
    ...(config.queue === 'bullmq' && config.encoder === 'auto'
      ? {}
      : { encoder: () => workingEncoder(config), doubtEncoder: () => doubtEncoder(config) }),
  }
  const lanes = createLanes(limits, rendersAtOnce)
  return {
    engine,
    stages: createStageRunner(
      { config, home, ...omitUndefined({ charge, store }) },
      { engine, lanes, toolbox, remote },
    ),
  }
}

function startWorking(deps: Deps, tracer: Tracer | null): RunningJobs {
  const { db, home, now } = deps
  const remote = remoteExecutor(deps)
  const { engine, stages } = createStages(deps, remote, () => chosenRenderLimit(deps))
  const machine: Machine = {
    services: deps,
    stages,
    speech: (named) => speechModelState(withModelServers(deps), home, named),
    ...(tracer === null ? {} : { tracer }),
  }
  const wanted = createForegroundStages(machine.stages)
  const queries = createQueryReader(deps)
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
  takeReserve(loop)
  const timers = [
    setInterval(() => tick(loop), POLL_MS),
    setInterval(() => renewLeases(loop), HEARTBEAT_MS),
    setInterval(() => renewPromises(loop), PROMISES_MS),
  ]
  wake()

  return {
    wake,
    ...(remote === null ? {} : { nodes: remote.nodes }),
    takesWork: () => !stopping,
    runInForeground: (work, waitMs) => wanted.request(work, waitMs),
    runInBackground: (work) => runInBackground(stages, work),
    readQuery: (text) => queries.read(text),
    enginePid: () => engine.pid(),
    cancel: (id) => {
      const cancelled = requestCancel(db, id, now())
      if (cancelled?.state === 'cancelled' && cancelled.kind === 'run')
        advanceRun(db, cancelled.subjectId, 'Error', now(), cancelledFailure())
      abortOperation(loop, id, 'cancel')
      notifyWatchers(loop, id)
    },
    whenSettled: (id, timeoutMs) =>
      loop.watchers.wait(id, timeoutMs, () => toSettledOperation(getOperation(db, id))),
    stop: async () => {
      stopping = true
      for (const timer of timers) clearInterval(timer)
      for (const id of loop.active.keys()) abortOperation(loop, id, 'stop')
      const patience = new Promise((resolve) => setTimeout(resolve, STOP_WAIT_MS).unref())
      const going = [...loop.active.values()].map(({ done }) => done)
      await Promise.race([Promise.all([...going, wanted.stop()]), patience])
      await Promise.all([engine.stop(), queries.stop(), remote?.stop(), tracer?.close()])
    },
  }
}

type SpeechConfig = Pick<
  Config,
  'modelFolders' | 'allowModelDownloads' | 'inference' | 'speechModel' | 'speechServer' | 'network'
>

/**
 * The workflow's model (`named`), else the studio's own speech server, else the configured model, else what suits the
 * machine, as installed now.
 */
export async function speechModelState(
  config: SpeechConfig,
  home: Pick<Home, 'models'>,
  named = '',
): Promise<PlanEnvironment['speech']> {
  const server = speechServerState(config)
  if (named === '' && server.state === 'server') return server
  if (named === '' && server.state === 'refused') return { state: 'missing', message: server.why }
  const requested: SpeechConfig = named === '' ? config : { ...config, speechModel: named }
  const found = usualSpeechModel(await listInstalledModels(config.modelFolders), requested)
  if (found !== undefined) return { state: 'installed', model: found.name }
  const model = speechModelToInstall(requested)
  if (config.allowModelDownloads && config.network !== 'off' && canBeFetched(model))
    return { state: 'downloadable', model, targetFolder: home.models }
  const because =
    requested.speechModel === null
      ? 'no speech model is installed to write them'
      : `the speech model ${model}, which the ${named === '' ? 'configuration' : 'workflow'} names, is not installed`
  const message = `The video has no captions, and ${because}. `
  return { state: 'missing', message: `${message}Install one with: ${formatInstallCommand(model)}` }
}

function canBeFetched(name: string): boolean {
  const model = manifestModel(name)
  return model?.task === 'speech' && model.files.every(({ url }) => url !== null)
}
