/**
 * Who goes on with a download in progress: one holder at a time, by numbered lock files with a heartbeat. A lock is never
 * replaced. Who takes over from a dead one writes the next number, which only one can; so a live lock is not away for a
 * moment, in which a third could think that nobody holds it.
 */
import { open, readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

const HEARTBEAT_MS = 2000
const LOCK_DEAD_MS = 15_000
const LOCK_NAME = /^lock\.(\d{1,9})$/u

/** A lock that this process holds. */
export interface AcquiredLock {
  /** Ends the heartbeat and leaves the folder to whoever comes next. */
  readonly release: () => Promise<void>
  /** Ends the heartbeat of a lock that is removed with its folder. */
  readonly abandon: () => void
}

/** Takes the lock of a folder that exists; null when somebody else holds it, or has just taken it. */
export async function acquireLock(folder: string): Promise<AcquiredLock | null> {
  const found = await locksIn(folder)
  for (const name of found) if (await isHeld(join(folder, name))) return null
  const own = `lock.${numberOf(found.at(-1) ?? 'lock.0') + 1}`
  const path = join(folder, own)
  if (!(await create(path))) return null
  // The folder may have been given up, removed and taken anew since the first look: then there is a live lock beside ours.
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
  const abandon = (): void => clearInterval(beat)
  const release = async (): Promise<void> => {
    abandon()
    await rm(path, { force: true })
  }
  return { release, abandon }
}

/** Whether a download in this folder is going on. */
export async function isLocked(folder: string): Promise<boolean> {
  for (const name of await locksIn(folder)) if (await isHeld(join(folder, name))) return true
  return false
}

const numberOf = (name: string): number => Number(LOCK_NAME.exec(name)?.[1] ?? 0)

/** Names of the lock files, the newest last. */
async function locksIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => LOCK_NAME.test(name)).sort((a, b) => numberOf(a) - numberOf(b))
}

/** False: somebody else was faster. */
async function create(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(String(process.pid))
    await file.close()
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // No folder: its holder came to an end and removed it.
    if (code === 'EEXIST' || code === 'ENOENT') return false
    throw error
  }
}

/** A lock counts while its process lives and its heartbeat is fresh. */
async function isHeld(path: string): Promise<boolean> {
  try {
    const text = await readFile(path, 'utf8')
    const { mtimeMs } = await stat(path)
    const pid = Number(text)
    // Empty: its owner has made it a moment ago and is about to write into it.
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
  // A lock that has been removed needs no heartbeat.
  await utimes(path, now, now).catch(() => undefined)
}
