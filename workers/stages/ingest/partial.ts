/**
 * A partial download in a folder that is named by its address. It survives a kill -9, so that the next attempt resumes it. A second
 * holder at the same time downloads beside it without resuming.
 */
import { createHash, randomUUID, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import {
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
  type FileHandle,
  utimes,
} from 'node:fs/promises'
import { uptime } from 'node:os'
import { dirname, join } from 'node:path'

/** Identity of the bytes; resuming requires the same. */
export interface PartialFacts {
  readonly etag: string | null
  readonly lastModified: string | null
  readonly total: number | null
}

export type PartialFile = Awaited<ReturnType<typeof openPartial>>

const NOTHING: PartialFacts = { etag: null, lastModified: null, total: null }
const STALE_MS = 24 * 3600 * 1000
/** Prefix of folders that are being deleted, or were when the process was killed. */
const GONE = '.gone-'

/** Opens the partial download of `key` (an address or a path). `onRehash`: fraction of the earlier bytes hashed again. */
export async function openPartial(
  sources: string,
  key: string,
  signal: AbortSignal,
  onRehash: (fraction: number) => void,
) {
  const parent = join(sources, '.partial')
  await mkdir(parent, { recursive: true, mode: 0o700 })
  await sweep(parent)
  const name = createHash('sha256').update(key).digest('hex')
  const stable = join(parent, name)
  await mkdir(stable, { recursive: true, mode: 0o700 })
  const taken = await acquireLock(stable)
  const folder = taken === null ? join(parent, `${name}-${randomUUID()}`) : stable
  if (taken === null) await mkdir(folder, { recursive: true, mode: 0o700 })
  const lock = taken ?? (await acquireLock(folder))
  try {
    return await openIn(folder, signal, onRehash, async (isKept) => {
      await releaseFolder(folder, lock, isKept)
      if (folder !== stable && !isKept) await removeAbandoned(stable)
    })
  } catch (error) {
    await releaseFolder(folder, lock, true)
    throw error
  }
}

/** Leaves the folder for the next attempt, or deletes it with its lock. */
async function releaseFolder(folder: string, lock: AcquiredLock | null, isKept: boolean): Promise<void> {
  if (isKept) return lock?.release()
  lock?.abandon()
  // Renamed first, so that a process that starts over in this place meanwhile does not lose its files.
  const aside = join(dirname(folder), `${GONE}${randomUUID()}`)
  await rename(folder, aside)
  await rm(aside, { recursive: true, force: true })
}

/** If the previous holder was killed while we downloaded beside it, its files are of no use any more. */
async function removeAbandoned(folder: string): Promise<void> {
  const lock = await acquireLock(folder)
  if (lock !== null) await releaseFolder(folder, lock, false)
}

async function openIn(
  folder: string,
  signal: AbortSignal,
  onRehash: (fraction: number) => void,
  unlock: (isKept: boolean) => Promise<void>,
) {
  const path = join(folder, 'data')
  let facts = await readFacts(folder)
  const file: FileHandle = await open(path, 'a+')
  if (facts === null) await file.truncate(0)
  let size = (await file.stat()).size
  let hash: Hash
  try {
    hash = await hashFile(path, size, signal, onRehash)
  } catch (error) {
    await file.close()
    throw error
  }
  return {
    path,
    size: (): number => size,
    facts: (): PartialFacts => facts ?? NOTHING,
    /** Appends and hashes. */
    append: async (chunk: Uint8Array): Promise<void> => {
      await file.appendFile(chunk)
      hash.update(chunk)
      size += chunk.length
    },
    head: (length: number): Promise<Buffer> => readAt(file, 0, Math.min(length, size)),
    read: (from: number, length: number) => readAt(file, from, Math.min(length, size - from)),
    /** Deletes the bytes and starts over with these facts. */
    restart: async (next: PartialFacts): Promise<void> => {
      await rm(factsPath(folder), { force: true })
      await file.truncate(0)
      size = 0
      hash = createHash('sha256')
      facts = next
      await writeFile(factsPath(folder), JSON.stringify({ ...next, readBootTime: readBootTime() }))
    },
    /** Syncs the file and resolves to the SHA-256 of its content. */
    finish: async (): Promise<string> => {
      await file.sync()
      return hash.copy().digest('hex')
    },
    /** Closes the file; `keep` leaves the bytes for the next attempt. */
    release: async (keep: boolean): Promise<void> => {
      await file.close()
      await unlock(keep && size > 0)
    },
  }
}

/** Hash of the first `size` bytes of a file, read as a stream. */
export async function hashFile(
  path: string,
  size: number,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<Hash> {
  const hash = createHash('sha256')
  if (size === 0) return hash
  let done = 0
  for await (const chunk of createReadStream(path, { end: size - 1, highWaterMark: 1024 * 1024, signal })) {
    hash.update(chunk as Buffer)
    done += (chunk as Buffer).length
    onProgress(done / size)
  }
  return hash
}

async function readAt(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.max(0, length))
  const { bytesRead } = await file.read(buffer, 0, buffer.length, from)
  return buffer.subarray(0, bytesRead)
}

const factsPath = (folder: string): string => join(folder, 'facts.json')

/** Bytes written before a power cut may never have reached the disk, so they are trusted within one boot only. */
const readBootTime = (): number => Math.round(Date.now() / 1000 - uptime())

async function readFacts(folder: string): Promise<PartialFacts | null> {
  let text: string
  try {
    text = await readFile(factsPath(folder), 'utf8')
  } catch {
    // Nothing was started here.
    return null
  }
  try {
    const value = JSON.parse(text) as PartialFacts & { readBootTime: number }
    return Math.abs(value.readBootTime - readBootTime()) < 120
      ? { etag: value.etag, lastModified: value.lastModified, total: value.total }
      : null
  } catch {
    // The file is damaged: start over.
    return null
  }
}

/** Deletes leftovers of interrupted deletions, and downloads that nobody has continued for a day. */
async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = join(parent, name)
    if (!name.startsWith(GONE)) {
      const written = await stat(join(folder, 'data')).catch(() => stat(folder).catch(() => null))
      if (written === null || Date.now() - written.mtimeMs < STALE_MS) continue
      if (await isLocked(folder)) continue
    }
    await rm(folder, { recursive: true, force: true })
  }
}

