/**
 * Runs one stage in a pool thread, following its declaration: looks for a stored result, gives the handler its context,
 * validates parameters and output, and publishes the result. Never throws across the port; failures are values.
 */
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { AppError, ERRORS, type Failure } from '../server/contract/errors.ts'
import { collectSteadily } from '../server/steady-memory.mjs'
import {
  artefactFolder,
  isDiskFull,
  makeAttemptFolder,
  publishResult,
  readResult,
  RESULT_FILE,
  resumeFolder,
  sourcePath,
  type StoredResult,
} from './artefacts.ts'
import { inheritNetworkBlock } from './block-network.ts'
import { partInputs, type InputReference, type StageOutcome, type StageTask } from './protocol.ts'
import type { StageDeclaration } from './stages/declare.ts'
import { STAGES, type StageName } from './stages/catalog.ts'
import type { StageContext } from './stages/context.ts'
import { HANDLERS } from './stages/registry.ts'
import { omitUndefined } from '../server/contract/omit-undefined.ts'

/** What the engine sends to a thread. Through the port go progress out and `'cancel'` in. */
export interface PoolJob {
  readonly task: StageTask
  readonly port: MessagePort
}

export interface ProgressMessage {
  readonly fraction: number
  readonly note: string
}

/** How far the stage's checkpoints reach. */
export interface CheckpointMessage {
  readonly checkpoint: number
}

/** A part of the output, sent while the stage is running. */
export interface PartMessage {
  readonly part: unknown
}

/** Stages report progress as often as they like; more updates than this would not be visible. */
const PROGRESS_EVERY_MS = 200

/** The registry types each handler by its stage; here the values are checked by the declaration's schemas instead. */
type AnyHandler = (context: StageContext, params: unknown) => Promise<unknown>

inheritNetworkBlock()
collectSteadily()

export default async function runJob({ task, port }: PoolJob): Promise<StageOutcome> {
  const cancelled = new AbortController()
  port.on('message', (message) => {
    if (message === 'cancel') cancelled.abort(new AppError('CANCELLED'))
  })
  try {
    const sendPart = (part: unknown) => port.postMessage({ part: throughJson(part) } satisfies PartMessage)
    const sendCheckpoint = (checkpoint: number) =>
      port.postMessage({ checkpoint } satisfies CheckpointMessage)
    const report = createProgressReporter(port)
    return await runTask(task, cancelled.signal, { report, sendPart, sendCheckpoint })
  } catch (error) {
    return failureOutcome(task.stage, error, cancelled.signal)
  } finally {
    port.close()
  }
}

function createProgressReporter(port: MessagePort): (fraction: number, note: string) => void {
  let last = -Infinity
  return (fraction, note) => {
    const now = performance.now()
    if (now - last < PROGRESS_EVERY_MS && fraction < 1) return
    last = now
    port.postMessage({ fraction: Math.min(1, Math.max(0, fraction)), note } satisfies ProgressMessage)
  }
}

type Report = (fraction: number, note: string) => void

/** Receives progress, checkpoints and parts of the output while a stage runs. */
interface Listener {
  readonly report: Report
  readonly sendPart: (part: unknown) => void
  readonly sendCheckpoint: (position: number) => void
}

async function runTask(task: StageTask, signal: AbortSignal, listener: Listener): Promise<StageOutcome> {
  const { stage, key, folders } = task
  const declaration: StageDeclaration = STAGES[stage]
  const identity = { stage, version: declaration.version, key }
  check(declaration.params, task.params, `parameters of the stage ${stage}`)
  if (declaration.reuse === 'never') return runUnstored(task, signal, listener)
  const found = await readResult(folders.artefacts, identity)
  if (found !== null) return success(found, true)

  const attempt = await makeAttemptFolder(folders.temporary)
  const resumable = declaration.resumes === true
  const scratch = resumable ? resumeFolder(folders.temporary, key) : join(attempt, 'scratch')
  const folder = join(attempt, 'artefact')
  let keepScratch = false
  try {
    await mkdir(scratch, { recursive: true, mode: 0o700 })
    await mkdir(folder, { mode: 0o700 })
    const warnings: string[] = []
    const started = performance.now()
    const output = await handle(task, { folder, scratch, signal, warnings, ...listener })
    check(declaration.output, output, `results of the stage ${stage}`)
    const milliseconds = Math.round(performance.now() - started)
    const result = { ...identity, output, warnings: [...new Set(warnings)], milliseconds }
    return success(await publishResult(folders.artefacts, folder, result), false)
  } catch (error) {
    // When aborted, the appliance is stopping or the run has ended; in the latter case the server removes the scratch folder.
    keepScratch = resumable && (signal.aborted || isRetryable(error))
    throw error
  } finally {
    await rm(attempt, ENDED)
    if (!keepScratch) await rm(scratch, ENDED)
  }
}

/** The handler's output. What it had going on beside a part that failed is stopped. */
async function handle(task: StageTask, parts: ContextParts): Promise<unknown> {
  const failed = new AbortController()
  try {
    const handler = (await HANDLERS[task.stage]()) as AnyHandler
    const signal = AbortSignal.any([parts.signal, failed.signal])
    const output: unknown = throughJson(await handler(makeContext(task, { ...parts, signal }), task.params))
    parts.signal.throwIfAborted()
    return output
  } catch (error) {
    failed.abort(error)
    throw error
  }
}

