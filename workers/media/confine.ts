/**
 * What ffmpeg and ffprobe may do, whatever a file makes of them: read local files and pipes, in a network namespace with
 * nobody in it, with limited memory. yt-dlp has the network, and memory as limited. By two small programs of util-linux
 * that start the tool in their own place, so that process, group and pipes stay the same.
 */
import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'

export interface Confinement {
  /** What a command line begins with; empty: the tool is started as it is. */
  readonly network: readonly string[]
  readonly memory: readonly string[]
  /** Why a part of it cannot be had here, in words; empty: all of it is. */
  readonly lacking: readonly string[]
}

const UNSHARE = '/usr/bin/unshare'
const PRLIMIT = '/usr/bin/prlimit'
const NOTHING = '/bin/true'
const TRIAL_MS = 5000
const MEGABYTE = 1024 ** 2
const GIGABYTE = 1024 ** 3

/** Threads have stacks, which count from the beginning. */
const perThread = (): number => availableParallelism() * 128 * MEGABYTE

/** Bytes of data that a tool may have. Rendering takes a few GB for large pictures; looking at a file takes little. */
export function memoryLimit(kind: 'look' | 'work'): number {
  const most = kind === 'look' ? 2 * GIGABYTE : Math.max(4 * GIGABYTE, totalmem() * 0.75)
  return Math.round(most) + perThread()
}

let found: Promise<Confinement> | null = null

/** What this system allows; found out once in each thread. */
export function detectConfinement(): Promise<Confinement> {
  return (found ??= lookAround())
}

async function lookAround(): Promise<Confinement> {
  if (process.platform !== 'linux')
    return {
      network: [],
      memory: [],
      lacking: ['a network namespace and a limit of memory are had on Linux only'],
    }
  // Root needs no namespace of users for one of the network.
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

/** Null when the program does it, else why not. */
function works(program: string, args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(program, args, { env: {}, timeout: TRIAL_MS }, (error, _stdout, stderr) => {
      if (error === null) return resolve(null)
      const code = (error as NodeJS.ErrnoException).code
      resolve(code === 'ENOENT' ? `${program} is not there` : stderr.trim() || error.message)
    })
  })
}

export interface ToolStart {
  readonly executable: string
  readonly args: readonly string[]
}

/** The same start with what this system allows before it. All but `none` leave the tool the network of this machine. */
export async function confineTool(
  start: ToolStart,
  {
    network,
    memory,
  }: { readonly network: 'none' | 'loopback' | 'outside'; readonly memory: 'look' | 'work' },
): Promise<ToolStart> {
  const can = await detectConfinement()
  const before = [
    ...(network === 'none' ? can.network : []),
    ...(can.memory.length === 0 ? [] : [...can.memory, `--data=${memoryLimit(memory)}`, '--core=0', '--']),
  ]
  const [program, ...rest] = before
  // A program that cannot be started is told of by the system itself, not by the one that would have started it.
  if (program === undefined || !(await canRun(start.executable))) return start
  return { executable: program, args: [...rest, start.executable, ...start.args] }
}

async function canRun(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
