/**
 * Results of stages by content. A key says everything that a result depends on; a result is published whole or not at
 * all (temporary folder, files fsynced, result.json last, rename), and is believed only after it was looked at. Used by
 * pool threads and, for keys and hits, by the server's job machinery.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { AppError } from '../server/contract/errors.ts'
import { artefactFolder } from './paths.ts'
import type { StageName } from './stages/catalog.ts'

export { artefactFolder, sourcePath } from './paths.ts'

export const RESULT_FILE = 'result.json'

/** What a stage left behind, as kept in result.json. Paths are relative to the artefact folder. */
export interface StoredResult {
  readonly stage: StageName
  readonly version: number
  readonly key: string
  readonly output: unknown
  readonly warnings: readonly string[]
  readonly milliseconds: number
  /** `check`: what `checkOf` says of its content; results of earlier versions have none and are believed by their size. */
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly check?: string }[]
  /** Digest of all the rest; results of earlier versions have none. */
  readonly sum?: string
}

/** Everything that a stage's result depends on. */
export interface KeyParts {
  readonly stage: StageName
  readonly version: number
  readonly params: unknown
  /** Input name to what it is by content: a source's digest, or the key of the stage that made it. */
  readonly inputs: Readonly<Record<string, string>>
  /** Tool or model name to a fingerprint of exactly that build. */
  readonly tools: Readonly<Record<string, string>>
  readonly models: Readonly<Record<string, string>>
  /** Set where it is not the software encoder: another encoder makes other bytes. */
  readonly encoder?: unknown
  /** Set for stages that may be reused within one run only. */
  readonly scope?: string
}

/**
 * JSON with one spelling per value: keys sorted, properties that are undefined left out, -0 written as 0 (they are the
 * same number). Throws TypeError for what JSON would silently change: NaN, infinities, functions, undefined items.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`not a number that JSON can hold: ${String(value)}`)
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object') {
    const fields = Object.entries(value as Record<string, unknown>)
      .filter(([, field]) => field !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(',')}}`
  }
  throw new TypeError(`a ${typeof value} cannot be part of a content key`)
}

/** SHA-256 in hex over the canonical JSON of a value. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}

/** The content key of a stage's result. */
export function contentKey(parts: KeyParts): string {
  return digestOf({ form: 1, ...parts })
}

const DISK_FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL'])

/** Whether this error, or any of its causes, is the disk being full. */
export function isDiskFull(error: unknown): boolean {
  for (let at = error, depth = 0; depth < 10 && typeof at === 'object' && at !== null; depth++) {
    const { code, cause } = at as { code?: unknown; cause?: unknown }
    if (code === 'DISK_FULL' || (typeof code === 'string' && DISK_FULL_CODES.has(code))) return true
    at = cause
  }
  return false
}

/** The same error, as DISK_FULL where that is what it is. */
export function mapDiskFull(error: unknown): unknown {
  return isDiskFull(error) && !(error instanceof AppError)
    ? new AppError('DISK_FULL', { cause: error })
    : error
}

/** Flushes a file or folder to the disk. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Every plain file under a folder, sorted, as paths relative to it with forward slashes. Links are refused. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files: string[] = []
  for (const entry of entries) {
    if (entry.isDirectory()) continue
    if (!entry.isFile()) throw new Error(`only plain files can be published: ${entry.name}`)
    files.push(relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
  }
  return files.sort()
}

async function writeSynced(path: string, text: string): Promise<void> {
  const handle = await open(path, 'w')
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Whether a value has the form of StoredResult; anything else counts as damaged. */
export function isStoredResult(value: unknown): value is StoredResult {
  if (typeof value !== 'object' || value === null) return false
  const { stage, version, key, warnings, milliseconds, files } = value as Record<string, unknown>
  return (
    typeof stage === 'string' &&
    typeof version === 'number' &&
    typeof key === 'string' &&
    'output' in value &&
    Array.isArray(warnings) &&
    typeof milliseconds === 'number' &&
    Array.isArray(files) &&
    files.every(
      (file: unknown) =>
        typeof file === 'object' &&
        file !== null &&
        typeof (file as Record<string, unknown>)['path'] === 'string' &&
        typeof (file as Record<string, unknown>)['bytes'] === 'number',
    )
  )
}

const SLICE = 1024 ** 2
/** Up to here files are read whole. Of larger ones slices are, evenly over them: a hit must not cost as much as the work. */
const MAX_WHOLE = 32 * SLICE
const SLICES = 16

/** What tells a file's content from a damaged one: SHA-256, of slices where it is large. */
async function checkOf(path: string, bytes: number): Promise<string> {
  const hash = createHash('sha256')
  const whole = bytes <= MAX_WHOLE
  const count = whole ? Math.ceil(bytes / SLICE) : SLICES
  const buffer = Buffer.allocUnsafe(SLICE)
  const handle = await open(path, 'r')
  try {
    for (let slice = 0; slice < count; slice++) {
      const from = whole ? slice * SLICE : Math.floor(((bytes - SLICE) * slice) / (SLICES - 1))
      const { bytesRead } = await handle.read(buffer, 0, SLICE, from)
      hash.update(buffer.subarray(0, bytesRead))
    }
  } finally {
    await handle.close()
  }
  return `${whole ? 'whole' : 'slices'}:${hash.digest('hex')}`
}