/** What is being stopped may still be writing for a moment; that must not take the place of why the stage failed. */
const ENDED = { recursive: true, force: true, maxRetries: 5 } as const

/** Runs a stage of which nothing is written to the disk. */
async function runUnstored(task: StageTask, signal: AbortSignal, listener: Listener): Promise<StageOutcome> {
  const started = performance.now()
  const warnings: string[] = []
  const output = await handle(task, { folder: '', scratch: '', signal, warnings, ...listener })
  check(STAGES[task.stage].output, output, `results of the stage ${task.stage}`)
  return { ok: true, output, warnings, milliseconds: Math.round(performance.now() - started), reused: false }
}

function success(stored: StoredResult, reused: boolean): StageOutcome {
  const { output, warnings, milliseconds } = stored
  return { ok: true, output, warnings, milliseconds, reused }
}

/** Goes through JSON as in result.json, so that a fresh result equals a reused one. */
function throughJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? 'null')
}

function check(schema: TSchema, value: unknown, what: string): void {
  if (Value.Check(schema, value)) return
  const first = Value.Errors(schema, value).First()
  throw new AppError('STAGE_FAILED', {
    message: `The ${what} do not match the stage's declaration: ${first?.path ?? ''} ${first?.message ?? ''}.`,
    details: { path: first?.path },
  })
}

interface ContextParts extends Listener {
  readonly folder: string
  readonly scratch: string
  readonly signal: AbortSignal
  readonly warnings: string[]
}

function makeContext(task: StageTask, parts: ContextParts): StageContext {
  const { folders } = task
  const reference = (name: string): InputReference => {
    const found = task.inputs[name]
    if (found === undefined) throw new Error(`stage ${task.stage} was given no input "${name}"`)
    return found
  }
  const pathOf = (input: InputReference): string =>
    input.kind === 'source'
      ? sourcePath(folders.sources, input.digest)
      : artefactFolder(folders.artefacts, input.stage, input.key)
  return {
    folder: parts.folder,
    input: (name) => pathOf(reference(name)),
    hasInput: (name) => task.inputs[name] !== undefined,
    inputResult: async (name) => {
      const input = reference(name)
      if (input.kind === 'source') throw new Error(`input "${name}" is a source and has no result`)
      const stored = JSON.parse(await readFile(join(pathOf(input), RESULT_FILE), 'utf8')) as StoredResult
      return stored.output
    },
    parts: partInputs(task.inputs).map(pathOf),
    progress: (fraction, note = '') => parts.report(fraction, note),
    checkpoint: (position) => parts.sendCheckpoint(position),
    part: (value) => parts.sendPart(value),
    warn: (message) => void parts.warnings.push(message),
    signal: parts.signal,
    tools: task.tools,
    ...omitUndefined({ encoder: task.encoder, inference: task.inference, madeWith: task.madeWith }),
    modelFolders: task.modelFolders,
    resources: task.resources,
    sources: folders.sources,
    temporary: parts.scratch,
  }
}

/** Whether a tool was killed from outside, according to this error or one of its causes. */
function killedBySignal(error: unknown): boolean {
  for (let at = error, depth = 0; depth < 10 && at instanceof Error; depth++, at = at.cause) {
    if (at instanceof AppError && typeof at.details?.['signal'] === 'string') return true
  }
  return false
}

/**
 * Whether another attempt makes sense: a tool was killed, or an unexpected error may have been an accident. An error that a
 * stage throws deliberately about its input would only be thrown again.
 */
function isRetryable(error: unknown): boolean {
  if (isDiskFull(error)) return false
  return !(error instanceof AppError) || (error.code !== 'CANCELLED' && killedBySignal(error))
}

const MAX_STDERR_CHARACTERS = 4000

function failureOutcome(stage: StageName, error: unknown, signal: AbortSignal): StageOutcome {
  if (signal.aborted)
    return { ok: false, failure: { code: 'CANCELLED', message: ERRORS.CANCELLED.message }, retryable: false }
  return { ok: false, failure: describe(stage, error), retryable: isRetryable(error) }
}

function describe(stage: StageName, error: unknown): Failure {
  if (isDiskFull(error)) return { code: 'DISK_FULL', message: ERRORS.DISK_FULL.message }
  if (error instanceof AppError) {
    const failure = error.toFailure()
    const stderr = failure.details?.['stderr']
    return typeof stderr === 'string'
      ? { ...failure, details: { ...failure.details, stderr: stderr.slice(-MAX_STDERR_CHARACTERS) } }
      : failure
  }
  const message = error instanceof Error ? error.message : String(error)
  // The stack goes to the log, through the engine's stderr; users see the sentence only.
  process.stderr.write(
    `${JSON.stringify({ time: new Date().toISOString(), level: 'error', message: 'stage failed unexpectedly', stage, stack: error instanceof Error ? error.stack : message })}\n`,
  )
  return {
    code: 'STAGE_FAILED',
    message: `${STAGES[stage].label} failed unexpectedly: ${message}`,
    details: { stage },
  }
}
