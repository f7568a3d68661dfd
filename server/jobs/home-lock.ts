/**
 * One appliance per home. The lock is an EXCLUSIVE transaction on a small SQLite file, which the operating system
 * releases with the process, even after kill -9. Facts about the holder are in a JSON file next to it, valid only while
 * the lock is held. The lock file must not be opened elsewhere: closing another descriptor of it in this process would
 * release the lock (POSIX).
 */
import { accessSync, constants, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../contract/errors.ts'
import { isOutOfRoom, outOfRoom } from '../db/opening-failures.ts'
import type { Home } from '../home.ts'

/** What the appliance that uses a home publishes about itself. */
export interface RunningAppliance {
  readonly pid: number
  /** Null until it answers requests. */
  readonly url: string | null
  /** Epoch milliseconds. */
  readonly startedAt: number
}

export interface HomeLock {
  /** Publishes the address of the appliance for the command line. */
  publish(url: string): void
  release(): void
}

const recordFile = (home: Home) => join(dirname(home.lock), 'appliance.json')

function isBusy(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY')
}

function readRecord(home: Home): RunningAppliance | null {
  try {
    const value = JSON.parse(readFileSync(recordFile(home), 'utf8')) as Partial<RunningAppliance>
    return typeof value.pid === 'number'
      ? { pid: value.pid, url: value.url ?? null, startedAt: value.startedAt ?? 0 }
      : null
  } catch {
    return null // not written yet, or by a version that wrote something else: nothing is known then
  }
}

function writeRecord(home: Home, record: RunningAppliance): void {
  const file = recordFile(home)
  writeFileSync(`${file}.new`, JSON.stringify(record), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** A file that may only be read cannot be locked exclusively, and SQLite continues without the lock. */
function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}

function openLock(home: Home, writable: (path: string) => boolean): Database.Database {
  const refuse = (cause?: unknown): AppError =>
    new AppError('INVALID_STATE', {
      message: `${home.lock} may not be written, so it cannot be known whether another appliance runs on this home. Give it to the user who runs this (chown).`,
      cause,
    })
  let lock: Database.Database
  try {
    // readRunningAppliance takes the lock for a moment, so another holder is waited for.
    lock = new Database(home.lock, { timeout: 1000 })
  } catch (error) {
    throw refuse(error)
  }
  if (writable(home.lock)) return lock
  lock.close()
  throw refuse()
}

/** Takes the home for this process. Throws HOME_IN_USE, INVALID_STATE for another user's file, DISK_FULL. */
export function acquireHomeLock(home: Home, now: number, writable = mayWrite): HomeLock {
  const lock = openLock(home, writable)
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (isOutOfRoom(error)) throw outOfRoom(home.lock, error)
    if (!isBusy(error)) throw error
    const running = readRecord(home)
    const who =
      running === null ? '' : ` (process ${running.pid}${running.url === null ? '' : `, ${running.url}`})`
    throw new AppError('HOME_IN_USE', {
      message: `Another appliance is running on ${home.root}${who}. Stop it first, or choose another folder with --home.`,
      details: { home: home.root, pid: running?.pid ?? null, url: running?.url ?? null },
      cause: error,
    })
  }
  const record = { pid: process.pid, url: null, startedAt: now }
  try {
    writeRecord(home, record)
  } catch (error) {
    lock.close()
    throw isOutOfRoom(error) ? outOfRoom(recordFile(home), error) : error
  }
  return {
    publish: (url) => writeRecord(home, { ...record, url }),
    release: () => {
      if (!lock.open) return
      rmSync(recordFile(home), { force: true })
      lock.exec('ROLLBACK')
      lock.close()
    },
  }
}

/** The appliance that runs on this home now, or null. Safe to call at any time, from any process. */
export function readRunningAppliance(home: Home): RunningAppliance | null {
  let lock: Database.Database
  try {
    lock = new Database(home.lock, { fileMustExist: true, timeout: 0 })
  } catch {
    return null // no lock file: nothing ever ran here
  }
  try {
    lock.prepare('SELECT count(*) FROM sqlite_master').get()
    return null
  } catch (error) {
    if (!isBusy(error)) throw error
    return readRecord(home)
  } finally {
    lock.close()
  }
}

/** What an appliance left that ended without letting go of the home; null where none did, or one runs. */
export function leftBehind(home: Home): RunningAppliance | null {
  const left = readRecord(home)
  return left === null || readRunningAppliance(home) !== null ? null : left
}
