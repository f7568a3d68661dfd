/**
 * An apt repository: Debian packages below pool/, and signed lists of them below dists/, for any web server or folder. gpg
 * signs, in a home of its own, which is gone afterwards.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sha256Of } from './archive.ts'

const SUITE = 'stable'
const COMPONENT = 'main'
const POOL = `pool/${COMPONENT}/c/cutroom`
/** What signs is checked by; made by `gpg --export`. */
export const KEYRING = 'cutroom-archive-keyring.gpg'

/** One package in the pool, as its list has it. */
export interface PooledPackage {
  /** Its own control file. */
  readonly control: string
  /** From the repository's root. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/** The list of packages of one architecture. */
export function packagesFile(packages: readonly PooledPackage[]): string {
  return packages
    .map(({ control, path, bytes, sha256 }) =>
      [control.trim(), `Filename: ${path}`, `Size: ${bytes}`, `SHA256: ${sha256}`, ''].join('\n'),
    )
    .join('\n')
}

/** What is signed: the lists, each with size and digest. `seconds`: when it was made, since 1970. */
export function releaseFile(
  lists: ReadonlyMap<string, Buffer>,
  architectures: readonly string[],
  seconds: number,
): string {
  const sums = [...lists].map(([path, bytes]) => {
    const digest = createHash('sha256').update(bytes).digest('hex')
    return ` ${digest} ${bytes.length} ${path}`
  })
  return [
    'Origin: Cutroom',
    'Label: Cutroom',
    `Suite: ${SUITE}`,
    `Codename: ${SUITE}`,
    `Date: ${new Date(seconds * 1000).toUTCString().replace('GMT', 'UTC')}`,
    `Architectures: ${architectures.join(' ')}`,
    `Components: ${COMPONENT}`,
    'Description: Cutroom, finished clips out of long videos',
    'SHA256:',
    ...sums,
    '',
  ].join('\n')
}

/**
 * Puts `deb` into the repository at `folder` (made where there is none) beside the packages that are there, and signs its
 * lists with the private OpenPGP key in the file `key`. What was there stays in use until the new lists are whole.
 */
export async function addToRepository(
  deb: string,
  folder: string,
  { key, seconds }: { readonly key: string; readonly seconds: number },
): Promise<void> {
  await withKey(key, async (gpg, fingerprint) => {
    const pooled = join(folder, POOL, basename(deb))
    mkdirSync(dirname(pooled), { recursive: true, mode: 0o755 })
    cpSync(deb, `${pooled}.part`)
    renameSync(`${pooled}.part`, pooled)

    const byArchitecture = Map.groupBy(await poolOf(folder), ({ control }) => field(control, 'Architecture'))
    const lists = new Map<string, Buffer>()
    for (const [architecture, packages] of byArchitecture) {
      const text = Buffer.from(packagesFile(packages))
      const path = `${COMPONENT}/binary-${architecture}/Packages`
      lists.set(path, text)
      lists.set(`${path}.gz`, gzipSync(text, { level: 9 }))
    }
    const next = join(folder, 'dists.next')
    const suite = join(next, SUITE)
    rmSync(next, { recursive: true, force: true })
    for (const [path, bytes] of lists) {
      mkdirSync(dirname(join(suite, path)), { recursive: true, mode: 0o755 })
      writeFileSync(join(suite, path), bytes, { mode: 0o644 })
    }
    const release = join(suite, 'Release')
    writeFileSync(release, releaseFile(lists, [...byArchitecture.keys()].sort(), seconds), { mode: 0o644 })
    const sign = ['--local-user', fingerprint, '--digest-algo', 'SHA512', '--output']
    gpg([...sign, join(suite, 'InRelease'), '--clear-sign', release])
    gpg([...sign, join(suite, 'Release.gpg'), '--armor', '--detach-sign', release])
    writeFileSync(join(folder, KEYRING), gpg(['--export', fingerprint]), { mode: 0o644 })

    const dists = join(folder, 'dists')
    rmSync(`${dists}.old`, { recursive: true, force: true })
    if (existsSync(dists)) renameSync(dists, `${dists}.old`)
    renameSync(next, dists)
    rmSync(`${dists}.old`, { recursive: true, force: true })
  })
}

async function poolOf(folder: string): Promise<PooledPackage[]> {
  const names = readdirSync(join(folder, POOL)).filter((name) => name.endsWith('.deb'))
  return await Promise.all(
    names.sort().map(async (name) => {
      const path = `${POOL}/${name}`
      const file = join(folder, path)
      const control = execFileSync('dpkg-deb', ['--field', file], { encoding: 'utf8' })
      return { control, path, bytes: statSync(file).size, sha256: await sha256Of(file) }
    }),
  )
}

const field = (control: string, name: string): string =>
  new RegExp(`^${name}: (.*)$`, 'm').exec(control)?.[1] ?? ''

type Gpg = (words: readonly string[]) => Buffer

/** Gives `use` a gpg that holds the one private key of `file` and nothing else. */
async function withKey(file: string, use: (gpg: Gpg, fingerprint: string) => Promise<void>): Promise<void> {
  await withGpg(async (gpg) => {
    readFileSync(file)
    gpg(['--import', file])
    const listed = gpg(['--list-secret-keys', '--with-colons']).toString()
    const keys = [...listed.matchAll(/^sec:.*\n(?:.*\n)*?fpr:+([0-9A-F]+):/gm)].map(([, found = '']) => found)
    const [fingerprint] = keys
    if (fingerprint === undefined || keys.length > 1)
      throw new Error(
        `${file} holds ${keys.length} private OpenPGP keys; it has to be one: gpg --export-secret-keys ID > FILE writes it.`,
      )
    await use(gpg, fingerprint)
  })
}

/** Gives `use` a gpg without any key. What it holds is gone afterwards. */
export async function withGpg(use: (gpg: Gpg) => Promise<void> | void): Promise<void> {
  // Not beside the result: the agent's socket needs a short path, and a private key must not lie where packages are published.
  const home = mkdtempSync(join(tmpdir(), 'cutroom-gpg-'))
  try {
    await use((words) => run('gpg', ['--batch', '--no-tty', '--homedir', home, ...words]))
  } finally {
    endAgent(home)
    // The agent takes its sockets away while it ends, and a removal that meets that stops there without a word.
    for (let tries = 0; existsSync(home) && tries < 20; tries += 1)
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

function endAgent(home: string): void {
  try {
    run('gpgconf', ['--homedir', home, '--kill', 'all'])
  } catch {
    // None was started.
  }
}

function run(program: string, words: readonly string[]): Buffer {
  try {
    return execFileSync(program, words, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' },
    })
  } catch (error) {
    const { code, stderr } = error as { readonly code?: string; readonly stderr?: Buffer }
    if (code === 'ENOENT')
      throw new Error('A repository is signed by gpg, which is not here: apt install gnupg', { cause: error })
    const said = (stderr?.toString() ?? '').trim().split('\n').at(-1) ?? ''
    throw new Error(`gpg did not sign: ${said}. The key has to be a private one without a passphrase.`, {
      cause: error,
    })
  }
}
