/**
 * Ends tools that outlive their engine, because an engine killed by SIGKILL cannot clean up. Each engine has a reaper, a
 * small process in its own session. It is notified of every child and, when its stdin closes (the engine has ended in
 * whatever way), kills the process groups that are still running.
 *
 * Threads write to it directly: they share the file descriptors of the process, and a short write to a pipe is atomic.
 * They get the descriptor as worker environment data, so `startReaper` must run before the first thread starts.
 */
import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

const DESCRIPTOR_KEY = 'cutroom:reaper'

export interface ReaperHandle {
  /** Null on Windows, where children end with their parent. */
  readonly pid: number | null
  /** Resolves when the reaper has ended, by `close` or otherwise. */
  readonly ended: Promise<void>
  /** Kills all processes that are still listed and ends the reaper. */
  close(): void
}

/** Starts the reaper of this process. `program`: path of reaper-process (`.ts` in source form, `.js` when built). */
export function startReaper(program: string): ReaperHandle {
  if (process.platform === 'win32') return { pid: null, ended: Promise.resolve(), close: () => undefined }
  const child = spawn(process.execPath, ['--max-semi-space-size=1', program], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A session of its own, so that a signal to the engine's group does not end it.
    detached: true,
    env: { ELECTRON_RUN_AS_NODE: '1' },
  })
  const { stdin } = child
  // Threads can share only the stream's descriptor, for which Node has no public property.
  const handle = (stdin as unknown as { _handle?: { fd?: number } })._handle
  // It must stay open as long as this process, even if the reaper dies: a closed descriptor is reused, and a thread would
  // then write into some other file. Node closes `child.stdin` on exit, so it is taken away.
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
  return { pid: child.pid ?? null, ended, close: () => notifyReaper('reap\n') }
}

const keptOpen: unknown[] = []

/** Notifies the reaper of a child that leads a process group. Does nothing where no reaper runs (unit tests). */
export function reportChildStarted(pid: number): void {
  notifyReaper(`start ${pid}\n`)
}

/** Notifies the reaper that a child has ended by itself. */
export function reportChildEnded(pid: number): void {
  notifyReaper(`end ${pid}\n`)
}

function notifyReaper(line: string): void {
  const descriptor = getEnvironmentData(DESCRIPTOR_KEY)
  if (typeof descriptor !== 'number' || descriptor < 0) return
  try {
    writeSync(descriptor, line)
  } catch (error) {
    // If the reaper has died, work goes on; the engine notices by `ended`.
    if (!['EPIPE', 'EBADF', 'ECONNRESET'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
