/**
 * Results of stages, stored by content. A content key covers everything that a result depends on. A result is published
 * completely or not at all (temporary folder, files synced, result.json last, rename), and is verified before it is
 * reused. Used by pool threads and, for keys and cache hits, by the server's job machinery.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { AppError } from '../server/contract/errors.ts'
import { sha256OfFile } from '../models/installed.ts'
import { artefactFolder } from './paths.ts'
import { makeSyncedFolder } from './sync-folder.ts'
import type { StageName } from './stages/catalog.ts'

export { artefactFolder, placeIn, sourcePath } from './paths.ts'

export const RESULT_FILE = 'result.json'
/** Lists the files of a result that are in the store and not here. */
export const ELSEWHERE_FILE = '.in-store.json'

/** Files of a published result that are in the store and not here, by their paths in its folder. */
export async function elsewhere(folder: string): Promise<ReadonlySet<string>> {
  const text = await readFile(join(folder, ELSEWHERE_FILE), 'utf8').catch(() => '[]')
  return new Set(JSON.parse(text) as string[])
}

/** What a stage produced, as stored in result.json. Paths are relative to the artefact folder. */
const StoredResult = Type.Object({
  stage: Type.Unsafe<StageName>(Type.String()),
  version: Type.Number(),
  key: Type.String(),
  output: Type.Unknown(),
  warnings: Type.Array(Type.String()),
  milliseconds: Type.Number(),
  /**
   * `check`: the result of `checkOf`; results of earlier versions have none and are verified by size only. `sha256`: of the whole
   * file where the check is of slices, for whoever takes it from elsewhere.
   */
  files: Type.Array(
    Type.Object({
      path: Type.String(),
      bytes: Type.Number(),
      check: Type.Optional(Type.String()),
      sha256: Type.Optional(Type.String()),
    }),
  ),
  /** Digest of all other fields; results of earlier versions have none. */
  sum: Type.Optional(Type.String()),
})
export type StoredResult = Static<typeof StoredResult>

/** Everything that a stage's result depends on. */
export interface KeyParts {
  readonly stage: StageName
  readonly version: number
  readonly params: unknown
  /** Input name to its identity: a source's digest, or the content key of the stage that made it. */
  readonly inputs: Readonly<Record<string, string>>
  /** Tool or model name to a fingerprint of that exact build. */
  readonly tools: Readonly<Record<string, string>>
  readonly models: Readonly<Record<string, string>>
  /** Set for hardware encoders, because each encoder produces different bytes. */
  readonly encoder?: unknown
  /** Set for stages whose results may be reused within one run only. */
  readonly scope?: string
}

/**
 * JSON with exactly one spelling per value: keys are sorted, undefined properties are left out, and -0 is written as 0.
 * Throws TypeError for what JSON would change silently: NaN, infinities, functions, undefined items.
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

/** Whether this error or any of its causes says that the disk is full. */
export function isDiskFull(error: unknown): boolean {
  for (let at = error, depth = 0; depth < 10 && typeof at === 'object' && at !== null; depth++) {
    const { code, cause } = at as { code?: unknown; cause?: unknown }
    if (code === 'DISK_FULL' || (typeof code === 'string' && DISK_FULL_CODES.has(code))) return true
    at = cause
  }
  return false
}

/** Turns an error about a full disk into DISK_FULL; other errors are returned unchanged. */
export function mapDiskFull(error: unknown): unknown {
  return isDiskFull(error) && !(error instanceof AppError)
    ? new AppError('DISK_FULL', { cause: error })
    : error
}

