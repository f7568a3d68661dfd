/**
 * The one spawner of ffmpeg, ffprobe and yt-dlp. Arguments are arrays from the pure builders in `arguments/`; children get
 * their own process group, are announced to the engine's reaper, and are killed when the task is cancelled.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { basename, delimiter, dirname } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { AppError } from '../../server/contract/errors.ts'
import { localInputs } from './arguments/local-inputs.ts'
import { confineTool, type ToolStart } from './confine.ts'
import { isDiskFull } from './disk.ts'
import { ignorePipeErrors, isBrokenPipe } from './pipes.ts'
import { reportChildStarted, reportChildEnded } from './reaper.ts'
import { lowerToolPriority } from './priority.ts'
import { findMeaningfulLine, createProgressReader, createTailBuffer } from './tool-output.ts'

export interface ToolRun {
  readonly executable: string
  readonly args: readonly string[]
  readonly signal?: AbortSignal
  /** Seconds of media already written, from ffmpeg's own `-progress` clock (the spawner adds the arguments). */
  readonly onProgress?: (outputSeconds: number) => void
  /** Receives stdout as it comes; return a promise to push back. */
  readonly onStdout?: (chunk: Buffer) => Promise<void> | undefined | void
  /** Writers for extra pipes: index 0 is fd 3, index 1 is fd 4... Each must end its stream. See `writeChunk`. */
  readonly inputs?: readonly ((pipe: Writable) => Promise<void>)[]
  /** Readers for extra output pipes, on the file descriptors after the inputs. */
  readonly outputs?: readonly ((pipe: Readable) => Promise<void>)[]
  /** Hard limit in seconds; the child is killed and the run fails. */
  readonly timeoutSeconds?: number
  /**
   * The user's own program (yt-dlp): it fetches, by the proxy that its arguments name, and starts helpers that may lie in
   * its folder (a script engine, say). Memory is limited as for ours; its arguments stay as they are.
   */
  readonly foreign?: true
  /** The tool is to speak to this machine (a relay on the loopback); default: it has no network at all. */
  readonly network?: 'loopback'
  /** Kill when neither progress nor output moved for this long. */
  readonly stallSeconds?: number
}

export interface ToolResult {
  readonly stdout: Buffer
  /** The last 64 KiB of stderr, for facts that tools print and for the report. */
  readonly stderr: string
  readonly milliseconds: number
}

/** Grace between asking a child to end and ending it. Cancel must be over within a second. */
const KILL_AFTER_MS = 500
/** ffmpeg may not write more than this to a stdout that nobody streams: that is a defect, not a big file. */
const STDOUT_LIMIT = 256 * 1024 * 1024
/** A reader has this long for what is left in the pipes when the tool has ended. */
const READ_OUT_MS = 120_000
const AFTER_FAILURE_MS = 2000
const OWN_GROUP = process.platform !== 'win32'

/**
 * Runs one tool to its end. Throws AppError: CANCELLED when the signal aborts, DISK_FULL when the tool or a reader ran
 * out of room, STAGE_FAILED (message: the tool's last meaningful line, `details.stderr`: its tail) for anything else.
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
      ...extraPipes(child, run, watch),
    ]
    const settled = moving.map((work) => work.catch((error: unknown) => watch.fail(error)))
    const exit = await exitOf(child)
    watch.childGone()
    await readToTheEnd(Promise.all(settled), exit, watch)
    const text = stderr.text()
    throwIfFailed(run, exit, watch.failure(), text)
    return { stdout: Buffer.concat(stdout), stderr: text, milliseconds: performance.now() - started }
  } finally {
    watch.end()
    for (const stream of child.stdio) stream?.destroy()
  }
}

interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly error?: Error
}

interface Watch {
  /** Something moved: the stall clock starts again. */
  readonly touch: () => void
  /** First failure wins; the child is ended. */
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

/** Confined as far as the system allows: nobody to speak to for ffmpeg and ffprobe, limited memory for every tool. */
async function commandOf(run: ToolRun): Promise<ToolStart> {
  const { executable, network = 'none' } = run
  const args =
    run.onProgress === undefined
      ? run.args
      : ['-nostdin', '-nostats', '-progress', `pipe:${progressDescriptor(run)}`, ...run.args]
  const memory = basename(executable).startsWith('ffprobe') ? 'look' : 'work'
  const command =
    run.foreign === true
      ? await confineTool({ executable, args }, { network: 'outside', memory })
      : await confineTool({ executable, args: localInputs(args, network) }, { network, memory })
  if (run.signal?.aborted === true) throw new AppError('CANCELLED')
  return command
}

