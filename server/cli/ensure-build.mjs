/**
 * Builds `out/` when it is missing or was made from other sources; does nothing in an installed package, which has no
 * sources. Plain JavaScript for Node 20 and newer: it runs before anything is built. Everything it says goes to stderr.
 *
 * Run as a program: `node server/cli/ensure-build.mjs [--force]`.
 */
import { spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const out = join(root, 'out')
const stampFile = join(out, 'build.json')
const lockFile = join(out, 'build.lock')
const SOURCES = [
  'main',
  'renderer',
  'server',
  'workers',
  'models',
  'resources/fonts',
  'electron.vite.config.ts',
  'package.json',
  'tsconfig.base.json',
]
const CODE = /\.(ts|svelte|css|html|js|mjs|json|ttf)$/
const NOT_BUILT = /\.test\.ts$|migrations/
/** Chunks of earlier builds that a running appliance may still need are kept this long. */
const KEEP_OLD_CHUNKS_MS = 24 * 3600 * 1000

function* filesUnder(path) {
  if (!existsSync(path)) return
  if (statSync(path).isFile()) return yield path
  for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const child = join(path, entry.name)
    if (entry.isDirectory()) yield* filesUnder(child)
    else if (CODE.test(entry.name) && !NOT_BUILT.test(child)) yield child
  }
}

/** SHA-256 over the names and contents of everything that goes into the build. */
function sourcesDigest() {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    for (const file of filesUnder(join(root, source))) {
      hash
        .update(`${file.slice(root.length)}\0`)
        .update(readFileSync(file))
        .update('\0')
    }
  }
  return hash.digest('hex')
}

function builtDigest() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8')).sources
  } catch {
    return null // never built, or the build was cut off
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Takes over the lock of a builder that died; puts it back when another was quicker and took it meanwhile. */
function breakLock(deadPid) {
  const aside = `${lockFile}.${randomUUID()}`
  try {
    renameSync(lockFile, aside)
    if (Number(readFileSync(aside, 'utf8')) !== deadPid) linkSync(aside, lockFile)
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

function lock() {
  mkdirSync(out, { recursive: true })
  const mine = `${lockFile}.${randomUUID()}`
  writeFileSync(mine, String(process.pid))
  const clock = new Int32Array(new SharedArrayBuffer(4))
  try {
    for (let told = false; ;) {
      try {
        linkSync(mine, lockFile) // atomic, and the lock is never seen without its owner in it
        return () => rmSync(lockFile, { force: true })
      } catch (error) {
        if (error.code !== 'EEXIST') throw error
      }
      let owner
      try {
        owner = Number(readFileSync(lockFile, 'utf8'))
      } catch {
        continue // let go this moment
      }
      if (!isAlive(owner)) breakLock(owner)
      else {
        if (!told) process.stderr.write(`Waiting for the build of process ${owner}...\n`)
        told = true
        Atomics.wait(clock, 0, 0, 200)
      }
    }
  } finally {
    rmSync(mine, { force: true })
  }
}

function removeOldChunks(startedAt) {
  for (const folder of [join(out, 'main'), join(out, 'renderer', 'assets')]) {
    if (!existsSync(folder)) continue
    for (const name of readdirSync(folder)) {
      const file = join(folder, name)
      if (statSync(file).mtimeMs < startedAt - KEEP_OLD_CHUNKS_MS) rmSync(file, { force: true })
    }
  }
}

function build(digest) {
  const builder = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js')
  if (!existsSync(builder)) {
    if (builtDigest() !== null) {
      process.stderr.write(
        'The build is older than the sources, and the build tool is not installed: using it as it is.\n',
      )
      return
    }
    throw new Error('There is no build, and the build tool is not installed: run `npm ci` first.')
  }
  process.stderr.write('Building Cutroom (only after a change)...\n')
  const startedAt = Date.now()
  rmSync(stampFile, { force: true })
  const result = spawnSync(process.execPath, [builder, 'build', '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  if (result.status !== 0) throw new Error('The build failed; what went wrong is printed above.')
  removeOldChunks(startedAt)
  writeFileSync(`${stampFile}.new`, JSON.stringify({ sources: digest }))
  renameSync(`${stampFile}.new`, stampFile)
  process.stderr.write(`Built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.\n`)
}

/** Makes `out/` fit the sources. Throws an Error with one sentence when it cannot. */
export function ensureBuild({ force = false } = {}) {
  if (!existsSync(join(root, 'server', 'cli', 'main.ts'))) return
  if (!force && builtDigest() === sourcesDigest()) return
  const unlock = lock()
  try {
    const digest = sourcesDigest()
    if (force || builtDigest() !== digest) build(digest) // another may have built while this one waited
  } finally {
    unlock()
  }
}

if (process.argv[1] !== undefined && fileURLToPath(import.meta.url) === realpathSync(process.argv[1])) {
  try {
    ensureBuild({ force: process.argv.includes('--force') })
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
