/**
 * The server's side of the engine: starts it with the first task, restarts it after it died, ends it when it has been
 * idle for a while. Tasks of an engine that died are answered `engine-died`; the caller decides whether to try again.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { ENGINE_FLAGS } from '../steady-memory.mjs'
import { engineEnvironment } from '../config/config.ts'
import type { EngineEvent, EngineRequest, StageOutcome, StageTask } from '../../workers/protocol.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'
import type { Logger } from '../log.ts'
import { fileURLToPath } from 'node:url'

export type EngineAnswer =
  { readonly kind: 'outcome'; readonly outcome: StageOutcome } | { readonly kind: 'engine-died' }

export interface TaskOptions {
  readonly signal: AbortSignal
  readonly onProgress?: (fraction: number, note: string) => void
  /** How far the stage's checkpoints reach. */
  readonly onCheckpoint?: (position: number) => void
  /** A part of the output that a stage delivers while it runs. */
  readonly onPart?: (part: unknown) => void
}

export interface EngineClient {
  run(task: StageTask, options: TaskOptions): Promise<EngineAnswer>
  /** Process id of the engine, null while none runs. */
  pid(): number | null
  /** Ends the engine; whatever it was doing is answered `engine-died`. */
  stop(): Promise<void>
}

export interface EngineOptions {
  readonly entryPoints: EntryPoints
  readonly threads: number
  /** Somebody waits for each of its answers, so it has the usual priority. */
  readonly urgent?: true
  /** `off`: connects only to this machine; default: on. */
  readonly network?: 'on' | 'off'
  readonly log: Logger
  /** An engine that is idle for this long is ended, to free its memory. */
  readonly idleMs?: number
  /** An engine has ended, in whatever way: what it was working on may be removed. */
  readonly onGone?: (pid: number) => Promise<void>
}

interface Pending {
  readonly resolve: (answer: EngineAnswer) => void
  readonly onProgress: (fraction: number, note: string) => void
  readonly onCheckpoint: (position: number) => void
  readonly onPart: (part: unknown) => void
}

interface Engine {
  readonly child: ChildProcess
  readonly pending: Map<string, Pending>
  readonly gone: Promise<void>
}

const STOP_GRACE_MS = 2000

const DEAF: Omit<Pending, 'resolve'> = {
  onProgress: () => undefined,
  onCheckpoint: () => undefined,
  onPart: () => undefined,
}

export function createEngineClient(options: EngineOptions): EngineClient {
  const { log, idleMs = 60_000 } = options
  let engine: Engine | null = null
  let idleTimer: NodeJS.Timeout | null = null

  function start(): Engine {
    const child = forkEngine(options)
    const pending = new Map<string, Pending>()
    const gone = new Promise<void>((resolve) => {
      const end = (why: string): void => {
        if (engine?.child === child) engine = null
        if (pending.size > 0) log.warn('the engine ended with unfinished tasks', { why, tasks: pending.size })
        for (const task of pending.values()) task.resolve({ kind: 'engine-died' })
        pending.clear()
        resolve()
        if (child.pid !== undefined) void cleanUp(options, child.pid)
      }
      child.once('exit', (code, signal) => end(signal ?? `code ${String(code)}`))
      child.once('error', (error) => end(error.message))
    })
    child.on('message', (event: EngineEvent) => obey({ child, pending, gone }, event))
    return { child, pending, gone }
  }

  function obey(from: Engine, event: EngineEvent): void {
    if (event.kind === 'ready')
      return log.debug('the engine is ready', { pid: event.pid, threads: event.threads })
    const task = from.pending.get(event.taskId)
    if (task === undefined) return
    if (event.kind !== 'outcome') return notifySafely(() => deliver(task, event))
    from.pending.delete(event.taskId)
    task.resolve({ kind: 'outcome', outcome: event.outcome })
    if (from.pending.size === 0) waitIdle()
  }

  /** A failing listener must not stop the server: on a full disk progress cannot be stored, and the work continues. */
  function notifySafely(notify: () => void): void {
    try {
      notify()
    } catch (error) {
      log.warn('progress could not be noted', { error })
    }
  }

  function waitIdle(): void {
    if (idleTimer !== null) clearTimeout(idleTimer)
    idleTimer = setTimeout(() => {
      if (engine !== null && engine.pending.size === 0) void end(engine)
    }, idleMs)
    idleTimer.unref()
  }

  function send(to: Engine, request: EngineRequest): void {
    // A failed send means that it is dying: its 'exit' answers the tasks.
    if (to.child.connected) to.child.send(request, () => undefined)
  }

  async function end(which: Engine): Promise<void> {
    if (engine === which) engine = null
    send(which, { kind: 'shutdown' })
    const force = setTimeout(() => which.child.kill('SIGKILL'), STOP_GRACE_MS)
    await which.gone
    clearTimeout(force)
  }

  return {
    run: (task, { signal, ...listeners }) => {
      if (idleTimer !== null) clearTimeout(idleTimer)
      engine ??= start()
      const current = engine
      return new Promise((resolve) => {
        const onAbort = (): void => send(current, { kind: 'cancel', taskId: task.taskId })
        const settle = (answer: EngineAnswer): void => {
          signal.removeEventListener('abort', onAbort)
          resolve(answer)
        }
        current.pending.set(task.taskId, { ...DEAF, ...omitUndefined(listeners), resolve: settle })
        send(current, { kind: 'run', task })
        if (signal.aborted) onAbort()
        else signal.addEventListener('abort', onAbort, { once: true })
      })
    },
    pid: () => engine?.child.pid ?? null,
    stop: async () => {
      if (idleTimer !== null) clearTimeout(idleTimer)
      if (engine !== null) await end(engine)
    },
  }
}

type News = Extract<EngineEvent, { kind: 'progress' | 'checkpoint' | 'part' }>

function deliver(task: Pending, event: News): void {
  if (event.kind === 'part') task.onPart(event.part)
  else if (event.kind === 'checkpoint') task.onCheckpoint(event.position)
  else task.onProgress(event.fraction, event.note)
}

function forkEngine({ entryPoints, threads, urgent, network = 'on' }: EngineOptions): ChildProcess {
  const { engine, poolThread, reaper } = entryPoints
  return fork(engine, [JSON.stringify({ threads, poolThread, reaper, network, urgent })], {
    execArgv: [...ENGINE_FLAGS],
    env: engineEnvironment(),
    // Its stdout must not mix with the server's: `serve --json` prints exactly one line there.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

async function cleanUp({ onGone, log }: EngineOptions, pid: number): Promise<void> {
  try {
    await onGone?.(pid)
  } catch (error) {
    log.warn('what an engine left behind could not be removed', { pid, error })
  }
}

export interface EntryPoints {
  /** The engine: child process that holds the pool. */
  readonly engine: string
  /** What a pool thread loads. */
  readonly poolThread: string
  /** Kills the tools of an engine that died. */
  readonly reaper: string
}

/** Entry files of the same kind as `moduleUrl`, which is this file by default. */
export function entryPoints(moduleUrl: string = import.meta.url): EntryPoints {
  const at = (path: string) => fileURLToPath(new URL(path, moduleUrl))
  return new URL(moduleUrl).pathname.endsWith('.ts')
    ? {
        engine: at('../../workers/engine.ts'),
        poolThread: at('../../workers/entry.ts'),
        reaper: at('../../workers/media/reaper-process.ts'),
      }
    : { engine: at('./engine.js'), poolThread: at('./pool-thread.js'), reaper: at('./reaper.js') }
}