const HEARTBEAT_MS = 2000
const LOCK_DEAD_MS = 15_000
const LOCK_NAME = /^lock\.(\d{1,9})$/u

type AcquiredLock = NonNullable<Awaited<ReturnType<typeof acquireLock>>>

/** Takes the lock of an existing folder; null when another process holds it or has just taken it. */
async function acquireLock(folder: string) {
  const found = await locksIn(folder)
  for (const name of found) if (await isHeld(join(folder, name))) return null
  const own = `lock.${parseLockNumber(found.at(-1) ?? 'lock.0') + 1}`
  const path = join(folder, own)
  if (!(await create(path))) return null
  // The folder may have been deleted and created again since the first check: then there is a live lock beside ours.
  for (const name of await locksIn(folder)) {
    if (name === own) continue
    if (await isHeld(join(folder, name))) {
      await rm(path, { force: true })
      return null
    }
    await rm(join(folder, name), { force: true })
  }
  const beat = setInterval(() => void touch(path), HEARTBEAT_MS)
  beat.unref()
  /** Stops the heartbeat of a lock that is deleted with its folder. */
  const abandon = (): void => clearInterval(beat)
  /** Leaves the folder to the next holder. */
  const release = async (): Promise<void> => {
    abandon()
    await rm(path, { force: true })
  }
  return { release, abandon }
}

/** Whether a download in this folder is in progress. */
async function isLocked(folder: string): Promise<boolean> {
  for (const name of await locksIn(folder)) if (await isHeld(join(folder, name))) return true
  return false
}

const parseLockNumber = (name: string): number => Number(LOCK_NAME.exec(name)?.[1] ?? 0)

/** Names of the lock files, the newest last. */
async function locksIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => LOCK_NAME.test(name)).sort((a, b) => parseLockNumber(a) - parseLockNumber(b))
}

/** False: another process was faster. */
async function create(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(String(process.pid))
    await file.close()
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // There is no folder: its holder has finished and deleted it.
    if (code === 'EEXIST' || code === 'ENOENT') return false
    throw error
  }
}

/** A lock counts while its process lives and its heartbeat is recent. */
async function isHeld(path: string): Promise<boolean> {
  try {
    const text = await readFile(path, 'utf8')
    const { mtimeMs } = await stat(path)
    const pid = Number(text)
    // Empty: its owner has just created it and is about to write into it.
    const owned = text === '' || pid === process.pid || isAlive(pid)
    return owned && Date.now() - mtimeMs < LOCK_DEAD_MS
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function touch(path: string): Promise<void> {
  const now = new Date()
  // A lock that has been deleted needs no heartbeat.
  await utimes(path, now, now).catch(() => undefined)
}
