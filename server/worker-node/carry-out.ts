/** One task on a node: fetch what it works on, run it in the node's own engine, bring what it made. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import type { ArtefactFile, WorkerInputs } from '../contract/tenant-api/worker.ts'
import { AppError, failureOf } from '../contract/errors.ts'
import type { Home } from '../home.ts'
import type { EngineClient } from '../jobs/engine-client.ts'
import { digestsIn, withoutModels, type RemoteEnd, type RemoteTask } from '../jobs/remote/protocol.ts'
import type { Logger } from '../log.ts'
import { sha256OfFile } from '../../models/installed.ts'
import {
  artefactFolder,
  makeAttemptFolder,
  placeIn,
  readResult,
  RESULT_FILE,
  sourcePath,
  type StoredResult,
} from '../../workers/artefacts.ts'
import type { StageTask } from '../../workers/protocol.ts'
import { STAGES, type StageName } from '../../workers/stages/catalog.ts'
import type { Appliance, LeasedTaskCalls } from './appliance.ts'
import type { NodeBucket } from './bucket.ts'
import type { NodeCache } from './cache.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'
import type { Tracer } from '../traces/tracer.ts'
import { sendToStore } from './send-to-store.ts'
import { traceTask, type TraceStep } from './task-trace.ts'

export interface NodeParts {
  readonly name: string
  readonly appliance: Appliance
  readonly engine: Pick<EngineClient, 'run'>
  readonly bucket: NodeBucket
  readonly cache: NodeCache
  readonly home: Home
  readonly log: Logger
  /** What of a task is this machine's own. */
  readonly machine: Pick<StageTask, 'tools' | 'modelFolders' | 'resources' | 'inference'>
  /** Null: no traces are made here. */
  readonly tracer: Tracer | null
}

/** The node's parts, with the appliance's calls for one task. */
type LeasedTaskParts = Omit<NodeParts, 'appliance'> & { readonly appliance: LeasedTaskCalls }

export interface Doing {
  readonly signal: AbortSignal
  readonly onProgress: (fraction: number, note: string) => void
  readonly onCheckpoint: (position: number) => void
}

/** Throws only for what another attempt may mend. `lock`: under which the task was taken. */
export async function carryOut(
  parts: NodeParts,
  leased: { readonly task: RemoteTask; readonly lock: string },
  doing: Doing,
): Promise<RemoteEnd> {
  const { cache, tracer, log } = parts
  const release = cache.hold(leased.task)
  try {
    return await traceTask(tracer, leased.task, (step) => carryOutSteps(parts, leased, doing, step))
  } finally {
    release()
    cache.shrink().catch((error: unknown) => log.warn('what is not needed could not be removed', { error }))
  }
}

async function carryOutSteps(
  parts: NodeParts,
  { task, lock }: { readonly task: RemoteTask; readonly lock: string },
  doing: Doing,
  step: TraceStep,
): Promise<RemoteEnd> {
  const { log, name } = parts
  const { stage, key } = task
  if (STAGES[stage].version !== task.version) throw new Error(`stage ${stage} has another version here`)
  const appliance = await parts.appliance.leaseTask({ key, lock }, doing.signal)
  const leased: LeasedTaskParts = { ...parts, appliance }
  // Another node was lost after it had published the result: nothing is left to do.
  if ((await appliance.manifest(stage, key, doing.signal)) !== null) {
    log.info('a result was there already', { stage, content: key })
    return { ok: true }
  }
  const way = await step('fetch inputs', () => fetchInputs(leased, task, doing.signal))
  const ran = await step('work', () => runHere(parts, task, doing))
  // A full disk on this machine is not the run's fault: another node may have space.
  if (!ran.ok && ran.failure.code === 'DISK_FULL') throw new Error(`the disk of ${name} is full`)
  if (!ran.ok) return ran
  const { published } = await step('bring result', () => bringResult(leased, task, way, doing.signal))
  log.info('a stage was carried out', { node: name, stage, content: key, published })
  return { ok: true }
}

type Way = WorkerInputs['way']

