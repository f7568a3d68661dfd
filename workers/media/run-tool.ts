/**
 * Starts ffmpeg, ffprobe and yt-dlp; nothing else does. Arguments come as arrays from the pure builders in `arguments/`.
 * Children get their own process group, are reported to the engine's reaper, and are killed when the task is cancelled.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { basename, delimiter, dirname } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { AppError } from '../../server/contract/errors.ts'
import { localInputs } from './arguments/input.ts'
import { confineTool, findConfined, isConfined, signalOfCode, type ToolStart } from './confine.ts'
import { isDiskFull } from './disk.ts'
import {
  ignorePipeErrors,
  isBrokenPipe,
  findMeaningfulLine,
  createProgressReader,
  createTailBuffer,
} from './pipes.ts'
import { reportChildStarted, reportChildEnded } from './reaper.ts'
import { lowerToolPriority } from './priority.ts'

export interface ToolRun {
  readonly executable: string
  readonly args: readonly string[]
  readonly signal?: AbortSignal
  /** Seconds of media written so far, from ffmpeg's `-progress` output (the arguments for it are added here). */
  readonly onProgress?: (outputSeconds: number) => void
  /** Receives stdout as it arrives; return a promise to apply backpressure. */
  readonly onStdout?: (chunk: Buffer) => Promise<void> | undefined | void
  /** Writers for extra pipes: index 0 is fd 3, index 1 is fd 4... Each must end its stream. See `writeChunk`. */
  readonly inputs?: readonly ((pipe: Writable) => Promise<void>)[]
  /** Readers for extra output pipes, on the file descriptors after the inputs. */
  readonly outputs?: readonly ((pipe: Readable) => Promise<void>)[]
  /** Time limit in seconds; the child is killed and the run fails. */
  readonly timeoutSeconds?: number
  /**
   * The user's own program (yt-dlp). It may use the network, through the proxy that its arguments name, and may start helpers
   * that lie in its folder, such as a script engine. Its memory is limited; its arguments are not changed.
   */
  readonly foreign?: true
  /** Lets the tool connect to this machine (a relay on the loopback); by default it has no network at all. */
  readonly network?: 'loopback'
  /** The child is killed when neither progress nor output has changed for this many seconds. */
  readonly stallSeconds?: number
}

export interface ToolResult {
  readonly stdout: Buffer
  /** The last 64 KiB of stderr, which has facts that tools print and is added to error reports. */
  readonly stderr: string
  readonly milliseconds: number
}

/** Time between asking a child to end and killing it. A cancel must be done within a second. */
const KILL_AFTER_MS = 500
/** More output than this to a stdout that is collected in memory is a defect. */
const STDOUT_LIMIT = 256 * 1024 * 1024
/** How long a reader may take for the rest of the pipes after the tool has ended. */
const DRAIN_MS = 120_000
const AFTER_FAILURE_MS = 2000
const OWN_GROUP = process.platform !== 'win32'

/**
 * Runs one tool to its end. Throws AppError: CANCELLED when the signal aborts, DISK_FULL when the tool or a reader has no
 * space, STAGE_FAILED for anything else (message: the tool's last meaningful line, `details.stderr`: its tail).
 */
export async function runTool(run: ToolRun): Promise<ToolResult> {
  if (run.signal?.aborted === true) throw new AppError('CANCELLED')
  const started = performance.now()
  const child = start(run, await commandOf(run))
  const watch = superviseChild(child, run)
  const stderr = createTailBuffer()
  const stdout: Buffer[] = []
  try {
    const moving = [
      readStderr(child, stderr.add, watch.touch),
      readStdout(child, run, stdout, watch.touch),
      ...connectExtraPipes(child, run, watch),
    ]
    const settled = moving.map((work) => work.catch((error: unknown) => watch.fail(error)))
    const exit = await exitOf(child)
    watch.childGone()
    await drainOutput(Promise.all(settled), exit, watch)
    const text = stderr.text()
    throwIfFailed(run, exit, watch.failure(), text)
    return { stdout: Buffer.concat(stdout), stderr: text, milliseconds: performance.now() - started }
  } finally {
    watch.end()
    for (const stream of child.stdio) stream?.destroy()
  }
}

/** What a stage needs to run ffmpeg or ffprobe until the task is cancelled: its context. */
export interface ToolContext {
  readonly tools: { readonly ffmpeg: string; readonly ffprobe: string }
  readonly signal: AbortSignal
}

/** Runs ffmpeg for a stage. */
export const runFfmpeg = (
  { tools, signal }: ToolContext,
  args: readonly string[],
  options: Omit<ToolRun, 'executable' | 'args' | 'signal'>,
): Promise<ToolResult> => runTool({ executable: tools.ffmpeg, args, signal, ...options })

/** The JSON that ffprobe prints. `T`: as far as it is used. */
export async function readByFfprobe<T>(
  { tools, signal }: ToolContext,
  args: readonly string[],
  seconds = 60,
) {
  const { stdout } = await runTool({ executable: tools.ffprobe, args, signal, timeoutSeconds: seconds })
  return JSON.parse(stdout.toString('utf8')) as T
}

interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly error?: Error
}

interface Watch {
  /** There was activity: the stall timer starts again. */
  readonly touch: () => void
  /** Stores the first failure and ends the child. */
  readonly fail: (error: unknown) => void
  readonly failure: () => unknown
  /** Resolves with the first failure. */
  readonly failed: Promise<void>
  readonly childGone: () => void
  readonly end: () => void
}

function progressDescriptor(run: ToolRun): number {
  return 3 + (run.inputs?.length ?? 0) + (run.outputs?.length ?? 0)
}

/** Adds the restrictions that the system supports: no network for ffmpeg and ffprobe, limited memory for every tool. */
async function commandOf(run: ToolRun): Promise<ToolStart> {
  const { executable, network = 'none' } = run
  const args =
    run.onProgress === undefined
      ? run.args
      : ['-nostdin', '-nostats', '-progress', `pipe:${progressDescriptor(run)}`, ...run.args]
  const memory = basename(executable).startsWith('ffprobe') ? 'look' : 'work'
  const command =
    run.foreign === true
      ? await confineTool({ executable, args }, 'outside', memory)
      : await confineTool({ executable, args: localInputs(args, network) }, network, memory)
  if (run.signal?.aborted === true) throw new AppError('CANCELLED')
  return command
}

function start(run: ToolRun, { executable, args }: ToolStart): ChildProcess {
  const extra =
    (run.inputs?.length ?? 0) + (run.outputs?.length ?? 0) + (run.onProgress === undefined ? 0 : 1)
  const child = spawn(executable, args, {
    stdio: ['ignore', 'pipe', 'pipe', ...Array.from({ length: extra }, () => 'pipe' as const)],
    // On Windows a child ends with its parent, unless it is detached.
    detached: OWN_GROUP,
    shell: false,
    windowsHide: true,
    // Tools do not get the appliance's environment (keys, proxies). GCONV_PATH deliberately points nowhere: the bundled static
    // builds crash on MPEG-TS service names when they load the system's character set modules; without them they copy the
    // name unchanged.
    env: { PATH: searchPath(run), GCONV_PATH: '/nonexistent' },
  })
  if (child.pid !== undefined) {
    reportChildStarted(child.pid)
    if (OWN_GROUP) lowerToolPriority(child.pid)
  }
  return child
}

function searchPath(run: ToolRun): string {
  const folders = run.foreign === true ? [dirname(run.executable)] : []
  return [...folders, '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)
}

/**
 * Signals a tool. What confines it passes no signal on: if it were signalled itself, it would end before the tool, whose last
 * output would be lost. So the tool itself is signalled where the system shows it, and what confines it ends after it.
 */
function signalTool(child: ChildProcess, signal: NodeJS.Signals): void {
  const inner = child.pid !== undefined && isConfined(child.spawnfile) ? findConfined(child.pid) : []
  if (inner.length === 0) killGroup(child, signal)
  for (const pid of inner) sendSignal(pid, signal)
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Kills the whole process group, which may have ended already. */
function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  sendSignal(OWN_GROUP ? -child.pid : child.pid, signal)
}

function superviseChild(child: ChildProcess, run: ToolRun): Watch {
  let failure: unknown
  const { promise: failed, resolve: resolveFailed } = Promise.withResolvers<void>()
  let gone = false
  let lastMove = performance.now()
  const timers: NodeJS.Timeout[] = []
  const stop = (): void => {
    signalTool(child, 'SIGTERM')
    timers.push(setTimeout(() => signalTool(child, 'SIGKILL'), KILL_AFTER_MS))
  }
  const fail = (error: unknown): void => {
    // A pipe error after the child has ended, or after we ended it, is a consequence and not the cause.
    if (failure !== undefined || (gone && isBrokenPipe(error))) return
    failure = error
    resolveFailed()
    if (!gone) stop()
  }
  const onAbort = (): void => fail(new AppError('CANCELLED'))
  run.signal?.addEventListener('abort', onAbort, { once: true })
  const name = basename(run.executable)
  const { timeoutSeconds, stallSeconds } = run
  if (timeoutSeconds !== undefined) {
    const message = `${name} did not finish within ${timeoutSeconds} seconds and was stopped.`
    const overdue = (): void => fail(new AppError('STAGE_FAILED', { message }))
    timers.push(setTimeout(overdue, timeoutSeconds * 1000))
  }
  if (stallSeconds !== undefined) {
    const message = `${name} made no progress for ${stallSeconds} seconds and was stopped.`
    const look = (): void => {
      if (performance.now() - lastMove > stallSeconds * 1000) fail(new AppError('STAGE_FAILED', { message }))
    }
    timers.push(setInterval(look, Math.min(1000, stallSeconds * 250)))
  }
  return {
    touch: () => {
      lastMove = performance.now()
    },
    fail,
    failure: () => failure,
    failed,
    childGone: () => {
      gone = true
      if (child.pid !== undefined) reportChildEnded(child.pid)
    },
    end: () => {
      run.signal?.removeEventListener('abort', onAbort)
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, error }))
    child.once('exit', (code, signal) => {
      const inner = isConfined(child.spawnfile) ? signalOfCode(code) : null
      resolve(inner === null ? { code, signal } : { code: null, signal: inner })
    })
  })
}