function start(run: ToolRun, { executable, args }: ToolStart): ChildProcess {
  const extra =
    (run.inputs?.length ?? 0) + (run.outputs?.length ?? 0) + (run.onProgress === undefined ? 0 : 1)
  const child = spawn(executable, args, {
    stdio: ['ignore', 'pipe', 'pipe', ...Array.from({ length: extra }, () => 'pipe' as const)],
    // On Windows a child dies with its parent by itself unless it is detached.
    detached: OWN_GROUP,
    shell: false,
    windowsHide: true,
    // Nothing of the appliance's environment (keys, proxies) is a tool's business.
    // GCONV_PATH leads nowhere by intention: the bundled static builds crash on MPEG-TS service names when they load the
    // system's character set modules, and without them they keep the name as it is.
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

/** Kills the whole process group; a group that is gone already is fine. */
function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    if (OWN_GROUP) process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function superviseChild(child: ChildProcess, run: ToolRun): Watch {
  let failure: unknown
  const { promise: failed, resolve: tellFailed } = Promise.withResolvers<void>()
  let gone = false
  let lastMove = performance.now()
  const timers: NodeJS.Timeout[] = []
  const stop = (): void => {
    killGroup(child, 'SIGTERM')
    timers.push(setTimeout(() => killGroup(child, 'SIGKILL'), KILL_AFTER_MS))
  }
  const fail = (error: unknown): void => {
    // What a pipe says after the child went, or after we ended it, is a consequence and not the cause.
    if (failure !== undefined || (gone && isBrokenPipe(error))) return
    failure = error
    tellFailed()
    if (!gone) stop()
  }
  const onAbort = (): void => fail(new AppError('CANCELLED'))
  run.signal?.addEventListener('abort', onAbort, { once: true })
  const name = basename(run.executable)
  const { timeoutSeconds, stallSeconds } = run
  if (timeoutSeconds !== undefined) {
    const message = `${name} was still not done after ${timeoutSeconds} seconds and was ended.`
    const overdue = (): void => fail(new AppError('STAGE_FAILED', { message }))
    timers.push(setTimeout(overdue, timeoutSeconds * 1000))
  }
  if (stallSeconds !== undefined) {
    const message = `${name} made no progress for ${stallSeconds} seconds and was ended.`
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
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
}

/**
 * What a tool that ended well has written is read to its end, however slow the reader (a busy disk) is: half of it would
 * pass for the whole. After a failure a moment is enough: it is only for the report.
 */
async function readToTheEnd(settled: Promise<unknown>, exit: Exit, watch: Watch): Promise<void> {
  if (exit.code !== 0) return void (await Promise.race([settled, afterMilliseconds(AFTER_FAILURE_MS)]))
  const overdue = (): void =>
    watch.fail(new AppError('STAGE_FAILED', { message: 'What the tool wrote could not be read to its end.' }))
  const timer = setTimeout(overdue, READ_OUT_MS)
  await Promise.race([settled, watch.failed.then(() => afterMilliseconds(AFTER_FAILURE_MS))])
  clearTimeout(timer)
}

async function readStderr(
  child: ChildProcess,
  add: (chunk: Buffer) => void,
  touch: () => void,
): Promise<void> {
  for await (const chunk of child.stderr ?? []) {
    add(chunk as Buffer)
    touch()
  }
}

async function readStdout(
  child: ChildProcess,
  run: ToolRun,
  kept: Buffer[],
  touch: () => void,
): Promise<void> {
  let bytes = 0
  for await (const chunk of child.stdout ?? []) {
    touch()
    if (run.onStdout !== undefined) {
      await run.onStdout(chunk as Buffer)
      touch()
      continue
    }
    bytes += (chunk as Buffer).length
    if (bytes > STDOUT_LIMIT) throw new AppError('STAGE_FAILED', { message: 'The tool wrote far too much.' })
    kept.push(chunk as Buffer)
  }
}

function extraPipes(child: ChildProcess, run: ToolRun, watch: Watch): Promise<void>[] {
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
 * Runs a writer until it is done or the tool stopped reading, whichever is first: ffmpeg ends early by right (`-t`,
 * a shorter stream), and a writer that only waits for `drain` would then wait for ever.
 */
async function feed(
  pipe: Writable,
  write: (pipe: Writable) => Promise<void>,
  touch: () => void,
): Promise<void> {
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

function afterMilliseconds(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref())
}
