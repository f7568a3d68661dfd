/** Runs one stage once: key, cache, lane, engine. Runs that want the same key share one computation. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ModelTask } from '../../models/manifest.ts'
import { AppError, ERRORS } from '../contract/errors.ts'
import type { StageInvocation } from '../domain/runs/plan/plan-draft.ts'
import type { Services } from '../domain/services.ts'
import { contentKey, readResult, sourcePath, type StoredResult } from '../../workers/artefacts.ts'
import { freeBytes } from '../../workers/media/disk.ts'
import type { EncoderChoice, StageTask, ToolPaths, UsedModel } from '../../workers/protocol.ts'
import { STAGES, type StageName, type Stages } from '../../workers/stages/catalog.ts'
import type { ParamsOf, StageDeclaration } from '../../workers/stages/declare.ts'
import type { EngineClient } from './engine-client.ts'
import type { Lanes } from './lanes.ts'
import type { RemoteExecutor } from './remote/executor.ts'
import { digestsIn } from './remote/protocol.ts'
import { makeParts } from './spread-stage.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'
import { whenAborted, type StageRequest, type StageRunner, type StageVerdict } from './attempt-stage.ts'

/** What keys and tasks need to know of this machine. */
export interface Toolbox {
  readonly tools: () => Promise<{ readonly paths: ToolPaths; readonly fingerprint: string }>
  /** Fingerprint of the installed model for this task (the named one, if a name is given); 'none' when there is none. */
  readonly modelFingerprint: (task: ModelTask, name: string) => Promise<string>
  /** How stages that encode are to encode; absent: by software. */
  readonly encoder?: () => Promise<EncoderChoice>
  /** A stage could not use the encoder and fell back to software. */
  readonly doubtEncoder?: () => Promise<void>
}

type Deps = Pick<Services, 'charge' | 'config' | 'home' | 'store'>

export function createStageRunner(
  deps: Deps,
  parts: { engine: EngineClient; lanes: Lanes; toolbox: Toolbox; remote?: RemoteExecutor | null },
): StageRunner {
  const { engine, lanes, toolbox, remote = null } = parts
  const computing = new Map<string, Promise<unknown>>()
  const keyHere: StageRunner['keyOf'] = (invocation, scope) => keyOf(toolbox, invocation, scope)

  async function fromCache(request: StageRequest, onDamaged: () => void): Promise<StageVerdict | null> {
    const { key, invocation } = request
    const place = { stage: invocation.stage, version: STAGES[invocation.stage].version, key }
    const here = await readResult(deps.home.artefacts, place, onDamaged)
    const found = await findKept(deps, request, { found: here, isNodes: remote?.takes(invocation) === true })
    if (found === null) return null
    const { output, warnings, milliseconds } = found
    if (request.begin()?.kind === 'done') return { kind: 'done' }
    return { kind: 'finished', output, warnings, milliseconds, reused: true }
  }

  async function compute(request: StageRequest): Promise<StageVerdict> {
    const { invocation, signal, companyId, urgent } = request
    const { stage } = invocation
    const lane = invocation.lane ?? STAGES[stage].lane
    const place = { lane, isRender: stage === 'render', companyId, urgent }
    const giveBack = await lanes.acquire(place, signal)
    try {
      const task = await makeTask(deps, toolbox, request)
      const instead = request.begin()
      if (instead !== null) return instead
      await refuseWhenFull(deps)
      await bringInputs(deps, request)
      const { onProgress, onCheckpoint = () => undefined, onPart = () => undefined } = request
      const answer = await engine.run(task, { signal, onProgress, onCheckpoint, onPart })
      if (answer.kind === 'engine-died') return signal.aborted ? { kind: 'stopped' } : answer
      const { outcome } = answer
      if (outcome.ok && fellBack(task, outcome.output)) await toolbox.doubtEncoder?.()
      if (!outcome.ok) return signal.aborted ? { kind: 'stopped' } : { kind: 'failed', ...outcome }
      if (STAGES[stage].reuse !== 'never') await deps.store?.keepResult({ stage, key: request.key }, signal)
      return { kind: 'finished', ...outcome }
    } finally {
      giveBack()
    }
  }

  /** On a worker node, which limits its own work; results are published here, so there must be space. */
  const runOnNode = (nodes: RemoteExecutor) => async (request: StageRequest) => {
    await refuseWhenFull(deps)
    await counted(request, () => storeInputs(deps, request))
    const spread = await makeParts(deps, { keyOf: keyHere, run }, request)
    if (spread.kind === 'ended') return spread.verdict
    const { invocation, key, signal } = request
    const models = await modelsOf(toolbox, invocation)
    const verdict = await nodes.run(await makeTask(deps, toolbox, spread.request), spread.request, models)
    if (verdict.kind !== 'finished') return verdict
    await deps.store?.keepResult({ stage: invocation.stage, key }, signal)
    return spread.join(verdict)
  }

  async function run(request: StageRequest): Promise<StageVerdict> {
    const { key, signal } = request
    try {
      // Waits for another computation of this key, whose result is then in the cache. Nothing is awaited between the
      // last check here and the entry below, or all waiting calls would compute at once.
      for (let other = computing.get(key); other !== undefined; other = computing.get(key)) {
        await Promise.race([other, whenAborted(signal)])
        signal.throwIfAborted()
      }
      const work = remote?.takes(request.invocation) === true ? runOnNode(remote) : compute
      let damaged = false
      const mine = fromCache(request, () => (damaged = true))
        .then((found) => found ?? work(request))
        .then((verdict) => (damaged ? withDamage(verdict, request.invocation.stage) : verdict))
      const settled = mine.catch(() => undefined)
      computing.set(key, settled)
      try {
        return await mine
      } finally {
        if (computing.get(key) === settled) computing.delete(key)
      }
    } catch (error) {
      if (signal.aborted) return { kind: 'stopped' }
      if (error instanceof AppError) return { kind: 'failed', failure: error.toFailure(), retryable: false }
      throw error
    }
  }

  return { keyOf: keyHere, run }
}

