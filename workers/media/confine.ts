/**
 * Restricts ffmpeg and ffprobe, whatever a file makes them do: they see the files that their arguments name and the system's
 * programs, no process but themselves and no network, and have limited memory. yt-dlp is restricted alike, and has the
 * network. Bubblewrap shows the files; where it does not work, unshare of util-linux takes at least the network.
 */
import { execFile } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { availableParallelism, constants as osConstants, totalmem } from 'node:os'
import { commandView, systemView } from './view.ts'

export interface Confinement {
  /** Start of a command line that shows only the system's programs and devices; empty: every file can be seen. */
  readonly files: readonly string[]
  /** Start of the command line where `files` is empty; empty as well: the tool is started directly. */
  readonly network: readonly string[]
  readonly memory: readonly string[]
  /** Sentences that say which restriction is impossible on this system and why. */
  readonly lacking: readonly string[]
}

const BWRAP = '/usr/bin/bwrap'
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
      files: [],
      network: [],
      memory: [],
      lacking: [
        'a view of named files only, a network namespace and a limit of memory are available on Linux only',
      ],
    }
  // Root needs no user namespace to create a network namespace.
  const flag = process.getuid?.() === 0 ? '-n' : '-rn'
  const view = await systemView()
  const [shown, listed] = await Promise.all([
    works(BWRAP, [...view, '--unshare-net', '--', NOTHING]),
    works(BWRAP, [...view, '--proc', '/proc', '--', NOTHING]),
  ])
  const [closed, limited] = await Promise.all([
    works(UNSHARE, [flag, '--', NOTHING]),
    works(PRLIMIT, [`--data=${memoryLimit('work')}`, '--core=0', '--', NOTHING]),
  ])
  // A service whose own view of /proc is restricted cannot mount another; ffmpeg needs none.
  const processes = listed === null ? ['--proc', '/proc'] : []
  return {
    files: shown === null ? [BWRAP, ...view, ...processes] : [],
    network: closed === null ? [UNSHARE, flag, '--'] : [],
    memory: limited === null ? [PRLIMIT] : [],
    lacking: [
      ...(shown === null ? [] : [`it sees every file that this user may read (${shown})`]),
      ...(closed === null || shown === null ? [] : [`no network namespace can be made (${closed})`]),
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

/** `outside`: a program of the user's own, which may start helpers that lie in its folder. */
type Network = 'none' | 'loopback' | 'outside'

export interface ToolStart {
  readonly executable: string
  readonly args: readonly string[]
}

/** Adds the restrictions to a command. Only `none` takes the network away. */
export async function confineTool(
  start: ToolStart,
  network: Network,
  memory: 'look' | 'work',
): Promise<ToolStart> {
  const can = await detectConfinement()
  // If the tool cannot be executed, it is started directly, so that the error names it and not what confines it.
  if (!(await canRun(start.executable))) return start
  const limit =
    can.memory.length === 0 ? [] : [...can.memory, `--data=${memoryLimit(memory)}`, '--core=0', '--']
  const before = (await outerPart(can, start, network)).concat(limit)
  const [program, ...rest] = before
  if (program === undefined) return start
  return { executable: program, args: [...rest, start.executable, ...start.args] }
}

async function outerPart(can: Confinement, start: ToolStart, network: Network): Promise<string[]> {
  const isClosed = network === 'none'
  if (can.files.length === 0) return isClosed ? [...can.network] : []
  const view = await commandView({ ...start, withHelpers: network === 'outside' })
  return [...can.files, ...view, ...(isClosed ? ['--unshare-net'] : []), '--']
}

/** Whether a started program is bubblewrap, which waits for the tool and ends with its code. */
export const isConfined = (program: string): boolean => program === BWRAP

/** The signal that ended the tool, as bubblewrap reports it by its own code; null: the tool ended by itself. */
export function signalOfCode(code: number | null): NodeJS.Signals | null {
  const found = Object.entries(osConstants.signals).find(([, number]) => code === 128 + number)
  return found === undefined ? null : (found[0] as NodeJS.Signals)
}

/** The processes inside the bubblewrap `pid`: the tool and its helpers, which are of one group. */
export function findConfined(pid: number): readonly number[] {
  const numbers = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
  return numbers.filter((one) => one !== pid && groupOf(one) === pid)
}

/** The fields after the program's name, which may hold anything: state, parent, group. */
function groupOf(pid: number): number {
  try {
    return Number(/\) \S \d+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
  } catch {
    // It ended meanwhile.
    return NaN
  }
}

/** Whether this user may execute the file. */
export const canRun = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
