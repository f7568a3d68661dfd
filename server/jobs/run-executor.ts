/** Executes the operation `run`. All state is in the database: it goes on wherever the process was killed. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { failureOf } from '../contract/errors.ts'
import { advanceOperation, type Operation, setOperationProgress } from '../db/operations.ts'
import { listOpenPicks } from '../db/picks.ts'
import {
  addRunWarnings,
  advanceRun,
  cancelRunningStages,
  deleteCancelledStages,
  deleteStage,
  getRun,
  listRunStages,
  releaseRunningStages,
  saveStageCheckpoint,
  saveStageFailed,
  saveStageFinished,
  saveStageStarted,
  setRunProgress,
  type Run,
} from '../db/runs.ts'
import { findKnownSource, type KnownSource } from '../db/sources.ts'
import { serviceStates } from '../domain/runs/plan/broll-providers.ts'
import { ownedFiles } from '../domain/library/quota.ts'
import { analysisNeeds } from '../nodes/index.ts'
import { reachable } from '../reachable.ts'
import { type SlotResult, type StageInvocation, RECORD_SLOT } from '../domain/runs/plan/plan-draft.ts'
import type { PlanEnvironment } from '../domain/runs/plan/plan-input.ts'
import { languageModelState, withModelServers } from '../domain/settings/model-servers.ts'
import { RESULT_STAGES } from '../domain/settings/retention.ts'
import { hasModel } from '../domain/models/models.ts'
import { pageSources, openAccess, TURNED_OFF } from '../domain/runs/source-access.ts'
import { webVideosAreOff } from '../domain/settings/web-videos.ts'
import type { Services } from '../domain/services.ts'
import { artefactFolder, resumeFolder, sourcePath } from '../../workers/artefacts.ts'
import type { Stages, StageName } from '../../workers/stages/catalog.ts'
import type { OutputOf } from '../../workers/stages/declare.ts'
import { attemptStage, whenAborted, type StageRunner } from './attempt-stage.ts'
import { createRunParts, type PlanWithPicks } from './run-parts.ts'
import { nextTurn } from './lanes.ts'
import { rememberSource, removePieces, storeChunk, storePart } from './store-parts.ts'
import type { Db } from '../db/client.ts'
import { traceOperation, type OperationTrace } from './operation-trace.ts'
import type { Verdict } from './verdict.ts'
import type { Tracer } from '../traces/tracer.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'

/** What the executors work with; made by the orchestrator. */
export interface Machine {
  readonly services: Omit<Services, 'jobs'>
  readonly stages: StageRunner
  /** Finds the speech model. `named`: the model that the workflow names; empty: none. */
  readonly speech: (named: string) => Promise<PlanEnvironment['speech']>
  /** Absent: no traces are made. */
  readonly tracer?: Tracer
}

const PROGRESS_EVERY_MS = 500
/** A cancelled operation ends after this time at the latest, even when its stages have not stopped. */
const STOP_WAIT_MS = 800

export async function executeRun(
  machine: Machine,
  operation: Operation,
  signal: AbortSignal,
): Promise<Verdict> {
  const { services } = machine
  const run = getRun(services.db, operation.subjectId)
  if (run === null) return { kind: 'failed', failure: failureOf('TRIGGER_NOT_FOUND') }
  if (run.status === 'Completed') return { kind: 'succeeded', result: null } // the crash came after the last commit
  advanceRun(services.db, run.id, 'Processing', services.now())
  return executeLoop(machine, run, operation, signal)
}

/**
 * Executes the operation `pick`: the open picks of a run. The run itself has ended, or its own operation goes on first and
 * takes them along. A pick that fails ends alone.
 */
export async function executePicks(
  machine: Machine,
  operation: Operation,
  signal: AbortSignal,
): Promise<Verdict> {
  const { db } = machine.services
  const run = getRun(db, operation.subjectId)
  if (run === null) return { kind: 'failed', failure: failureOf('TRIGGER_NOT_FOUND') }
  if (listOpenPicks(db, run.id).length === 0) return { kind: 'succeeded', result: null }
  deleteCancelledStages(db, run.id)
  forgetRemovedResults(machine.services, run.id)
  return executeLoop(machine, run, operation, signal)
}

