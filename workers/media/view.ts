/**
 * What a confined tool is shown of the file system, as options of bubblewrap: the system's programs and libraries, its own
 * program, the files that its arguments name, and the folders that they name for its output. Nothing else is there for it.
 */
import { open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { findBundled } from './bundled.ts'
import { findNamedFiles } from './arguments/files.ts'

/** Programs and libraries of the system, and what they need for names and certificates. */
const SYSTEM = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/nix',
  '/gnu',
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/fonts',
  '/etc/ssl',
  '/etc/pki',
  '/etc/ca-certificates',
  '/etc/resolv.conf',
  '/etc/hosts',
  '/etc/nsswitch.conf',
  // Where resolv.conf often leads to.
  '/run/systemd/resolve',
]
/** Devices that decode and encode. */
const CARDS = /^(dri|kfd|nvidia.*)$/
const HELPERS_AT_MOST = 200

/**
 * The system, read only, and no process of it. The tool ends with the thread that started it. `found`: the names in /dev, of
 * which those of graphics cards are shown.
 */
export async function systemView(found?: readonly string[]): Promise<string[]> {
  const devices = found ?? (await readdir('/dev').catch(() => []))
  const cards = devices.filter((name) => CARDS.test(name)).map((name) => `/dev/${name}`)
  return [
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    // With a first process of its own, that one would be left to the system's, which in a container may collect nobody.
    '--as-pid-1',
    '--die-with-parent',
    ...showRead(SYSTEM),
    '--dev',
    '/dev',
    '--tmpfs',
    '/tmp',
    '--chdir',
    '/',
    ...cards.flatMap((path) => ['--dev-bind-try', path, path]),
    ...(cards.length === 0 ? [] : showRead(['/sys'])),
  ]
}

export interface ViewedCommand {
  readonly executable: string
  readonly args: readonly string[]
  /** The program may start others that lie in its folder. */
  readonly withHelpers: boolean
}

/** What one command needs: the program, what it reads, where it writes. */
export async function commandView({ executable, args, withHelpers }: ViewedCommand): Promise<string[]> {
  const { read, written } = findNamedFiles(args)
  const programs = await Promise.all([filesOfProgram(executable), (ownFiles ??= findOwnFiles())])
  const helpers = withHelpers ? await helpersOf(executable) : []
  return [
    ...showRead([...new Set([...programs.flat(), ...helpers])]),
    ...written.filter(isOnDisk).flatMap((path) => ['--bind-try', path, path]),
    // Inside a folder for output, what is only read stays so.
    ...showRead(read.filter(isOnDisk)),
  ]
}

/** Of devices and processes a tool has a view of its own. */
const isOnDisk = (path: string): boolean => !/^\/(?:dev|proc)(?:\/|$)/.test(path)

const showRead = (paths: readonly string[]): string[] =>
  paths.flatMap((path) => ['--ro-bind-try', path, path])

/** Files of our own builds, which the user's programs may start, too. */
let ownFiles: Promise<string[]> | null = null

async function findOwnFiles(): Promise<string[]> {
  const paths = [findBundled('ffmpeg'), findBundled('ffprobe')].filter((path) => path !== null)
  return (await Promise.all(paths.map(filesOfProgram))).flat()
}

/**
 * A program, the file that it links to, what interprets it, and the libraries beside its folder `bin`. Never its folder, which
 * may be somebody's home or hold one.
 */
async function filesOfProgram(path: string): Promise<string[]> {
  const real = await realpath(path).catch(() => path)
  const interpreter = await readInterpreter(real)
  const files = [path, real, ...(interpreter === null ? [] : [interpreter])]
  const libraries = [path, real]
    .filter((file) => basename(dirname(file)) === 'bin')
    .map((file) => dirname(dirname(file)))
  return [
    ...files,
    ...libraries.flatMap((folder) => ['lib', 'lib64', 'pyvenv.cfg'].map((name) => join(folder, name))),
  ]
}

/** The program in the first line of a script; null for others. */
async function readInterpreter(path: string): Promise<string | null> {
  const file = await open(path).catch(() => null)
  if (file === null) return null
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0)
    return /^#! *(\/\S+)/.exec(buffer.toString('latin1', 0, bytesRead))?.[1] ?? null
  } finally {
    await file.close()
  }
}

/**
 * What lies beside a program and others may read, and the folder of parts that some builds have. The files of a home are not
 * among it: they are their owner's only.
 */
async function helpersOf(path: string): Promise<string[]> {
  const folder = dirname(await realpath(path).catch(() => path))
  if (SYSTEM.some((shown) => folder.startsWith(`${shown}/`))) return []
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => !entry.isDirectory()).slice(0, HELPERS_AT_MOST)
  const shown = await Promise.all(
    files.map(async ({ name }) => {
      const mode = await stat(join(folder, name)).then(
        (found) => found.mode,
        () => 0,
      )
      return (mode & 0o044) === 0 ? [] : [join(folder, name)]
    }),
  )
  return [...shown.flat(), join(folder, '_internal')]
}
