/**
 * Reads what is committed to a database out of its write-ahead log, every commit once, whichever process made it.
 * A read transaction of its own keeps SQLite from writing over what was not read: docs/decisions/0100. Format:
 * log-format.ts.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import Database from 'better-sqlite3'
import {
  FRAME_HEADER_BYTES,
  HEADER_BYTES,
  isLittle,
  isLogHeader,
  PAGE_BYTES,
  sameSum,
  sumOf,
  type Sum,
} from './log-format.ts'

/** What one or several commits in a row changed: the last content of each page. */
export interface PageChanges {
  /** By number; the first page of a database is 1. */
  readonly pages: Map<number, Buffer>
  /** How many pages the database has afterwards. */
  readonly size: number
}

/** The log went on without being read: only a copy of the whole database helps. */
class LogGap extends Error {}

export type LogReader = ReturnType<typeof openLogReader>

const FRAME_BYTES = FRAME_HEADER_BYTES + PAGE_BYTES
/** Read at once: about a megabyte. */
const FRAMES_AT_ONCE = 256

interface Place {
  /** Changed each time that the log begins anew; null: nothing was read yet. */
  salts: Buffer | null
  little: boolean
  /** Frames that were read; all of them end with a commit. */
  frames: number
  sum: Sum
  /** Commits that were read, ever. */
  commits: number
  /** All that the log held is in the database, so the next writer may begin it anew, once. */
  mayRestart: boolean
}

/**
 * `file`: a database in WAL mode. Its calls throw LogGap.
 * It never opens the database by another way than SQLite's: closing it would drop the locks of the process (POSIX).
 */
export function openLogReader(file: string) {
  const keeper = new Database(file, { fileMustExist: true })
  const other = new Database(file, { fileMustExist: true, timeout: 0 })
  const place: Place = { salts: null, little: true, frames: 0, sum: [0, 0], commits: 0, mayRestart: true }
  const hold = (): void => {
    keeper.exec('begin')
    // A transaction begins to see with its first read.
    keeper.prepare('select count(*) from sqlite_master').get()
  }
  const read = (): PageChanges | null => readCommits(`${file}-wal`, place)
  /** Puts the log into the database as far as it can, and holds what comes after. */
  const checkpoint = (): PageChanges | null => {
    place.mayRestart = false
    const [result] = other.pragma('wal_checkpoint(FULL)') as { busy: number; log: number }[]
    hold()
    return result?.busy === 0 ? readToEnd(read, place, result.log) : null
  }
  const first = merged(read(), checkpoint())
  return {
    /** What the log held as this was called. */
    first,
    /** What was committed since the last call; null: nothing. */
    read,
    /** How many commits were read. */
    commits: (): number => place.commits,
    /** How many bytes of the log were read: what `shorten` is for. */
    bytes: (): number => place.frames * FRAME_BYTES,
    /**
     * Lets SQLite put into the database what was read, so that the log does not grow for ever. Answers what was read on the
     * way. Where others are in the middle of something, nothing happens.
     */
    shorten: (): PageChanges | null => {
      // Done already, and nothing came since.
      if (place.mayRestart) return null
      try {
        other.exec('begin immediate')
      } catch {
        // Somebody writes.
        return null
      }
      const before = read()
      keeper.exec('commit')
      other.exec('rollback')
      return merged(before, checkpoint())
    },
    close: (): void => {
      keeper.close()
      other.close()
    },
  }
}

/**
 * All frames of a log that was put into the database as it had `log` of them. Another process may have written between the
 * steps: what it wrote is read, unless it is written over already.
 */
function readToEnd(read: () => PageChanges | null, place: Place, log: number): PageChanges | null {
  const { salts } = place
  // Where no frame came in between, whoever writes next begins the log anew.
  place.mayRestart = place.frames === log
  const more = read()
  if (place.salts !== salts) return more
  if (place.frames < log) throw new LogGap('the log went on while it was shortened')
  place.mayRestart = place.frames === log
  return more
}

/** Two changes in a row as one. */
export function merged(first: PageChanges | null, then: PageChanges | null): PageChanges | null {
  if (first === null || then === null) return first ?? then
  for (const [page, bytes] of then.pages) first.pages.set(page, bytes)
  return { pages: first.pages, size: then.size }
}

function readCommits(log: string, place: Place): PageChanges | null {
  let file: number
  try {
    file = openSync(log, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    const bytes = fstatSync(file).size
    if (bytes <= HEADER_BYTES || !enter(file, place)) return null
    return readFrames(file, bytes, place)
  } finally {
    closeSync(file)
  }
}

/** Finds its place in the log; false: its head is being written. */
function enter(file: number, place: Place): boolean {
  const header = Buffer.alloc(HEADER_BYTES)
  readSync(file, header, 0, HEADER_BYTES, 0)
  if (!isLogHeader(header)) return false
  const salts = header.subarray(16, 24)
  if (place.salts?.equals(salts) === true) return true
  if (place.salts !== null && !mayFollow(place, place.salts, salts))
    throw new LogGap('the log was begun anew before all of it was read')
  if (header.readUInt32BE(8) !== PAGE_BYTES) throw new LogGap('the database has pages of another size')
  place.salts = salts
  place.little = isLittle(header)
  place.frames = 0
  place.sum = [header.readUInt32BE(24), header.readUInt32BE(28)]
  place.mayRestart = false
  return true
}

/**
 * Whether a log with these salts is the one after what was read. Where nothing was committed to it, what was rolled back
 * may have had others.
 */
const mayFollow = ({ mayRestart, frames }: Place, before: Buffer, salts: Buffer): boolean =>
  mayRestart ? salts.readUInt32BE(0) === (before.readUInt32BE(0) + 1) >>> 0 : frames === 0

/** Whole commits only: a frame counts once the last one of its transaction is there, and all sums fit. */
function readFrames(file: number, bytes: number, place: Place): PageChanges | null {
  const pages = new Map<number, Buffer>()
  let size = 0
  let open = new Map<number, Buffer>()
  let { frames, sum } = place
  const there = Math.floor((bytes - HEADER_BYTES) / FRAME_BYTES)
  while (frames < there) {
    const chunk = Buffer.allocUnsafeSlow(Math.min(FRAMES_AT_ONCE, there - frames) * FRAME_BYTES)
    const got = readSync(file, chunk, 0, chunk.length, HEADER_BYTES + frames * FRAME_BYTES)
    for (let at = 0; ; at += FRAME_BYTES) {
      if (at + FRAME_BYTES > chunk.length) break
      const frame = chunk.subarray(at, at + FRAME_BYTES)
      const head = frame.subarray(0, FRAME_HEADER_BYTES)
      const next = sumOf(
        frame.subarray(FRAME_HEADER_BYTES),
        sumOf(head.subarray(0, 8), sum, place.little),
        place.little,
      )
      const fits =
        at + FRAME_BYTES <= got &&
        place.salts?.equals(head.subarray(8, 16)) === true &&
        sameSum(next, [head.readUInt32BE(16), head.readUInt32BE(20)])
      if (!fits) return pages.size === 0 ? null : { pages, size }
      sum = next
      frames += 1
      open.set(head.readUInt32BE(0), frame.subarray(FRAME_HEADER_BYTES))
      const sizeAfter = head.readUInt32BE(4)
      if (sizeAfter === 0) continue
      for (const [page, content] of open) pages.set(page, content)
      open = new Map()
      size = sizeAfter
      place.frames = frames
      place.sum = sum
      place.commits += 1
    }
  }
  return pages.size === 0 ? null : { pages, size }
}
