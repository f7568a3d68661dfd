/**
 * What goes into a package and what does not, decided by names only: npm packages by the lock file, files of a
 * package by rules, built files by the names that they mention. Nothing here touches the disk.
 */

/** One package of package-lock.json, as far as it matters here. */
export interface LockEntry {
  readonly version?: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

/** package-lock.json's `packages`: install path (`node_modules/a/node_modules/b`) to entry. */
export type LockPackages = Readonly<Record<string, LockEntry>>

export interface Target {
  readonly os: 'linux' | 'darwin' | 'win32'
  readonly cpu: 'x64' | 'arm64'
}

/**
 * Needed by name only. `onnxruntime-web` is the browser's half of @huggingface/transformers, which Node never loads, and
 * 140 MB.
 */
export const LEFT_OUT: ReadonlySet<string> = new Set(['onnxruntime-web'])

/** Install paths of everything that `roots` (package names) need on `target`, sorted. Throws when one is not locked. */
export function productionPackages(lock: LockPackages, roots: readonly string[], target: Target): string[] {
  const found = new Set<string>()
  const waiting: { readonly name: string; readonly from: string; readonly optional: boolean }[] = roots.map(
    (name) => ({ name, from: '', optional: false }),
  )
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { name, from, optional } = next
    if (LEFT_OUT.has(name)) continue
    const path = resolvePackage(lock, name, from)
    if (path === null) {
      if (optional) continue
      throw new Error(`package-lock.json has no ${name}, which ${from === '' ? 'Cutroom' : from} needs`)
    }
    const entry = lock[path]
    if (entry === undefined || found.has(path) || !fits(entry, target)) continue
    found.add(path)
    for (const needed of Object.keys(entry.dependencies ?? {}))
      waiting.push({ name: needed, from: path, optional: needed in (entry.optionalDependencies ?? {}) })
    for (const needed of Object.keys(entry.optionalDependencies ?? {}))
      waiting.push({ name: needed, from: path, optional: true })
    for (const needed of Object.keys(entry.peerDependencies ?? {}))
      if (entry.peerDependenciesMeta?.[needed]?.optional !== true)
        waiting.push({ name: needed, from: path, optional: true })
  }
  return [...found].sort()
}

/** Where Node finds package `name` from `from`: nearest node_modules first. */
function resolvePackage(lock: LockPackages, name: string, from: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (path in lock) return path
    if (folder === '') return null
  }
}

function fits(entry: LockEntry, target: Target): boolean {
  const allows = (list: readonly string[] | undefined, mine: string): boolean =>
    list === undefined ||
    list.includes(mine) ||
    (list.length > 0 && list.every((item) => item.startsWith('!')))
  return (
    allows(entry.os, target.os) &&
    allows(entry.cpu, target.cpu) &&
    (target.os !== 'linux' || allows(entry.libc, 'glibc'))
  )
}

/**
 * Of these packages only what a pattern names is taken; `{os}` and `{cpu}` are the target's. Licences are always
 * taken.
 */
const ONLY: Readonly<Record<string, readonly string[]>> = {
  'onnxruntime-node': ['package.json', 'dist/**', 'bin/napi-v6/{os}/{cpu}/**'],
  '@huggingface/transformers': ['package.json', 'dist/transformers.node.mjs'],
  'better-sqlite3': ['package.json', 'lib/**', 'prebuilds/{os}-{cpu}.node'],
  '@modelcontextprotocol/sdk': ['package.json', 'dist/esm/**'],
}
const LICENCE = /(^|\/)(licen[cs]e|copying|notice|copyright|third[-_]?party[^/]*)([.-][^/]*)?$/i
const NEVER =
  /(\.(test|spec)\.[cm]?js|\.musl\.node|\.(map|md|markdown|d\.ts|d\.mts|d\.cts|ts|mts|cts|flow|tsbuildinfo|c|cc|cpp|h|hpp|gyp|gypi))$/i

/** Whether a file of this name has a licence, or says whose the work is. */
export const isLicenceFile = (name: string): boolean => LICENCE.test(name)

/** Of packages that publish more than their program. */
const AROUND = /^(tests?|__tests__|benchmarks?|examples?)\//

/** Whether `file` (relative to the package's folder, slashes) of npm package `name` is shipped. */
export function isShipped(name: string, file: string, { os, cpu }: Target): boolean {
  if (LICENCE.test(file)) return true
  if (file.split('/').some((part) => part.startsWith('.'))) return false
  if (AROUND.test(file)) return false
  const only = ONLY[name]
  if (
    only !== undefined &&
    !only.some((pattern) => matches(pattern.replace('{os}', os).replace('{cpu}', cpu), file))
  )
    return false
  return !NEVER.test(file)
}

function matches(pattern: string, file: string): boolean {
  return pattern.endsWith('/**') ? file.startsWith(pattern.slice(0, -2)) : file === pattern
}

/** `@a/b` of `node_modules/x/node_modules/@a/b`. */
export function packageName(installPath: string): string {
  return installPath.slice(installPath.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/**
 * Of built files (name to text), those that `entries` need: everything whose name is mentioned in a file that is needed.
 * `out/` keeps chunks of earlier builds for running appliances; a package must not.
 */
export function neededFiles(files: ReadonlyMap<string, string>, entries: readonly string[]): string[] {
  const byBase = new Map([...files.keys()].map((name) => [name.slice(name.lastIndexOf('/') + 1), name]))
  const needed = new Set<string>()
  const waiting = [...entries]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (needed.has(name)) continue
    const text = files.get(name)
    if (text === undefined) throw new Error(`The build lacks ${name}`)
    needed.add(name)
    for (const [mention] of text.matchAll(/[\w$-][\w.$-]*\.[a-z0-9]{2,5}\b/gi)) {
      const meant = byBase.get(mention)
      if (meant !== undefined) waiting.push(meant)
    }
  }
  return [...needed].sort()
}
