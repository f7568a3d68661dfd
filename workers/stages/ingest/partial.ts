/**
 * A download in progress, in a stable place named by its address: `<sources>/.partial/<sha256 of url>`. It outlives a
 * kill -9, so the next attempt goes on where this one stopped. One holder at a time: a lock file with a heartbeat; who
 * comes second downloads beside it without resuming.
 */
import { createHash, randomUUID, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import {
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
  type FileHandle,
} from 'node:fs/promises'
import { uptime } from 'node:os'
import { join } from 'node:path'

/** What the bytes belong to; resuming needs the same. */
export interface PartialFacts {
  readonly etag: string | null
  readonly lastModified: string | null
  readonly total: number | null
}

export interface PartialFile {
  readonly path: string
  readonly size: () => number
  readonly facts: () => PartialFacts
  /** Appends and hashes. */
  readonly append: (chunk: Uint8Array) => Promise<void>
  /** The first bytes, for sniffing; at most `length`. */
  readonly head: (length: number) => Promise<Buffer>
  readonly read: (from: number, length: number) => Promise<Buffer>
  /** Throws away what is there and begins anew with these facts. */
  readonly restart: (facts: PartialFacts) => Promise<void>
  /** SHA-256 of what was written, and everything on the disk. */
  readonly finish: () => Promise<string>
  /** Lets go; `keep` leaves the bytes for the next attempt. */
  readonly release: (keep: boolean) => Promise<void>
}

const NOTHING: PartialFacts = { etag: null, lastModified: null, total: null }
const HEARTBEAT_MS = 2000
const LOCK_DEAD_MS = 15_000
const STALE_MS = 24 * 3600 * 1000

/** Opens the partial download of `key` (an address or a path). `onRehash`: fraction of earlier bytes read again. */
export async function openPartial(
  sources: string,
  key: string,
  signal: AbortSignal,
  onRehash: (fraction: number) => void,
): Promise<PartialFile> {
  const parent = join(sources, '.partial')
  await mkdir(parent, { recursive: true, mode: 0o700 })
  await sweep(parent)
  const name = createHash('sha256').update(key).digest('hex')
  const own = await takeLock(join(parent, name))
  const folder = own ? join(parent, name) : join(parent, `${name}-${randomUUID()}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const beat = setInterval(() => void touch(join(folder, 'lock')), HEARTBEAT_MS)
  beat.unref()
  try {
    if (!own) await writeFile(join(folder, 'lock'), `${process.pid} ${randomUUID()}`)
    return await openIn(folder, signal, onRehash, () => clearInterval(beat))
  } catch (error) {
    clearInterval(beat)
    await rm(join(folder, 'lock'), { force: true })
    throw error
  }
}

async function openIn(
  folder: string,
  signal: AbortSignal,
  onRehash: (fraction: number) => void,
  onRelease: () => void,
): Promise<PartialFile> {
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
    size: () => size,
    facts: () => facts ?? NOTHING,
    append: async (chunk) => {
      await file.appendFile(chunk)
      hash.update(chunk)
      size += chunk.length
    },
    head: (length) => readAt(file, 0, Math.min(length, size)),
    read: (from, length) => readAt(file, from, Math.min(length, size - from)),
    restart: async (next) => {
      await rm(factsPath(folder), { force: true })
      await file.truncate(0)
      size = 0
      hash = createHash('sha256')
      facts = next
      await writeFile(factsPath(folder), JSON.stringify({ ...next, bootedAt: bootedAt() }))
    },
    finish: async () => {
      await file.sync()
      return hash.copy().digest('hex')
    },
    release: async (keep) => {
      onRelease()
      await file.close()
      if (keep && size > 0) await rm(join(folder, 'lock'), { force: true })
      else await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Hash of the first `size` bytes of a file, read in a stream. */
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

/** Bytes written before a power cut may never have reached the disk: they are trusted within one boot only. */
const bootedAt = (): number => Math.round(Date.now() / 1000 - uptime())

async function readFacts(folder: string): Promise<PartialFacts | null> {
  let text: string
  try {
    text = await readFile(factsPath(folder), 'utf8')
  } catch {
    // Nothing was begun here.
    return null
  }
  try {
    const value = JSON.parse(text) as PartialFacts & { bootedAt: number }
    return Math.abs(value.bootedAt - bootedAt()) < 120
      ? { etag: value.etag, lastModified: value.lastModified, total: value.total }
      : null
  } catch {
    // Half-written: begin anew.
    return null
  }
}

async function touch(path: string): Promise<void> {
  const now = new Date()
  // A lock that has been removed needs no heartbeat.
  await utimes(path, now, now).catch(() => undefined)
}

/** A lock counts while its process lives and its heartbeat is fresh; otherwise it is taken over. */
async function takeLock(folder: string): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'lock')
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      // Never the same text twice, so that a dead lock cannot be mistaken for the one that replaced it.
      await writeFile(path, `${process.pid} ${randomUUID()}`, { flag: 'wx' })
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const found = await lookAtLock(path)
    if (found?.held === true) return false
    if (found !== null && !(await removeDead(path, found.text))) return false
  }
  return false
}

/** Takes a dead lock away. False: somebody else was faster, and the lock in hand was theirs; it is put back. */
async function removeDead(path: string, text: string): Promise<boolean> {
  const aside = `${path}.${randomUUID()}`
  try {
    await rename(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw error
  }
  try {
    if ((await readFile(aside, 'utf8')) === text) return true
    await link(aside, path).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    })
    return false
  } finally {
    await rm(aside, { force: true })
  }
}

/** What a lock says; null when there is none (any more). */
async function lookAtLock(path: string): Promise<{ held: boolean; text: string } | null> {
  try {
    const [text, { mtimeMs }] = [await readFile(path, 'utf8'), await stat(path)]
    const pid = Number(text.split(' ')[0])
    // Empty: its owner has made it a moment ago and is about to write into it.
    const owned = text === '' || pid === process.pid || isAlive(pid)
    return { held: owned && Date.now() - mtimeMs < LOCK_DEAD_MS, text }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
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

/** Removes downloads that nobody has gone on with for a day. */
async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = join(parent, name)
    const data = await stat(join(folder, 'data')).catch(() => null)
    if (data === null || Date.now() - data.mtimeMs < STALE_MS) continue
    if ((await lookAtLock(join(folder, 'lock')))?.held === true) continue
    await rm(folder, { recursive: true, force: true })
  }
}