/** Encoders of the stages that encode; software is what a key without one means. */
async function encoderFor(
  toolbox: Toolbox,
  stage: StageInvocation['stage'],
): Promise<EncoderChoice | undefined> {
  const declaration: StageDeclaration = STAGES[stage]
  if (declaration.encodes !== true) return undefined
  const choice = await toolbox.encoder?.()
  const isUsual = choice?.way === 'software' && choice.complaint === undefined && choice.card === undefined
  return isUsual ? undefined : choice
}

/** Whether a stage that was to use a graphics card had to do without. */
function fellBack(task: StageTask, output: unknown): boolean {
  const { way = 'software', card } = task.encoder ?? {}
  return (
    (way !== 'software' || card !== undefined) && (output as { fellBack?: unknown } | null)?.fellBack === true
  )
}

/** The models that a stage would use, by their task: name and content. */
export async function modelsOf(
  toolbox: Pick<Toolbox, 'modelFingerprint'>,
  invocation: Pick<StageInvocation, 'stage' | 'params' | 'models'>,
): Promise<Record<string, string>> {
  const models: Record<string, string> = {}
  const { model: name } = invocation.params as { model?: string }
  const declaration: StageDeclaration = STAGES[invocation.stage]
  for (const task of invocation.models ?? declaration.models) {
    models[task] = await toolbox.modelFingerprint(task as ModelTask, name ?? '')
  }
  return models
}

async function keyOf(toolbox: Toolbox, invocation: StageInvocation, scope: string): Promise<string> {
  const declaration: StageDeclaration = STAGES[invocation.stage]
  const models = await modelsOf(toolbox, invocation)
  const encoder = await encoderFor(toolbox, invocation.stage)
  return contentKey({
    stage: invocation.stage,
    version: declaration.version,
    params: invocation.keyParams ?? invocation.params,
    inputs: Object.fromEntries(
      Object.entries(invocation.inputs).flatMap(([name, { identity, saves }]) =>
        saves === true ? [] : [[name, identity]],
      ),
    ),
    tools: declaration.tools.length === 0 ? {} : { media: (await toolbox.tools()).fingerprint },
    models,
    ...omitUndefined({ encoder }),
    ...(declaration.reuse === 'run' ? { scope } : {}),
  })
}

async function refuseWhenFull({ config, home }: Deps): Promise<void> {
  const free = await freeBytes(home.root)
  if (free >= config.minFreeBytes) return
  const megabytes = (bytes: number) => Math.round(bytes / 1024 ** 2)
  throw new AppError('DISK_FULL', {
    message: `${ERRORS.DISK_FULL.message} ${megabytes(free)} MB are free, ${megabytes(config.minFreeBytes)} MB are needed.`,
    details: { freeBytes: free, minFreeBytes: config.minFreeBytes },
  })
}

/** A stored result had changed on the disk and was computed again: people should check that disk. */
function withDamage(verdict: StageVerdict, stage: StageName): StageVerdict {
  if (verdict.kind !== 'finished') return verdict
  const warning = `A kept result (${stage}) was damaged on the disk and was made again; check the disk.`
  return { ...verdict, warnings: [...verdict.warnings, warning] }
}

/** A store that is away is a failed attempt at the stage, which otherwise would not be known to have been begun. */
async function counted<T>(request: StageRequest, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!request.signal.aborted) request.begin()
    throw error
  }
}

