/** The real `cutroom serve --json` as a child process, and the command line next to it. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const ROOT = join(import.meta.dirname, '..', '..')
const BIN = join(ROOT, 'server', 'cli', 'bin.mjs')

export interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface CommandOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** A prefix of the command line: a network namespace, for example. */
  readonly inside?: readonly string[]
  /** Killed after this long, which fails the caller's expectations. */
  readonly timeoutMs?: number
}

/** Settings of the developer's own shell must not reach the tests, nor an ffmpeg that this machine happens to have. */
function cleanEnvironment(added: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('CUTROOM_'))
  return { ...Object.fromEntries(own), CUTROOM_FFMPEG: 'bundled', ...added }
}

/** Runs `cutroom WORDS...` and waits for it; never rejects for a failing command. */
export function cutroom(words: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return new Promise((resolve) => {
    const [program = process.execPath, ...before] = options.inside ?? []
    const child = execFile(
      program,
      [...before, ...(options.inside === undefined ? [] : [process.execPath]), BIN, ...words],
      {
        cwd: options.cwd ?? ROOT,
        env: cleanEnvironment(options.environment),
        timeout: options.timeoutMs ?? 60_000,
        maxBuffer: 64 * 1024 * 1024,
      },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

export interface ServeProcess {
  readonly child: ChildProcess
  readonly url: string
  readonly studioUrl: string
  readonly pid: number
  /** Milliseconds from spawning to the `listening` line. */
  readonly startedInMs: number
  readonly stdout: string[]
  readonly stderr: string[]
  /** Sends the signal and waits; how it ended, and how long that took. */
  stop(
    signal?: NodeJS.Signals,
  ): Promise<{ code: number | null; signal: NodeJS.Signals | null; milliseconds: number }>
}

/** Starts an appliance on `home` and waits for its line. Rejects with its stderr when it ends before. */
export async function serve(
  home: string,
  words: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<ServeProcess> {
  const started = performance.now()
  const child = spawn(process.execPath, [BIN, 'serve', '--json', '--port', '0', '--home', home, ...words], {
    env: cleanEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stdout: string[] = []
  const stderr: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => stderr.push(line))
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  )
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      stdout.push(text)
      resolve(text)
    })
    void ended.then(({ code }) => reject(new Error(`serve ended with ${code}: ${stderr.join('\n')}`)))
  })
  const said = JSON.parse(line) as { url: string; studioUrl: string; pid: number }
  return {
    child,
    ...said,
    startedInMs: performance.now() - started,
    stdout,
    stderr,
    stop: async (signal = 'SIGTERM') => {
      const asked = performance.now()
      child.kill(signal)
      return { ...(await ended), milliseconds: performance.now() - asked }
    },
  }
}

/** `cutroom WORDS... --json` as a process that goes on, which says what happens in lines of JSON. */
export interface TalkingProcess {
  readonly child: ChildProcess
  readonly stderr: string[]
  /** The first line of this event, whenever it comes. Rejects where the process ends before. */
  said<T>(event: string): Promise<T>
  readonly ended: Promise<number | null>
}

export function startTalking(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): TalkingProcess {
  const child = spawn(process.execPath, [BIN, ...words, '--json'], {
    env: cleanEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stderr: string[] = []
  const events: { event: string }[] = []
  const heard = new EventEmitter()
  createInterface({ input: child.stderr }).on('line', (line) => stderr.push(line))
  createInterface({ input: child.stdout }).on('line', (line) => {
    events.push(JSON.parse(line) as { event: string })
    heard.emit('line')
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  return {
    child,
    stderr,
    ended,
    said: <T>(event: string) =>
      new Promise<T>((resolve, reject) => {
        const look = (): void => {
          const found = events.find((one) => one.event === event)
          if (found !== undefined) resolve(found as T)
        }
        heard.on('line', look)
        void ended.then((code) =>
          reject(new Error(`${words.join(' ')} ended with ${code}: ${stderr.join('\n')}`)),
        )
        look()
      }),
  }
}
