/** Lays the application out in a folder as it will be installed: Node, the build, production packages, resources. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { BUNDLED } from '../../electron.vite.config.ts'
import {
  isShipped,
  neededFiles,
  packageName,
  productionPackages,
  type LockPackages,
  type Target,
} from './contents.ts'
import { makeNotices } from './supply/notices.ts'

export const ROOT = join(import.meta.dirname, '..', '..')

export interface ShippedPackage {
  readonly name: string
  readonly version: string
  readonly license: string
}

export interface Staged {
  /** The application's folder: what `cutroom-VERSION-linux-CPU/` or /usr/lib/cutroom holds. */
  readonly folder: string
  readonly version: string
  readonly target: Target
  readonly packages: readonly ShippedPackage[]
}

/** Programs that cli.js starts or is; the desktop shell's `index` is not among them. */
const ENTRIES = [
  'cli.js',
  'engine.js',
  'pool-thread.js',
  'reaper.js',
  'clip-lists.js',
  'passage-search.js',
  'full-check.js',
  'argon2.js',
]
/** As they are in the checkout, at the same place. */
const AS_IS = [
  'server/cli/bin.mjs',
  'server/steady-memory.mjs',
  'server/cli/ensure-build.mjs',
  'server/db/migrations',
  'resources/fonts',
  'resources/ffmpeg-trial',
  'docs',
]
const SINGLE_FILES = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'resources/icon/icon.png',
  'resources/sample/sample.mp4',
  'resources/sample/sample.srt',
]
const EXECUTABLE = /^node_modules\/@ff(mpeg|probe)-installer\/[\w-]+\/ff(mpeg|probe)(\.exe)?$/

/** The machine this runs on, as packages see it. Throws elsewhere: natives of other machines are not installed here. */
export function thisTarget(platform: string = process.platform, arch: string = process.arch): Target {
  const known = platform === 'linux' || platform === 'darwin' || platform === 'win32'
  if (known && (arch === 'x64' || arch === 'arm64')) return { os: platform, cpu: arch }
  throw new Error(`Packages are made on Linux, macOS or Windows (x64 or arm64); this is ${platform} ${arch}.`)
}

/** Fills the empty `folder`. The build has to be fresh (ensure-build). `version` instead of package.json's, for tests. */
export function stageApplication(
  folder: string,
  { version, contact }: { readonly version: string | null; readonly contact: string | null },
  target: Target,
): Staged {
  const manifest = readJson(join(ROOT, 'package.json')) as {
    readonly version: string
    readonly dependencies: Readonly<Record<string, string>>
  }
  const copy = copierTo(folder)
  const packages = copyPackages(copy, manifest.dependencies, target)
  copyBuild(copy)
  for (const path of AS_IS) for (const file of filesBelow(path)) copy(file)
  for (const file of SINGLE_FILES) copy(file)
  const programs: ([from: string, to: string] | null)[] = [
    [join(import.meta.dirname, 'cutroom.sh'), 'bin/cutroom'],
    nodeProgram(target),
  ]
  for (const [from, to] of programs.filter((program) => program !== null)) {
    copyFileSync(from, make(folder, to))
    chmodSync(join(folder, to), 0o755)
  }
  const shipped = {
    name: 'cutroom',
    version: version ?? manifest.version,
    private: true,
    license: 'MIT',
    type: 'module',
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(shipped, null, 2)}\n`)
  for (const [name, text] of makeNotices(ROOT, { version: shipped.version, contact }))
    writeFileSync(join(folder, name), text, { mode: 0o644 })
  return { folder, version: shipped.version, target, packages }
}

/** Fills the empty `folder` with the desktop shell alone: what Electron loads. The appliance lies beside it. */
export function stageShell(folder: string, version: string): void {
  const copy = copierTo(folder)
  const built = readTexts('out/main')
  for (const file of neededFiles(built, ['out/main/index.js'])) copy(file)
  copy('out/preload/preload.cjs')
  const { description } = readJson(join(ROOT, 'package.json')) as { readonly description: string }
  const manifest = {
    name: 'cutroom',
    productName: 'Cutroom',
    version,
    description,
    author: 'Cutroom',
    type: 'module',
    main: 'out/main/index.js',
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

type Copy = (path: string, mode?: number) => void

function copierTo(folder: string): Copy {
  return (path) => {
    const to = make(folder, path)
    copyFileSync(join(ROOT, path), to)
    chmodSync(to, EXECUTABLE.test(path) ? 0o755 : 0o644)
  }
}

function make(folder: string, path: string): string {
  const full = join(folder, path)
  mkdirSync(dirname(full), { recursive: true, mode: 0o755 })
  return full
}

function copyPackages(copy: Copy, dependencies: Readonly<Record<string, string>>, target: Target) {
  const lock = (readJson(join(ROOT, 'package-lock.json')) as { packages: LockPackages }).packages
  const bundled = new Set<string>(BUNDLED)
  const roots = Object.keys(dependencies).filter((name) => !bundled.has(name))
  return productionPackages(lock, roots, target).map((path) => {
    const name = packageName(path)
    for (const file of filesBelow(path)) {
      const inside = file.slice(path.length + 1)
      if (!inside.startsWith('node_modules/') && isShipped(name, inside, target)) copy(file)
    }
    return { name, version: lock[path]?.version ?? '', license: lock[path]?.license ?? 'see the package' }
  })
}

function copyBuild(copy: Copy): void {
  const entries = ENTRIES.map((name) => `out/main/${name}`)
  for (const file of neededFiles(readTexts('out/main'), entries)) copy(file)
  const pages = ['index', 'api-docs', 'shared'].map((name) => `out/renderer/${name}.html`)
  const renderer = readTexts('out/renderer')
  for (const file of neededFiles(renderer, pages))
    for (const sent of [file, `${file}.br`, `${file}.gz`]) if (renderer.has(sent)) copy(sent)
  for (const file of renderer.keys()) if (file.startsWith('out/renderer/fonts/')) copy(file)
}

function readTexts(folder: string): Map<string, string> {
  return new Map(filesBelow(folder).map((file) => [file, readFileSync(join(ROOT, file), 'latin1')]))
}

/** The pinned Node and where it goes; null on macOS, for which there is no such package. */
function nodeProgram(target: Target): [from: string, to: string] | null {
  if (target.os === 'darwin') return null
  const windows = target.os === 'win32'
  const name = windows ? 'node.exe' : 'node'
  const folder = `node-${windows ? 'win' : target.os}-${target.cpu}`
  const program = join(ROOT, 'node_modules', folder, 'bin', name)
  const version = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim()
  if (version !== process.version)
    throw new Error(`The pinned Node says ${version}; this is ${process.version}. Run npm ci.`)
  return [program, `bin/${name}`]
}

/** Every file below a folder of the checkout (or the file itself), as `a/b/c` from its root, sorted. */
function filesBelow(path: string): string[] {
  if (statSync(join(ROOT, path)).isFile()) return [path]
  return readdirSync(join(ROOT, path), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const child = `${path}/${entry.name}`
      return entry.isDirectory() ? filesBelow(child) : entry.isFile() ? [child] : []
    })
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}
