/**
 * Decides who continues a partial download: one holder at a time, by numbered lock files with a heartbeat. A lock file is never
 * replaced. Whoever takes over from a dead holder creates the next number, which only one process can do. A live lock therefore
 * never disappears for a moment in which a third process could take the folder as free.
 */
import { open, readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

const HEARTBEAT_MS = 2000
const LOCK_DEAD_MS = 15_000
const LOCK_NAME = /^lock\.(\d{1,9})$/u

/** A lock that this process holds. */
export interface AcquiredLock {
  /** Stops the heartbeat and leaves the folder to the next holder. */
  readonly release: () => Promise<void>
  /** Stops the heartbeat of a lock that is deleted with its folder. */
  readonly abandon: () => void
}

/** Takes the lock of an existing folder; null when another process holds it or has just taken it. */
export async function acquireLock(folder: string): Promise<AcquiredLock | null> {
  const found = await locksIn(folder)
  for (const name of found) if (await isHeld(join(folder, name))) return null
  const own = `lock.${numberOf(found.at(-1) ?? 'lock.0') + 1}`
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
  const abandon = (): void => clearInterval(beat)
  const release = async (): Promise<void> => {
    abandon()
    await rm(path, { force: true })
  }
  return { release, abandon }
}

/** Whether a download in this folder is in progress. */
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