/** Flushes a file or folder to the disk. */
async function sync(path: string): Promise<void> {
  await using handle = await open(path, 'r')
  await handle.sync()
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

/** The text of a result.json; null: half-written or damaged. */
export function readStoredResult(text: string): StoredResult | null {
  try {
    const stored: unknown = JSON.parse(text)
    return Value.Check(StoredResult, stored) ? stored : null
  } catch {
    return null
  }
}

/** Whether its own digest holds. */
export const isSummed = ({ sum, ...rest }: StoredResult): boolean =>
  sum === undefined || sum === digestOf(rest)

const foldersAbove = (path: string): string[] =>
  dirname(path) === '.' ? [] : [dirname(path), ...foldersAbove(dirname(path))]

const SLICE = 1024 ** 2
/** Larger files are checked by evenly spaced slices, because verifying a hit must not cost as much as computing it again. */
const MAX_WHOLE_BYTES = 32 * SLICE
const SLICES = 16

/** A checksum that detects damage: SHA-256 of the whole file, or of slices if it is large. */
async function checkOf(path: string, bytes: number): Promise<string> {
  const hash = createHash('sha256')
  const whole = bytes <= MAX_WHOLE_BYTES
  const count = whole ? Math.ceil(bytes / SLICE) : SLICES
  const buffer = Buffer.allocUnsafe(SLICE)
  await using handle = await open(path, 'r')
  for (let slice = 0; slice < count; slice++) {
    const from = whole ? slice * SLICE : Math.floor(((bytes - SLICE) * slice) / (SLICES - 1))
    const { bytesRead } = await handle.read(buffer, 0, SLICE, from)
    hash.update(buffer.subarray(0, bytesRead))
  }
  return `${whole ? 'whole' : 'slices'}:${hash.digest('hex')}`
}

/** Of a listed file; undefined: it is a large one of an earlier version. */
export function sha256Of({ check, sha256 }: StoredResult['files'][number]): string | undefined {
  return sha256 ?? /^whole:([0-9a-f]{64})$/.exec(check ?? '')?.[1]
}

async function inspect(folder: string, expected: { stage: StageName; version: number; key: string }) {
  const text = await readFile(join(folder, RESULT_FILE), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  })
  // Half-written or damaged: the caller removes it and computes again.
  const stored = readStoredResult(text)
  if (stored === null || !isSummed(stored)) return null
  if (stored.stage !== expected.stage || stored.version !== expected.version || stored.key !== expected.key)
    return null
  const away = await elsewhere(folder)
  for (const file of stored.files) {
    const found = await stat(join(folder, file.path)).catch(() => null)
    if (found === null && away.has(file.path)) continue
    if (found === null || !found.isFile() || found.size !== file.bytes) return null
    if (file.check !== undefined && (await checkOf(join(folder, file.path), file.bytes)) !== file.check)
      return null
  }
  return stored
}

/**
 * The published result under this key, or null. A damaged folder (a file missing or changed, result.json unreadable, another
 * version) is removed so that it is computed again, and `onDamaged` is called.
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
 * Publishes the content of `folder` (which must be on the home's file system) as a result. If another task has published
 * the same key first, its result is returned. Throws DISK_FULL when the disk is full.
 */
export async function publishResult(
  artefacts: string,
  folder: string,
  result: Omit<StoredResult, 'files'>,
): Promise<StoredResult> {
  const target = artefactFolder(artefacts, result.stage, result.key)
  try {
    const files: StoredResult['files'] = []
    const inside = await listFiles(folder)
    for (const path of inside) {
      if (path === RESULT_FILE) throw new Error(`${RESULT_FILE} is written by the publisher only`)
      const file = join(folder, path)
      await sync(file)
      const bytes = (await stat(file)).size
      const whole = bytes > MAX_WHOLE_BYTES ? { sha256: await sha256OfFile(file) } : {}
      files.push({ path, bytes, check: await checkOf(file, bytes), ...whole })
    }
    const content = { ...result, files }
    const stored: StoredResult = { ...content, sum: digestOf(JSON.parse(JSON.stringify(content))) }
    await writeFile(join(folder, RESULT_FILE), JSON.stringify(stored), { flush: true })
    for (const one of new Set(inside.flatMap(foldersAbove))) await sync(join(folder, one))
    await sync(folder)
    await makeSyncedFolder(dirname(target))
    return await moveIntoPlace(artefacts, folder, target, stored)
  } catch (error) {
    throw mapDiskFull(error)
  }
}

async function moveIntoPlace(artefacts: string, folder: string, target: string, stored: StoredResult) {
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

/** Creates a folder for one attempt at a stage; its name has the id of the process that works in it. */
export async function makeAttemptFolder(temporary: string): Promise<string> {
  const folder = join(temporary, `${ATTEMPT}${process.pid}-${randomBytes(8).toString('hex')}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** The folder, named by its key, in which a resumable stage stores its progress. */
export function resumeFolder(temporary: string, key: string): string {
  return join(temporary, `${RESUME}${key}`)
}

/** Removes the attempts of a process that has ended. Retries, because its tools may still be ending. */
export async function sweepAttemptsOf(temporary: string, pid: number): Promise<void> {
  for (const name of await readdir(temporary)) {
    if (!name.startsWith(`${ATTEMPT}${pid}-`)) continue
    await rm(join(temporary, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

/**
 * Removes what dead attempts left in the temporary folder. Only the process that holds the home's lock may call this, before
 * any work starts. Resumable work whose key is in `keep` stays. Resolves to the number of removed entries.
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