async function inspect(folder: string, expected: { stage: StageName; version: number; key: string }) {
  let text: string
  try {
    text = await readFile(join(folder, RESULT_FILE), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  let stored: unknown
  try {
    stored = JSON.parse(text)
  } catch {
    return null // half-written or damaged: the caller removes it and computes again
  }
  if (!isStoredResult(stored)) return null
  const { sum, ...rest } = stored
  if (sum !== undefined && sum !== digestOf(rest)) return null
  if (stored.stage !== expected.stage || stored.version !== expected.version || stored.key !== expected.key)
    return null
  for (const file of stored.files) {
    const found = await stat(join(folder, file.path)).catch(() => null)
    if (found === null || !found.isFile() || found.size !== file.bytes) return null
    if (file.check !== undefined && (await checkOf(join(folder, file.path), file.bytes)) !== file.check)
      return null
  }
  return stored
}

/**
 * The published result under this key, or null. A folder that is there but is not whole (a file missing or of another
 * size or with other content, result.json unreadable, another version) is removed, so that it is computed again;
 * `onDamaged` is told.
 */
export async function readResult(
  artefacts: string,
  expected: { stage: StageName; version: number; key: string },
  onDamaged: () => void = () => undefined,
): Promise<StoredResult | null> {
  const folder = artefactFolder(artefacts, expected.stage, expected.key)
  const stored = await inspect(folder, expected)
  if (stored !== null) return stored
  if ((await stat(folder).catch(() => null)) !== null) onDamaged()
  await rm(folder, { recursive: true, force: true })
  return null
}

/**
 * Publishes what lies in `folder` (on the home's own file system) as the result of `expected`. Whoever comes second with
 * the same key gets the result that is there already. Throws AppError DISK_FULL when the disk is full.
 */
export async function publishResult(
  artefacts: string,
  folder: string,
  result: Omit<StoredResult, 'files'>,
): Promise<StoredResult> {
  const target = artefactFolder(artefacts, result.stage, result.key)
  try {
    const files: StoredResult['files'][number][] = []
    for (const path of await listFiles(folder)) {
      if (path === RESULT_FILE) throw new Error(`${RESULT_FILE} is written by the publisher only`)
      const file = join(folder, path)
      await sync(file)
      const bytes = (await stat(file)).size
      files.push({ path, bytes, check: await checkOf(file, bytes) })
    }
    const kept = { ...result, files }
    const stored: StoredResult = { ...kept, sum: digestOf(JSON.parse(JSON.stringify(kept))) }
    await writeSynced(join(folder, RESULT_FILE), JSON.stringify(stored))
    await sync(folder)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    return await moveIntoPlace(artefacts, folder, target, stored)
  } catch (error) {
    throw mapDiskFull(error)
  }
}

async function moveIntoPlace(
  artefacts: string,
  folder: string,
  target: string,
  stored: StoredResult,
): Promise<StoredResult> {
  for (let attempt = 0; ; attempt++) {
    try {
      await rename(folder, target)
      await sync(dirname(target))
      return stored
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      if ((code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'EPERM') || attempt === 2) throw error
      const existing = await readResult(artefacts, stored) // removes what is not whole
      if (existing !== null) {
        await rm(folder, { recursive: true, force: true })
        return existing
      }
    }
  }
}

const ATTEMPT = 'attempt-'
const RESUME = 'resume-'

/** A fresh folder for one attempt at a stage; its name says which process works in it. */
export async function makeAttemptFolder(temporary: string): Promise<string> {
  const folder = join(temporary, `${ATTEMPT}${process.pid}-${randomBytes(8).toString('hex')}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** Where a stage that can go on where it stopped keeps what it has, by its key. */
export function resumeFolder(temporary: string, key: string): string {
  return join(temporary, `${RESUME}${key}`)
}

/** Removes what a process that has ended was working on. Its tools may still be dying: tried more than once. */
export async function sweepAttemptsOf(temporary: string, pid: number): Promise<void> {
  for (const name of await readdir(temporary)) {
    if (!name.startsWith(`${ATTEMPT}${pid}-`)) continue
    await rm(join(temporary, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

/**
 * Empties the temporary folder of what dead attempts left; only for whoever holds the home's lock, before any work
 * starts. Work of the keys in `keep` that can go on stays. Returns how many entries went.
 */
export async function sweepTemporary(
  temporary: string,
  keep: ReadonlySet<string> = new Set(),
): Promise<number> {
  let removed = 0
  for (const name of await readdir(temporary).catch(() => [])) {
    if (name.startsWith(RESUME) && keep.has(name.slice(RESUME.length))) continue
    await rm(join(temporary, name), { recursive: true, force: true })
    removed++
  }
  return removed
}