/** Lets results that were removed after a while be made again, from the stored source. */
function forgetRemovedResults({ db, home }: Machine['services'], runId: string): void {
  for (const { slot, stage, key, state } of listRunStages(db, runId)) {
    const isRemoved = state === 'finished' && RESULT_STAGES.includes(stage)
    if (isRemoved && !existsSync(artefactFolder(home.artefacts, stage, key))) deleteStage(db, runId, slot)
  }
}

/**
 * Has what the run's finished stages made here, where the run was begun on another machine. What is nowhere any more is made
 * again. Throws STORE_UNAVAILABLE, the signal's reason.
 */
async function bringFinished(
  { charge, db, home, store }: Machine['services'],
  runId: string,
  signal: AbortSignal,
): Promise<void> {
  if (charge === undefined || store === undefined) return
  for (const { slot, stage, key, state } of listRunStages(db, runId)) {
    // What a live event has recorded is no result before its end.
    const isResult = state === 'finished' && key !== '' && stage !== 'record'
    if (!isResult || existsSync(artefactFolder(home.artefacts, stage, key))) continue
    if (!(await store.bringResult({ stage, key }, signal))) deleteStage(db, runId, slot)
  }
}

async function executeLoop(
  machine: Machine,
  run: Run,
  operation: Operation,
  signal: AbortSignal,
): Promise<Verdict> {
  const { services } = machine
  try {
    await bringFinished(services, run.id, signal)
  } catch (error) {
    if (signal.aborted) return { kind: 'stopped' }
    throw error
  }
  const trace =
    machine.tracer === undefined ? undefined : traceOperation(machine.tracer, operation, services.now)
  const parts = createRunParts(services, run, { picksOnly: operation.kind === 'pick' })
  const runLoop = createRunLoop(machine, run, { operation, signal, parts, trace })
  const verdict = await runLoop.execute()
  trace?.ended(verdict, signal)
  if (verdict.kind !== 'stopped' || signal.reason === 'cancel') await dropPartialWork(services, run.id)
  return verdict
}

/** Removes the files from which stages of an ended run could have been resumed, and what only they needed. */
async function dropPartialWork(services: Machine['services'], runId: string): Promise<void> {
  const stages = listRunStages(services.db, runId)
  for (const { key } of stages)
    await rm(resumeFolder(services.home.temporary, key), { recursive: true, force: true })
  await removePieces(services, stages)
}

interface CurrentPlan {
  readonly plan: PlanWithPicks
  readonly results: ReadonlyMap<string, SlotResult>
}

interface LoopWork {
  readonly operation: Operation
  readonly signal: AbortSignal
  readonly parts: ReturnType<typeof createRunParts>
  readonly trace: OperationTrace | undefined
}

