/** The npm packages that are shipped: what runs, by package-lock.json, and what is built into the studio's pages. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ShippedPackage {
  readonly name: string
  readonly version: string
  /** As package-lock.json has it; '' where it names none. */
  readonly licence: string
  /** SHA-512 of the package file, hexadecimal; null where the lock has none. */
  readonly sha512: string | null
  /** Taken on some systems only, or by choice. */
  readonly optional: boolean
  /** `name@version` of the packages that it needs; those that no system here has are left out. */
  readonly needs: readonly string[]
}

interface LockEntry {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly devOptional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

type Lock = Readonly<Record<string, LockEntry>>

const MODULES = 'node_modules/'
const nameAt = (path: string): string => path.slice(path.lastIndexOf(MODULES) + MODULES.length)

/** Packages that the studio's sources import; the bundler puts them, and what they need, into its pages. */
export function studioImports(root: string): string[] {
  const files = readdirSync(join(root, 'renderer'), { recursive: true, encoding: 'utf8' })
  const found = new Set<string>()
  for (const file of files.filter((name) => /\.(?:ts|svelte)$/.test(name) && !name.endsWith('.test.ts'))) {
    const text = readFileSync(join(root, 'renderer', file), 'utf8')
    for (const [, name] of text.matchAll(/^\s*import (?!type )[^'"]*from ['"]((?:@[\w-]+\/)?[a-z][\w.-]*)/gm))
      if (name !== undefined) found.add(name)
  }
  return [...found].sort()
}

/** Where `name` is found from the package at `from` ('': from the root), as Node looks for it; null: not in the lock. */
function resolved(lock: Lock, from: string, name: string): string | null {
  const path = from === '' ? `${MODULES}${name}` : `${from}/${MODULES}${name}`
  if (lock[path] !== undefined) return path
  if (from === '') return null
  return resolved(lock, from.slice(0, Math.max(0, from.lastIndexOf(`/${MODULES}`))), name)
}

const needsOf = ({ dependencies, optionalDependencies }: LockEntry): string[] =>
  Object.keys({ ...dependencies, ...optionalDependencies })

/** Everything reachable from these names. */
function closure(lock: Lock, names: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const visit = (from: string, name: string): void => {
    const path = resolved(lock, from, name)
    if (path === null || seen.has(path)) return
    seen.add(path)
    for (const next of needsOf(lock[path] ?? {})) visit(path, next)
  }
  for (const name of names) visit('', name)
  return seen
}

function packageAt(lock: Lock, path: string, entry: LockEntry): ShippedPackage {
  const needs = needsOf(entry).flatMap((name) => {
    const at = resolved(lock, path, name)
    return at === null ? [] : [`${name}@${lock[at]?.version ?? ''}`]
  })
  const integrity = /^sha512-(\S+)/.exec(entry.integrity ?? '')?.[1]
  return {
    name: nameAt(path),
    version: entry.version ?? '',
    licence: entry.license ?? '',
    sha512: integrity === undefined ? null : Buffer.from(integrity, 'base64').toString('hex'),
    optional: entry.optional === true || entry.devOptional === true,
    needs: needs.sort(),
  }
}

function readLock(root: string): Lock {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lock }
  return packages
}

/** Where they lie, as package-lock.json has it: `node_modules/a`. `root`: the folder that holds package-lock.json. */
export function shippedPaths(root: string): Set<string> {
  const lock = readLock(root)
  const running = Object.keys(lock).filter((path) => path !== '' && lock[path]?.dev !== true)
  // The desktop packages hold Electron itself; what its npm package needs only downloads it.
  return new Set([...running, ...closure(lock, studioImports(root)), `${MODULES}electron`])
}

/** Sorted by name and version, each once. `root`: the folder that holds package-lock.json. */
export function shippedPackages(root: string): ShippedPackage[] {
  const lock = readLock(root)
  const all = [...shippedPaths(root)].flatMap((path) => {
    const entry = lock[path]
    return entry === undefined ? [] : [packageAt(lock, path, entry)]
  })
  const once = new Map(all.map((one) => [`${one.name}@${one.version}`, one]))
  return [...once.keys()].sort().flatMap((key) => once.get(key) ?? [])
}

const ALLOWED: ReadonlySet<string> = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Zlib',
  'Python-2.0',
  'OFL-1.1',
  'CC-BY-4.0',
])

interface Exception {
  readonly packages: RegExp
  readonly licences: readonly string[]
  readonly why: string
}

/** Licences that ask for more than to be named. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    packages: /^@ff(?:mpeg|probe)-installer\//,
    licences: [
      'GPLv3',
      'GPL-3.0',
      'LGPL-2.1',
      'https://git.ffmpeg.org/gitweb/ffmpeg.git/blob_plain/HEAD:/LICENSE.md',
    ],
    why: 'ffmpeg and ffprobe are programs of their own that are started, not linked; the packages name their sources.',
  },
  {
    packages: /^@img\/sharp-/,
    licences: [
      'LGPL-3.0-or-later',
      'Apache-2.0 AND LGPL-3.0-or-later',
      'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
    ],
    why: 'libvips is a shared library that can be exchanged; it comes with a dependency and is not used by us.',
  },
]

/** Whether an SPDX expression (OR, AND, one pair of brackets) comes to allowed licences only. */
export function isAllowed(expression: string): boolean {
  const bare = expression.replace(/^\((.*)\)$/, '$1')
  if (bare.includes(' OR ')) return bare.split(' OR ').some((part) => isAllowed(part))
  return bare.split(' AND ').every((part) => ALLOWED.has(part))
}

/** Null when a package may be shipped, else why not. */
export function refusal({ name, licence }: Pick<ShippedPackage, 'name' | 'licence'>): string | null {
  if (licence === '') return `${name} names no licence`
  if (isAllowed(licence)) return null
  const excepted = EXCEPTIONS.some(
    ({ packages, licences }) => packages.test(name) && licences.includes(licence),
  )
  return excepted ? null : `${name} is under ${licence}`
}
