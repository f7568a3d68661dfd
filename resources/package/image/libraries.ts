/**
 * The shared libraries that programs need of the system, as `ldd` of the machine that packages are made on finds them, and
 * the Debian packages that files of this machine are of.
 */
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readSync, realpathSync } from 'node:fs'

/** What `ldd` says of one file. */
export interface Linked {
  /** Paths of libraries, and of the loader. */
  readonly found: readonly string[]
  /** Names that no library of this machine has. */
  readonly missing: readonly string[]
}

/** Reads what `ldd` printed: `name => /path (0x…)`, `/loader (0x…)`, `name => not found`. */
export function parseLdd(text: string): Linked {
  const lines = text.split('\n').map((line) => line.trim())
  return {
    found: lines.flatMap((line) => /^(?:\S+ => )?(\/.*) \(0x[0-9a-f]+\)$/.exec(line)?.[1] ?? []),
    missing: lines.flatMap((line) => /^(\S+) => not found$/.exec(line)?.[1] ?? []),
  }
}

/** Everything of this machine that the `files` which are programs or libraries need, sorted; nothing below `own`. */
export function systemLibraries(files: readonly string[], own: string): Linked {
  const found = new Set<string>()
  const missing = new Set<string>()
  for (const file of files.filter(isElf)) {
    const linked = parseLdd(askLdd(file))
    for (const path of linked.found) if (!realpathSync(path).startsWith(`${own}/`)) found.add(path)
    for (const name of linked.missing) missing.add(name)
  }
  return { found: [...found].sort(), missing: [...missing].sort() }
}

function isElf(file: string): boolean {
  const start = Buffer.alloc(4)
  const opened = openSync(file, 'r')
  try {
    return readSync(opened, start) === 4 && start.toString('latin1') === '\x7fELF'
  } finally {
    closeSync(opened)
  }
}

/** '' for a program that is linked with everything it needs, of which `ldd` says so by its code. */
function askLdd(file: string): string {
  try {
    return execFileSync('ldd', [file], { encoding: 'utf8', stdio: 'pipe', env: ENVIRONMENT })
  } catch (error) {
    const { stderr } = error as { readonly stderr?: string }
    if (/not a dynamic executable|statically linked/.test(stderr ?? '')) return ''
    throw error
  }
}

/** Nothing of the environment may lead to other libraries, or to another language. */
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

/** A Debian package of this machine. */
export interface DebianPackage {
  readonly name: string
  /** What it was built from, and of which version. */
  readonly source: string
  readonly sourceVersion: string
  /** Its paragraph of /var/lib/dpkg/status. */
  readonly status: string
}

/** The packages that `files` are of, sorted by name. Throws where a file is of none. */
export function packagesOf(files: readonly string[]): DebianPackage[] {
  const names = new Set(files.map(packageOf))
  return [...names].sort().map((name) => {
    const format = '${source:Package}\n${source:Version}'
    const [source = '', sourceVersion = ''] = query('--show', `--showformat=${format}`, name).split('\n')
    return { name: name.replace(/:.*/, ''), source, sourceVersion, status: query('--status', name) }
  })
}

function packageOf(file: string): string {
  // A file of /lib may be listed there or below /usr, by the age of the package, wherever /lib leads by now.
  const real = realpathSync(file)
  const paths = [file, real].flatMap((path) => [path, `/usr${path}`, path.replace(/^\/usr(?=\/)/, '')])
  for (const path of new Set(paths)) {
    const name = searchedPackage(path)
    if (name !== null) return name
  }
  throw new Error(`${file} is of no Debian package, so its licence is not known: it cannot be in an image.`)
}

function searchedPackage(path: string): string | null {
  try {
    const [line = ''] = query('--search', path).split('\n')
    return /^(\S+): /.exec(line)?.[1] ?? null
  } catch (error) {
    // 1: no package has it.
    if ((error as { readonly status?: number }).status === 1) return null
    throw error
  }
}

function query(...words: readonly string[]): string {
  try {
    return execFileSync('dpkg-query', words, { encoding: 'utf8', stdio: 'pipe', env: ENVIRONMENT })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Error('An image is made on Debian or Ubuntu, whose dpkg says what its libraries are.', {
      cause: error,
    })
  }
}