/** Answers the way that the appliance names, which the result goes too. */
async function fetchInputs(parts: LeasedTaskParts, task: RemoteTask, signal: AbortSignal): Promise<Way> {
  const given = await parts.appliance.inputs(signal)
  const from = given.way === 'store' ? fromStore(parts, given, signal) : fromAppliance(parts, signal)
  const inputs = Object.values(task.inputs)
  const sources = inputs.flatMap((input) => (input.kind === 'source' ? [input.digest] : []))
  for (const digest of new Set([...sources, ...task.sources])) await fetchSource(parts, digest, from)
  for (const input of inputs) {
    if (input.kind === 'artefact') await fetchArtefact(parts, input, from)
  }
  return given.way
}

interface ResultName {
  readonly stage: StageName
  readonly key: string
}

/** Where inputs are fetched from. */
interface InputPlace {
  readonly source: (digest: string, to: string) => Promise<void>
  /** Writes all files of a result, result.json included, into a folder. */
  readonly result: (name: ResultName, folder: string) => Promise<void>
}

const missing = ({ stage, key }: ResultName): AppError =>
  new AppError('INTERNAL', `An input is missing: ${stage} ${key}.`)

function fromAppliance({ appliance }: LeasedTaskParts, signal: AbortSignal): InputPlace {
  return {
    source: (digest, to) => appliance.fetchFile({ from: `sources/${digest}`, to, sha256: digest }, signal),
    result: async ({ stage, key }, folder) => {
      const manifest = (await appliance.manifest(stage, key, signal)) ?? raise(missing({ stage, key }))
      for (const [index, { path, sha256 }] of manifest.files.entries()) {
        const to = placeIn(folder, path)
        await appliance.fetchFile({ from: `artefacts/${stage}/${key}/${index}`, to, sha256 }, signal)
      }
    },
  }
}

function raise(error: Error): never {
  throw error
}

/** By the addresses that were given; by new ones where those have ended. */
function fromStore(
  { appliance, bucket }: LeasedTaskParts,
  given: WorkerInputs,
  signal: AbortSignal,
): InputPlace {
  let { sources, results } = given
  const addressOf =
    (find: () => string | undefined) =>
    async (again: boolean): Promise<string> => {
      if (again) ({ sources, results } = await appliance.inputs(signal))
      return find() ?? raise(new AppError('INTERNAL', 'The appliance names no address for an input.'))
    }
  return {
    source: (digest, to) => {
      const address = addressOf(() => sources.find(({ sha256 }) => sha256 === digest)?.address)
      return bucket.fetch({ to, sha256: digest, address }, signal)
    },
    result: async ({ stage, key }, folder) => {
      const find = () => results.find((one) => one.stage === stage && one.key === key)
      const { files, result } = find() ?? raise(missing({ stage, key }))
      for (const { path, sha256 } of files) {
        const address = addressOf(() => find()?.files.find((file) => file.path === path)?.address)
        await bucket.fetch({ to: placeIn(folder, path), sha256, address }, signal)
      }
      await writeFile(join(folder, RESULT_FILE), result, { mode: 0o600, flush: true })
    },
  }
}

/** Two tasks of one node may want the same file at the same moment. */
const fetching = new Map<string, Promise<void>>()

async function once(place: string, fetchIt: () => Promise<void>): Promise<void> {
  const known = fetching.get(place)
  if (known !== undefined) {
    // The task that fetches the file may be cancelled; then this one fetches it.
    await known.catch(() => undefined)
    return once(place, fetchIt)
  }
  const mine = fetchIt().finally(() => fetching.delete(place))
  fetching.set(place, mine)
  return mine
}

function fetchSource({ home }: LeasedTaskParts, digest: string, from: InputPlace): Promise<void> {
  const to = sourcePath(home.sources, digest)
  return once(to, async () => {
    if (!existsSync(to)) await from.source(digest, to)
  })
}