/**
 * Reads all that a successful tool has written, however slow the reader is (a busy disk), because half of it could pass for
 * the whole. After a failure a moment is enough, since the output is only used in the report.
 */
async function drainOutput(settled: Promise<unknown>, exit: Exit, watch: Watch): Promise<void> {
  if (exit.code !== 0) return void (await Promise.race([settled, delay(AFTER_FAILURE_MS)]))
  const overdue = (): void =>
    watch.fail(
      new AppError('STAGE_FAILED', { message: 'The output of the tool could not be read completely.' }),
    )
  const timer = setTimeout(overdue, DRAIN_MS)
  await Promise.race([settled, watch.failed.then(() => delay(AFTER_FAILURE_MS))])
  clearTimeout(timer)
}

async function readStderr(child: ChildProcess, add: (chunk: Buffer) => void, touch: () => void) {
  for await (const chunk of child.stderr ?? []) {
    add(chunk as Buffer)
    touch()
  }
}

async function readStdout(child: ChildProcess, run: ToolRun, chunks: Buffer[], touch: () => void) {
  let bytes = 0
  for await (const chunk of child.stdout ?? []) {
    touch()
    if (run.onStdout !== undefined) {
      await run.onStdout(chunk as Buffer)
      touch()
      continue
    }
    bytes += (chunk as Buffer).length
    if (bytes > STDOUT_LIMIT)
      throw new AppError('STAGE_FAILED', { message: 'The tool wrote more output than is allowed.' })
    chunks.push(chunk as Buffer)
  }
}

function connectExtraPipes(child: ChildProcess, run: ToolRun, watch: Watch): Promise<void>[] {
  const inputs = run.inputs ?? []
  const outputs = run.outputs ?? []
  const at = (descriptor: number): Writable & Readable => child.stdio[descriptor] as Writable & Readable
  const work: Promise<void>[] = []
  inputs.forEach((write, index) => work.push(feed(at(3 + index), write, watch.touch)))
  outputs.forEach((read, index) => {
    const pipe = at(3 + inputs.length + index)
    pipe.on('data', watch.touch).pause()
    ignorePipeErrors(pipe)
    work.push(read(pipe))
  })
  const { onProgress } = run
  if (onProgress !== undefined) {
    const pipe = at(progressDescriptor(run))
    ignorePipeErrors(pipe)
    let last = -1
    const read = createProgressReader((seconds) => {
      if (seconds > last) watch.touch()
      last = seconds
      onProgress(seconds)
    })
    work.push(
      (async () => {
        for await (const chunk of pipe) read(chunk as Buffer)
      })(),
    )
  }
  return work
}

/**
 * Runs a writer until it is done or the tool stops reading, whichever comes first. ffmpeg may end early legitimately (`-t`,
 * a shorter stream), and a writer that waits for `drain` would then wait forever.
 */
async function feed(pipe: Writable, write: (pipe: Writable) => Promise<void>, touch: () => void) {
  ignorePipeErrors(pipe)
  pipe.on('drain', touch)
  const closed = new Promise<void>((resolve) => pipe.once('close', resolve))
  const writing = write(pipe).catch((error: unknown) => {
    if (!isBrokenPipe(error)) throw error
  })
  await Promise.race([writing, closed])
}

function throwIfFailed(run: ToolRun, exit: Exit, failure: unknown, stderr: string): void {
  const name = basename(run.executable)
  const details = { tool: name, exitCode: exit.code, signal: exit.signal, stderr }
  if (failure instanceof AppError) {
    throw failure.code === 'STAGE_FAILED' && failure.details === undefined
      ? new AppError(failure.code, { message: failure.message, details })
      : failure
  }
  if (isDiskFull(failure)) throw new AppError('DISK_FULL', { cause: failure })
  if (/No space left on device|Disk quota exceeded/i.test(stderr))
    throw new AppError('DISK_FULL', { details })
  if (failure !== undefined) {
    const reason = failure instanceof Error ? failure.message : 'unknown'
    throw new AppError('STAGE_FAILED', {
      message: `Feeding ${name} failed: ${reason}`,
      details,
      cause: failure,
    })
  }
  if (exit.error !== undefined) {
    const message = `${name} could not be started: ${exit.error.message}`
    throw new AppError('STAGE_FAILED', { message, details, cause: exit.error })
  }
  if (exit.code === 0) return
  const how = exit.signal === null ? `code ${exit.code ?? 'unknown'}` : `signal ${exit.signal}`
  const line = findMeaningfulLine(stderr)
  const message = line === '' ? `${name} ended with ${how}.` : `${name}: ${line}`
  throw new AppError('STAGE_FAILED', { message, details })
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref())
}