function createRunLoop(machine: Machine, run: Run, { operation, signal, parts, trace }: LoopWork) {
  const { services } = machine
  const { db, now } = services
  const halt = new AbortController()
  const stageSignal = AbortSignal.any([signal, halt.signal])
  const inFlight = new Map<string, Promise<void>>()
  const stageProgress = { fractions: new Map<string, number>(), notes: new Map<string, string>() }
  let defect: unknown = null
  let lastReport = 0
  /** Resolved when a stage has delivered a part of its output, so that the run can be planned again before it ends. */
  let partStored = Promise.withResolvers<void>()

  /** The newest plan, so that progress is computed by it and not by the plan under which the stage began. */
  let current: CurrentPlan | null = null

  function report(force: boolean): void {
    if (current === null) return
    const { plan, results } = current
    if (!force && performance.now() - lastReport < PROGRESS_EVERY_MS) return
    lastReport = performance.now()
    const { progress, label } = parts.describe(plan, results, stageProgress)
    if (plan.main !== null) setRunProgress(db, run.id, progress, label, now())
    setOperationProgress(db, operation.id, progress, now())
  }

  function start(invocation: StageInvocation, onProgressReported: () => void): void {
    const onProgress = (fraction: number, note: string): void => {
      stageProgress.fractions.set(invocation.slot, fraction)
      stageProgress.notes.set(invocation.slot, note)
      onProgressReported()
    }
    const listeners = {
      onProgress,
      onPartStored: () => partStored.resolve(),
      onAdvance: () => countAnew(services, operation),
      ...omitUndefined({ trace }),
    }
    const work = runSlot(machine, run, invocation, stageSignal, listeners)
      .catch((error: unknown) => {
        defect ??= error
        halt.abort(error)
      })
      .finally(() => inFlight.delete(invocation.slot))
    inFlight.set(invocation.slot, work)
  }

  async function stop(): Promise<Verdict> {
    await stopStages(halt, inFlight)
    if (signal.reason === 'cancel') cancelRunningStages(db, run.id, now())
    else releaseRunningStages(db, run.id)
    return { kind: 'stopped' }
  }

  async function execute(): Promise<Verdict> {
    const stopped = whenAborted(signal)
    for (;;) {
      if (signal.aborted) return stop()
      if (defect !== null) {
        await stopStages(halt, inFlight)
        throw defect as Error
      }
      const environment = await environmentOf(machine, run)
      const currentResults = resultsOf(services, run.id)
      await parts.prepare(currentResults, environment)
      await nextTurn()
      partStored = Promise.withResolvers()
      // No await from here to the start of the ready stages: a stage that ended in between would be started again.
      const results = resultsOf(services, run.id)
      const plan = parts.plan(results, environment, new Set(inFlight.keys()))
      addRunWarnings(db, run.id, plan.warnings)
      current = { plan, results }
      report(true)
      parts.showFinished(plan, results)
      if (plan.failure !== undefined) {
        await stopStages(halt, inFlight)
        cancelRunningStages(db, run.id, now())
        return { kind: 'failed', failure: plan.failure }
      }
      if (plan.done) return { kind: 'succeeded', result: parts.finish() }
      for (const invocation of plan.ready) {
        if (!inFlight.has(invocation.slot)) start(invocation, () => report(false))
      }
      await Promise.race([...inFlight.values(), stopped, partStored.promise])
    }
  }

  return { execute }
}

/** The stages of a run that came to an end, by place. */
function resultsOf({ db }: Machine['services'], runId: string): Map<string, SlotResult> {
  const results = new Map<string, SlotResult>()
  for (const { slot, state, key, output, failure } of listRunStages(db, runId)) {
    if (state !== 'running') results.set(slot, { state, key, output, failure })
  }
  return results
}

async function environmentOf({ services, speech }: Machine, run: Run): Promise<PlanEnvironment> {
  const knownFile = knownSource(services, run)
  const model = await speech(analysisNeeds(run.snapshot.nodes).speechModel)
  return {
    ...(await applianceEnvironment(withModelServers(services), model)),
    known: knownFile,
    // A stored source is not fetched again, so the run continues even when the key of the secrets is missing.
    access: knownFile === null ? openAccess(services.home, run.snapshot.source) : null,
    ownsFile: ownedFiles(services, run.companyId),
    ...(webVideosAreOff(services) ? { pages: TURNED_OFF } : {}),
  }
}

/** What a plan needs to know of the appliance, whichever source it is for. */
export async function applianceEnvironment(
  config: Machine['services']['config'],
  speech: PlanEnvironment['speech'],
): Promise<PlanEnvironment> {
  return {
    addresses: reachable(config),
    maxSourceBytes: config.maxSourceBytes,
    minFreeBytes: config.minFreeBytes,
    idleTimeoutSeconds: config.sourceIdleTimeoutSeconds,
    totalTimeoutSeconds: config.sourceTotalTimeoutSeconds,
    streams: config.streams,
    known: null,
    services: serviceStates(config),
    pages: pageSources(config),
    speech,
    faces: await hasModel(config, 'faces'),
    activeSpeaker: await hasModel(config, 'active-speaker'),
    voiceActivity: await hasModel(config, 'voice-activity'),
    speakers: await hasModel(config, 'speakers'),
    sounds: await hasModel(config, 'sound-events'),
    judge: languageModelState(config),
  }
}

