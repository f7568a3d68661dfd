/** The appliance as a child process of the shell: the same program that `cutroom serve` is. */
import { fork } from 'node:child_process'
import { createInterface } from 'node:readline'
import { NODE_FLAGS, withSteadyMemory } from '../server/steady-memory.mjs'
import { messages } from './messages.ts'

export interface ServerProcess {
  /** The link that signs the window in; rejects with a sentence when the appliance does not come up. */
  readonly studioUrl: Promise<string>
  /** Resolves with a message for people when the process ends, intended or not. */
  readonly ended: Promise<string>
  /** Sends SIGTERM; resolves when the process has ended. The appliance gives itself 10 seconds; after 12 it is killed. */
  stop(): Promise<void>
}

const KILL_AFTER_MS = 12_000
/** Electron's own binary then behaves as plain Node. */
const CHILD = { ELECTRON_RUN_AS_NODE: '1', CUTROOM_DIES_WITH_PARENT: '1' }

interface LaunchOptions {
  /** The Node that runs it; null: this process's own program. */
  readonly node: string | null
  /** Receives each line of its log. */
  readonly onLine?: (line: string) => void
}

/** Starts `program` (server/cli/bin.mjs) headless. It ends when this process does, however that comes. */
export function launchServer(program: string, options: LaunchOptions): ServerProcess {
  const child = fork(program, ['serve', '--json'], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [...NODE_FLAGS],
    ...(options.node === null ? {} : { execPath: options.node }),
    // A desktop has a keychain, and the session that opens it.
    env: { CUTROOM_SECRET_KEY: 'keychain', ...withSteadyMemory(inherited()), ...CHILD },
  })
  let lastLine = ''
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      lastLine = line
      options.onLine?.(line)
    })
  }
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) =>
      resolve(sentenceOf(lastLine) ?? messages.appliance.endedWith(signal ?? String(code))),
    )
  })
  const studioUrl = new Promise<string>((resolve, reject) => {
    if (child.stdout !== null) {
      createInterface({ input: child.stdout }).once('line', (line) => {
        const message = JSON.parse(line) as { studioUrl: string }
        resolve(message.studioUrl)
      })
    }
    void ended.then((why) => reject(new Error(why)))
  })
  return {
    studioUrl,
    ended,
    stop: async () => {
      child.kill('SIGTERM')
      const force = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
      await ended
      clearTimeout(force)
    },
  }
}

/** The child reads its settings from the environment; the shell itself reads none of it. */
function inherited(): NodeJS.ProcessEnv {
  // eslint-disable-next-line no-restricted-properties -- passed on whole, not read
  return process.env
}

/** The sentence of a log line or an error line of the appliance; null when there is none. */
export function sentenceOf(line: string): string | null {
  try {
    const message = JSON.parse(line) as { error?: unknown; message?: unknown }
    const text = message.error ?? message.message
    return typeof text === 'string' ? text : null
  } catch {
    return line === '' ? null : line
  }
}

export type ServerState =
  | { readonly kind: 'starting' }
  /** `studioUrl` signs the window in, once. */
  | { readonly kind: 'running'; readonly studioUrl: string }
  /** It ended; `inSeconds` from now it is started again. */
  | { readonly kind: 'waiting'; readonly why: string; readonly inSeconds: number }
  | { readonly kind: 'stopped' }

interface SupervisorDeps {
  readonly launch: () => ServerProcess
  readonly onState: (state: ServerState) => void
  /** Milliseconds, only ever forwards. */
  readonly now: () => number
  /** Calls `act` after so many milliseconds; the returned function cancels it. */
  readonly later: (milliseconds: number, act: () => void) => () => void
}

/** Seconds before each start after an early end; the last one from then on. */
const BACK_OFF_SECONDS = [0.5, 1, 2, 5, 10, 30] as const
/** A process that ran for so long is restarted without a delay from earlier failures. */
const STEADY_MS = 60_000

export function createSupervisor({ launch, onState, now, later }: SupervisorDeps) {
  let current: ServerProcess | null = null
  let callOff: (() => void) | null = null
  let early = 0
  let over = false

  const start = (): void => {
    callOff?.()
    callOff = null
    if (over || current !== null) return
    const mine = launch()
    const startedAt = now()
    current = mine
    onState({ kind: 'starting' })
    mine.studioUrl.then(
      (studioUrl) => {
        if (current === mine && !over) onState({ kind: 'running', studioUrl })
      },
      () => undefined, // `ended` has the reason
    )
    void mine.ended.then((why) => {
      if (current !== mine || over) return
      current = null
      if (now() - startedAt >= STEADY_MS) early = 0
      const inSeconds = BACK_OFF_SECONDS[Math.min(early, BACK_OFF_SECONDS.length - 1)] ?? 30
      early += 1
      callOff = later(inSeconds * 1000, start)
      onState({ kind: 'waiting', why, inSeconds })
    })
  }

  return {
    start,
    /** Starts it now instead of waiting; does nothing while it runs. */
    retry: start,
    /** Ends it for good. */
    stop: async (): Promise<void> => {
      over = true
      callOff?.()
      onState({ kind: 'stopped' })
      await current?.stop()
    },
  }
}
