/**
 * Children that outlive their parent are a leak nobody sees: an engine that dies by SIGKILL cannot clean up. So each
 * engine has a reaper, a small process of its own session that is told of every child and, when its stdin closes (the
 * engine has ended, in whatever way), kills the process groups still listed.
 *
 * Threads tell it directly: they share the process's file descriptors, and a short write to a pipe is atomic. The
 * descriptor reaches them as worker environment data, so `startReaper` must run before the first thread is made.
 */
import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

const DESCRIPTOR_KEY = 'cutroom:reaper'

export interface ReaperHandle {
  /** Null on Windows, where children die with their parent by themselves. */
  readonly pid: number | null
  /** Resolves when the reaper has ended, by `close` or otherwise. */
  readonly ended: Promise<void>
  /** Orderly end: whatever is still listed is killed. */
  close(): void
}

/** Starts the reaper for this process. `program`: path of reaper-process (`.ts` in source form, `.js` when built). */
export function startReaper(program: string): ReaperHandle {
  if (process.platform === 'win32') return { pid: null, ended: Promise.resolve(), close: () => undefined }
  const child = spawn(process.execPath, ['--max-semi-space-size=1', program], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Its own session: a signal to the engine's group must not take it along.
    detached: true,
    env: { ELECTRON_RUN_AS_NODE: '1' },
  })
  const { stdin } = child
  // The stream's descriptor is the one thing threads can share; Node has no public name for it.
  const handle = (stdin as unknown as { _handle?: { fd?: number } })._handle
  // It must stay open for the life of this process, even when the reaper dies: a closed descriptor gets used again, and
  // a thread would then write its line into some other file. Node closes `child.stdin` at exit, so it is taken away.
  ;(child as { stdin: unknown }).stdin = null
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
  setEnvironmentData(DESCRIPTOR_KEY, handle?.fd)
  keptOpen.push(stdin)
  // The reaper must not keep an engine alive that has nothing else to do.
  child.unref()
  ;(stdin as unknown as { unref(): void }).unref()
  return { pid: child.pid ?? null, ended, close: () => tell('reap\n') }
}

const keptOpen: unknown[] = []

/** Tells the reaper of a child that leads a process group. Nothing happens where no reaper runs (unit tests). */
export function reportChildStarted(pid: number): void {
  tell(`start ${pid}\n`)
}

/** Tells the reaper that a child has ended by itself. */
export function reportChildEnded(pid: number): void {
  tell(`end ${pid}\n`)
}

function tell(line: string): void {
  const descriptor = getEnvironmentData(DESCRIPTOR_KEY)
  if (typeof descriptor !== 'number' || descriptor < 0) return
  try {
    writeSync(descriptor, line)
  } catch (error) {
    // A reaper that has died cannot be told; work goes on, and the engine sees its `ended`.
    if (!['EPIPE', 'EBADF', 'ECONNRESET'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