/**
 * A result that is here is written to the store, so that it counts; one that is not may come from there: without its footage
 * where `isNodes` says that nodes work on it.
 */
async function findKept(
  deps: Deps,
  request: StageRequest,
  { found, isNodes }: { readonly found: StoredResult | null; readonly isNodes: boolean },
) {
  const { charge, store, home } = deps
  const { key, signal, invocation } = request
  const { stage } = invocation
  // Nothing is begun, here or on a worker node, where another appliance took over.
  if (charge !== undefined) await counted(request, charge.require)
  if (store === undefined || STAGES[stage].reuse === 'never') return found
  if (found === null) {
    const bring = isNodes ? store.bringReadFiles : store.bringResult
    const isHere = await counted(request, () => bring({ stage, key }, signal))
    return isHere ? readResult(home.artefacts, { stage, version: STAGES[stage].version, key }) : null
  }
  await counted(request, () => store.keepResult({ stage, key }, signal))
  return found
}

/** Brings from the store what is missing here of what a stage works on. Fails where a source is nowhere. */
async function bringInputs({ home, store }: Deps, { invocation, signal }: StageRequest): Promise<void> {
  if (store !== undefined) {
    for (const { reference } of Object.values(invocation.inputs)) {
      if (reference.kind === 'source') await store.bringSource(reference.digest, signal)
      else await store.bringResult(reference, signal)
    }
    if (invocation.stage === 'ingest') {
      const { source } = invocation.params as ParamsOf<Stages['ingest']>
      if (source.kind === 'file' && dirname(source.path) === home.uploads)
        await store.bringFile(source.path, signal)
    }
    for (const digest of digestsIn(invocation.params)) {
      if (!existsSync(sourcePath(home.sources, digest))) await store.bringSource(digest, signal)
    }
  }
  await requireSources(home, invocation)
}

/** What a node works on is in the store before the node is told where; where there is none, it is here. */
async function storeInputs(deps: Deps, request: StageRequest): Promise<void> {
  const { home, store } = deps
  const { invocation, signal } = request
  if (store === undefined) return requireSources(home, invocation)
  for (const { reference } of Object.values(invocation.inputs)) {
    if (reference.kind === 'artefact') await store.keepResult(reference, signal)
    else if (existsSync(sourcePath(home.sources, reference.digest)))
      await store.keepSource(reference.digest, signal)
    else if (!(await store.has(sourcePath('sources', reference.digest))))
      await requireSources(home, invocation)
  }
  for (const digest of digestsIn(invocation.params)) {
    const isHere = existsSync(sourcePath(home.sources, digest)) || (await store.bringSource(digest, signal))
    if (isHere) await store.keepSource(digest, signal)
  }
}

/** A clip may outlive its source. This fails with a plain message, before some tool fails without one. */
async function requireSources(home: Deps['home'], { inputs }: StageInvocation): Promise<void> {
  for (const { reference } of Object.values(inputs)) {
    if (reference.kind !== 'source') continue
    const found = await stat(sourcePath(home.sources, reference.digest)).catch(() => null)
    if (found?.isFile() === true) continue
    throw new AppError('STAGE_FAILED', {
      message:
        'The source of this is not in the home any more. Start a run of the same video: it is fetched again, and this can go on.',
      details: { source: reference.digest },
    })
  }
}

/** The models with what they are by content, where they are still installed. */
async function fingerprinted(
  toolbox: Toolbox,
  models: NonNullable<StageRequest['madeWith']>,
): Promise<UsedModel[]> {
  const found = models.map(async ({ stage, model: name }): Promise<UsedModel> => {
    const declaration: StageDeclaration = STAGES[stage]
    for (const task of declaration.models) {
      const fingerprint = await toolbox.modelFingerprint(task as ModelTask, name)
      if (fingerprint.startsWith(`${name}@`)) return { stage, name, fingerprint }
    }
    return { stage, name }
  })
  return Promise.all(found)
}

async function makeTask({ config, home }: Deps, toolbox: Toolbox, request: StageRequest): Promise<StageTask> {
  const { stage, params, inputs } = request.invocation
  const { sources, artefacts, temporary } = home
  const encoder = await encoderFor(toolbox, stage)
  return {
    taskId: randomUUID(),
    stage,
    key: request.key,
    params,
    inputs: Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.reference])),
    folders: { sources, artefacts, temporary },
    tools: (await toolbox.tools()).paths,
    ...omitUndefined({ encoder }),
    ...(request.madeWith === undefined ? {} : { madeWith: await fingerprinted(toolbox, request.madeWith) }),
    inference: config.inference,
    modelFolders: config.modelFolders,
    resources: config.resources,
  }
}
