/**
 * The engine: a child process of the server that holds the thread pool, so that a crash in native code ends the engine and
 * not the server. It exchanges EngineRequest and EngineEvent over IPC and exits as soon as its parent is gone.
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { collectSteadily } from '../server/steady-memory.mjs'
import type { CheckpointMessage, PartMessage, ProgressMessage } from './entry.ts'
import { blockNetwork } from './block-network.ts'
import { startReaper } from './media/reaper.ts'
import { lowerPriority } from './media/priority.ts'
import type { EngineEvent, EngineRequest, StageOutcome, StageTask } from './protocol.ts'

/** The one command line argument, as JSON. */
export interface EngineSettings {
  readonly threads: number
  readonly poolThread: string
  readonly reaper: string
  /** Somebody waits for each answer: it does not step back behind other programs. */
  readonly urgent?: true
  /** `off`: this process and its threads connect to nothing but this machine. */
  readonly network?: 'on' | 'off'
}

/** A thread that has not reacted to a cancel after this time is terminated. */
const CANCEL_GRACE_MS = 5000
/** Idle threads keep their models loaded; the server ends the whole engine when there is no more work. */
const THREAD_IDLE_MS = 3_600_000
/** Size of each thread's young generation. By default it grows with the length of the source, in every thread. */
const THREAD_YOUNG_MB = 8

interface RunningTask {
  readonly port: MessagePort
  readonly hardStop: AbortController
  timer: NodeJS.Timeout | null
}

function startEngine(settings: EngineSettings): void {
  if (settings.urgent !== true) lowerPriority()
  collectSteadily()
  if (settings.network === 'off') blockNetwork()
  const reaper = startReaper(settings.reaper)
  const pool = new Piscina({
    filename: settings.poolThread,
    minThreads: 1,
    maxThreads: settings.threads,
    idleTimeout: THREAD_IDLE_MS,
    resourceLimits: { maxYoungGenerationSizeMb: THREAD_YOUNG_MB },
    // Idle threads must keep their event loop running: loaded libraries have timers and sockets of their own.
    atomics: 'disabled',
  })
  const running = new Map<string, RunningTask>()

  const exit = (code: number): void => {
    reaper.close()
    process.exit(code)
  }

  async function run(task: StageTask): Promise<void> {
    const { port1, port2 } = new MessageChannel()
    const entry: RunningTask = { port: port1, hardStop: new AbortController(), timer: null }
    running.set(task.taskId, entry)
    const { taskId } = task
    port1.on('message', (message: ProgressMessage | CheckpointMessage | PartMessage) => {
      if ('part' in message) send({ kind: 'part', taskId, part: message.part })
      else if ('checkpoint' in message) send({ kind: 'checkpoint', taskId, position: message.checkpoint })
      else send({ kind: 'progress', taskId, fraction: message.fraction, note: message.note })
    })
    const outcome = await outcomeOf(pool, { task, port: port2 }, port2, entry.hardStop.signal)
    running.delete(task.taskId)
    if (entry.timer !== null) clearTimeout(entry.timer)
    port1.close()
    send({ kind: 'outcome', taskId: task.taskId, outcome })
  }

  function cancel(taskId: string): void {
    const entry = running.get(taskId)
    if (entry === undefined || entry.timer !== null) return
    entry.port.postMessage('cancel')
    entry.timer = setTimeout(() => entry.hardStop.abort(), CANCEL_GRACE_MS)
  }

  process.on('message', (request: EngineRequest) => {
    if (request.kind === 'run') void run(request.task)
    else if (request.kind === 'cancel') cancel(request.taskId)
    else exit(0)
  })
  process.on('disconnect', () => exit(0))
  // Ctrl-C is sent to the whole process group; the server decides when to stop the engine.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  send({ kind: 'ready', pid: process.pid, threads: settings.threads })
}

async function outcomeOf(
  pool: Piscina,
  job: { task: StageTask; port: MessagePort },
  port: MessagePort,
  signal: AbortSignal,
): Promise<StageOutcome> {
  try {
    return (await pool.run(job, { transferList: [port], signal })) as StageOutcome
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return signal.aborted
      ? { ok: false, failure: { code: 'CANCELLED', message: 'The work was cancelled.' }, retryable: false }
      : {
          ok: false,
          failure: { code: 'STAGE_FAILED', message: `The worker ended: ${message}` },
          retryable: true,
        }
  }
}

function send(event: EngineEvent): void {
  // The channel may be closed already: the 'disconnect' event then ends this process.
  if (process.connected) process.send?.(event, undefined, undefined, () => undefined)
}

startEngine(JSON.parse(process.argv[2] ?? '') as EngineSettings)
