/**
 * Restricts ffmpeg and ffprobe, whatever a file makes them do: they read local files and pipes only, run in a network
 * namespace without interfaces, and have limited memory. yt-dlp has the network, and limited memory. Two small programs of
 * util-linux replace themselves by the tool, so that process, group and pipes stay the same.
 */
import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'

export interface Confinement {
  /** Start of the command line; empty: the tool is started directly. */
  readonly network: readonly string[]
  readonly memory: readonly string[]
  /** Sentences that say which restriction is impossible on this system and why. */
  readonly lacking: readonly string[]
}

const UNSHARE = '/usr/bin/unshare'
const PRLIMIT = '/usr/bin/prlimit'
const NOTHING = '/bin/true'
const TRIAL_MS = 5000
const MEGABYTE = 1024 ** 2
const GIGABYTE = 1024 ** 3

/** Each thread's stack counts as data from the start. */
const perThread = (): number => availableParallelism() * 128 * MEGABYTE

/** Bytes of memory that a tool may use. Rendering needs a few GB for large pictures; probing a file needs little. */
export function memoryLimit(kind: 'look' | 'work'): number {
  const most = kind === 'look' ? 2 * GIGABYTE : Math.max(4 * GIGABYTE, totalmem() * 0.75)
  return Math.round(most) + perThread()
}

let found: Promise<Confinement> | null = null

/** The restrictions that this system supports; detected once per thread. */
export function detectConfinement(): Promise<Confinement> {
  return (found ??= detect())
}

async function detect(): Promise<Confinement> {
  if (process.platform !== 'linux')
    return {
      network: [],
      memory: [],
      lacking: ['a network namespace and a limit of memory are available on Linux only'],
    }
  // Root needs no user namespace to create a network namespace.
  const flag = process.getuid?.() === 0 ? '-n' : '-rn'
  const [closed, limited] = await Promise.all([
    works(UNSHARE, [flag, '--', NOTHING]),
    works(PRLIMIT, [`--data=${memoryLimit('work')}`, '--core=0', '--', NOTHING]),
  ])
  return {
    network: closed === null ? [UNSHARE, flag, '--'] : [],
    memory: limited === null ? [PRLIMIT] : [],
    lacking: [
      ...(closed === null ? [] : [`no network namespace can be made (${closed})`]),
      ...(limited === null ? [] : [`memory cannot be limited (${limited})`]),
    ],
  }
}

/** Null if the program works, otherwise the reason. */
function works(program: string, args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(program, args, { env: {}, timeout: TRIAL_MS }, (error, _stdout, stderr) => {
      if (error === null) return resolve(null)
      const code = (error as NodeJS.ErrnoException).code
      resolve(code === 'ENOENT' ? `${program} is not installed` : stderr.trim() || error.message)
    })
  })
}

export interface ToolStart {
  readonly executable: string
  readonly args: readonly string[]
}

/** Adds the restrictions to a command. Only `none` takes the network away. */
export async function confineTool(
  start: ToolStart,
  network: 'none' | 'loopback' | 'outside',
  memory: 'look' | 'work',
): Promise<ToolStart> {
  const can = await detectConfinement()
  const before = [
    ...(network === 'none' ? can.network : []),
    ...(can.memory.length === 0 ? [] : [...can.memory, `--data=${memoryLimit(memory)}`, '--core=0', '--']),
  ]
  const [program, ...rest] = before
  // If the tool cannot be executed, it is started directly, so that the error names it and not `unshare`.
  if (program === undefined || !(await canRun(start.executable))) return start
  return { executable: program, args: [...rest, start.executable, ...start.args] }
}

/** Whether this user may execute the file. */
export const canRun = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
