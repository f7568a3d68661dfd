/** The real `cutroom worker` as a process of its own, to be watched and killed. */
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface LogLine {
  readonly level?: string
  readonly message: string
  readonly content?: string
  readonly stage?: string
  readonly queue?: string
  readonly published?: boolean
}

export interface WorkerProcess {
  readonly child: ChildProcess
  /** Everything that it logged. */
  readonly lines: LogLine[]
  /** Everything it wrote that is no log. */
  readonly other: string[]
  /** Resolves with the first line that fits, also one of the past. */
  when(fits: (line: LogLine) => boolean): Promise<LogLine>
  /** Resolves when it takes work; rejects when it ends before. */
  readonly working: Promise<void>
  readonly exited: Promise<number | null>
  kill(signal: NodeJS.Signals): Promise<number | null>
}

const PROGRAM = join(import.meta.dirname, '..', '..', 'server', 'cli', 'main.ts')

export function startWorkerProcess(
  home: string,
  place: { readonly server: string; readonly token: string },
  environment: Readonly<Record<string, string>> = {},
  more: readonly string[] = [],
): WorkerProcess {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('CUTROOM_'))
  const words = [
    'worker',
    '--server',
    place.server,
    '--token',
    place.token,
    '--home',
    home,
    '--json',
    ...more,
  ]
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    env: {
      ...Object.fromEntries(own),
      CUTROOM_LOG: 'debug',
      CUTROOM_MIN_FREE_BYTES: '0',
      CUTROOM_FFMPEG: 'bundled',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: LogLine[] = []
  const other: string[] = []
  const waiting = new Set<(line: LogLine) => void>()
  createInterface({ input: child.stderr }).on('line', (text) => {
    try {
      const line = JSON.parse(text) as LogLine
      lines.push(line)
      for (const tell of [...waiting]) tell(line)
    } catch {
      other.push(text)
    }
  })
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  const working = new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', () => resolve())
    void exited.then((code) =>
      reject(new Error(`the worker ended with ${String(code)}: ${other.join('\n')}`)),
    )
  })
  working.catch(() => undefined)
  return {
    child,
    lines,
    other,
    working,
    exited,
    when: (fits) =>
      new Promise((resolve) => {
        const past = lines.find(fits)
        if (past !== undefined) return resolve(past)
        const tell = (line: LogLine): void => {
          if (!fits(line)) return
          waiting.delete(tell)
          resolve(line)
        }
        waiting.add(tell)
      }),
    kill: (signal) => {
      child.kill(signal)
      return exited
    },
  }
}