/** The stored source of the run's address; null when its file is missing. */
function knownSource({ db, home }: Machine['services'], run: Run): KnownSource | null {
  const { source } = run.snapshot
  const stored = source.kind === 'url' ? findKnownSource(db, source.url) : null
  return stored !== null && existsSync(sourcePath(home.sources, stored.digest)) ? stored : null
}

/** Aborts the running stages and waits a moment for them to end. */
async function stopStages(
  halt: AbortController,
  inFlight: ReadonlyMap<string, Promise<void>>,
): Promise<void> {
  halt.abort()
  const patience = new Promise((resolve) => setTimeout(resolve, STOP_WAIT_MS).unref())
  await Promise.race([Promise.all(inFlight.values()), patience])
}

/** Attempts of the operation count from here. */
function countAnew({ db, now }: Machine['services'], { id, leaseOwner }: Operation): void {
  if (leaseOwner !== null) advanceOperation(db, id, leaseOwner, now())
}

interface SlotListeners {
  readonly onProgress: (fraction: number, note: string) => void
  readonly onPartStored?: () => void
  /** The run came further: the stage finished, or its checkpoints reach further than ever. */
  readonly onAdvance?: () => void
  readonly trace?: OperationTrace
}

/** Runs the stage of one slot and stores its result; stores nothing when it was stopped. */
export async function runSlot(
  machine: Machine,
  run: Run,
  invocation: StageInvocation,
  signal: AbortSignal,
  { onProgress, onPartStored, onAdvance, trace }: SlotListeners,
): Promise<void> {
  const { services, stages } = machine
  const { db, now } = services
  const { slot, stage } = invocation
  const stageTrace = trace?.stage(invocation)
  const traced = stageTrace === undefined ? {} : { traceparent: stageTrace.traceparent }
  const key = await stages.keyOf(invocation, run.id)
  const madeWith = stage === 'render' ? { madeWith: modelsOfRun(db, run.id) } : {}
  const place = { companyId: run.companyId, urgent: false }
  const onPart = (part: unknown): void => {
    storePart(services, run, stage, key, part)
    onPartStored?.()
  }
  const onWaiting = (why: string): void => addRunWarnings(db, run.id, [why])
  const listeners = { onProgress, onPart, onWaiting }
  const verdict = await attemptStage({
    begin: () => {
      stageTrace?.started()
      return saveStageStarted(db, { runId: run.id, slot, stage, key, now: now() })
    },
    work: (begin, onCheckpoint) =>
      stages.run({
        invocation,
        key,
        ...place,
        ...madeWith,
        ...traced,
        signal,
        ...listeners,
        onCheckpoint,
        begin,
      }),
    onCheckpoint: (checkpoint) => {
      const isFurther = saveStageCheckpoint(db, { runId: run.id, slot, key, checkpoint })
      if (isFurther) onAdvance?.()
      return isFurther
    },
    signal,
  })
  stageTrace?.ended(verdict, signal)
  if (verdict.kind === 'done' || verdict.kind === 'stopped') return
  if (verdict.kind === 'failed') {
    const { failure } = verdict
    services.log.warn('a stage failed', { run: run.id, slot, code: failure.code, reason: failure.message })
    return saveStageFailed(db, { runId: run.id, slot, failure, now: now() })
  }
  const { output, reused, milliseconds, warnings } = verdict
  if (slot === RECORD_SLOT) {
    // Chunks that were already stored while the stage ran are skipped.
    for (const chunk of (output as OutputOf<Stages['record']>).chunks) storeChunk(services, run, key, chunk)
  }
  saveStageFinished(db, { runId: run.id, slot, output, reused, milliseconds, warnings, now: now() }, () => {
    if (stage === 'ingest') rememberSource(services, run, output as OutputOf<Stages['ingest']>)
  })
  onAdvance?.()
}

export function modelsOfRun(db: Db, runId: string): { stage: StageName; model: string }[] {
  return listRunStages(db, runId).flatMap(({ stage, output }) => {
    const model = (output as { model?: unknown } | null)?.model
    return typeof model === 'string' ? [{ stage, model }] : []
  })
}