/** The folder appears atomically, result.json included, exactly as on the appliance. */
function fetchArtefact({ home }: LeasedTaskParts, name: ResultName, from: InputPlace): Promise<void> {
  const { stage, key } = name
  const folder = artefactFolder(home.artefacts, stage, key)
  const read = () => readResult(home.artefacts, { stage, version: STAGES[stage].version, key })
  return once(folder, async () => {
    if ((await read()) !== null) return
    const attempt = await makeAttemptFolder(home.temporary)
    try {
      await from.result(name, attempt)
      await mkdir(join(folder, '..'), { recursive: true, mode: 0o700 })
      await rename(attempt, folder)
    } finally {
      await rm(attempt, { recursive: true, force: true })
    }
    if ((await read()) === null) throw new AppError('INTERNAL', `An input is damaged: ${stage} ${key}.`)
  })
}

async function runHere(parts: NodeParts, task: RemoteTask, doing: Doing): Promise<RemoteEnd> {
  const { engine, home, machine } = parts
  const { stage, key, params, inputs, encoder, madeWith, inference } = task
  const { sources, artefacts, temporary } = home
  const answer = await engine.run(
    {
      taskId: randomUUID(),
      stage,
      key,
      params,
      inputs,
      ...machine,
      // The content key fixes how the stage runs: a model that happens to be here must not be used instead.
      ...(withoutModels(task) ? { modelFolders: [] } : {}),
      folders: { sources, artefacts, temporary },
      ...omitUndefined({ encoder, madeWith }),
      ...(inference === undefined ? {} : { inference: machine.inference ?? inference }),
    },
    doing,
  )
  if (answer.kind === 'outcome') return answer.outcome.ok ? { ok: true } : answer.outcome
  const cancelled = failureOf('CANCELLED')
  const died = { code: 'STAGE_FAILED' as const, message: 'The engine of a worker node ended.' }
  return doing.signal.aborted
    ? { ok: false, failure: cancelled, retryable: false }
    : { ok: false, failure: died, retryable: true }
}

/** How often files are uploaded again that the appliance lost by restarting before it had all of them. */
const BRINGS = 3

async function bringResult(parts: LeasedTaskParts, task: RemoteTask, way: Way, signal: AbortSignal) {
  for (let left = BRINGS - 1; ; left -= 1) {
    try {
      return await bringOnce(parts, task, way, signal)
    } catch (error) {
      if (left === 0 || !(error instanceof AppError && error.code === 'VALIDATION_FAILED')) throw error
      parts.log.warn('a result was not taken; bringing it again', { content: task.key, error })
    }
  }
}

async function bringOnce(parts: LeasedTaskParts, task: RemoteTask, way: Way, signal: AbortSignal) {
  const { appliance, home, name } = parts
  const { stage, key } = task
  const stored = await readResult(home.artefacts, { stage, version: task.version, key })
  if (stored === null) throw new Error('the result of a stage is not where it was published')
  const folder = artefactFolder(home.artefacts, stage, key)
  const files: (ArtefactFile & { readonly file: string })[] = []
  for (const path of [...stored.files.map((one) => one.path), RESULT_FILE]) {
    const file = join(folder, ...path.split('/'))
    files.push({ path, file, bytes: (await stat(file)).size, sha256: await sha256OfFile(file) })
  }
  if (way === 'store') await sendToStore(parts, { stage, key }, files.slice(0, -1), signal)
  else for (const { file, sha256 } of files) await appliance.bringFile({ path: file, sha256 }, signal)
  const sources = await bringSources(parts, task, stored, signal)
  const named = files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 }))
  const text = way === 'store' ? { result: await readFile(join(folder, RESULT_FILE), 'utf8') } : {}
  return appliance.publish({ stage, key, files: named, sources, node: name, ...text }, signal)
}

/** Files that the stage stored itself, such as the cover of an audio file; its output names them. */
async function bringSources(
  { appliance, home }: LeasedTaskParts,
  task: RemoteTask,
  { output }: StoredResult,
  signal: AbortSignal,
): Promise<{ sha256: string; bytes: number }[]> {
  const given = new Set([...task.sources, ...digestsIn(task.inputs)])
  const brought: { sha256: string; bytes: number }[] = []
  for (const sha256 of digestsIn(output)) {
    const path = sourcePath(home.sources, sha256)
    if (given.has(sha256) || !existsSync(path)) continue
    await appliance.bringFile({ path, sha256 }, signal)
    brought.push({ sha256, bytes: (await stat(path)).size })
  }
  return brought
}
