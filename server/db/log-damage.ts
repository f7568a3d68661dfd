/**
 * Damage inside of a database's write-ahead log. SQLite ends at the first frame that does not fit and says nothing:
 * commits behind it would be gone. Format: https://www.sqlite.org/walformat.html. Reads only.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { AppError } from '../contract/errors.ts'
import {
  FRAME_HEADER_BYTES,
  HEADER_BYTES,
  isLogHeader,
  isLittle,
  PAGE_BYTES,
  sameSum,
  sumOf,
  type Sum,
} from './log-format.ts'

interface Frame {
  /** Of the same time through the log as its header says. */
  readonly ours: boolean
  /** The last of a transaction. */
  readonly commits: boolean
}

interface LogDamage {
  /** The first frame that does not fit. */
  readonly frame: number
  /** How many commits stand there and behind it. */
  readonly commits: number
}

/**
 * Throws INVALID_STATE where a log holds commits behind a frame that does not fit: before SQLite opens it for writing,
 * which would go on without them, and write over them.
 */
export function requireSoundLog(database: string): void {
  const found = findLogDamage(database)
  // Who writes meanwhile looks the same for a moment: what was read too early fits the second time.
  if (found === null || findLogDamage(database)?.frame !== found.frame) return
  throw new AppError('INVALID_STATE', {
    message: `The log of ${database} is damaged, and ${found.commits} changes stand behind the damage: nothing was started or changed. Put a backup back: cutroom restore FILE. To go on without these changes, move ${database}-wal away.`,
  })
}

/**
 * Null: the log is whole, or ends in the middle of a transaction. Each is synced before the next one is written, so a
 * power cut leaves only the last one half.
 */
export function findLogDamage(database: string): LogDamage | null {
  const log = `${database}-wal`
  const bytes = statSync(log, { throwIfNoEntry: false })?.size ?? 0
  if (bytes <= HEADER_BYTES) return null
  const file = openSync(log, 'r')
  try {
    return readFrames(file, bytes)
  } finally {
    closeSync(file)
  }
}

function readFrames(file: number, bytes: number): LogDamage | null {
  const header = readAt(file, 0, HEADER_BYTES)
  const little = isLittle(header)
  let sum: Sum = [header.readUInt32BE(24), header.readUInt32BE(28)]
  let whole = isLogHeader(header)
  const frameBytes = FRAME_HEADER_BYTES + (whole ? header.readUInt32BE(8) : PAGE_BYTES)
  // A header is synced before the first frame, and too short to be torn: where it does not fit, the frames tell.
  const salts = whole ? header.subarray(16, 24) : readAt(file, HEADER_BYTES + 8, 8)
  const behind: Frame[] = []
  let fitting = 0
  for (let at = HEADER_BYTES; at + frameBytes <= bytes; at += frameBytes) {
    const frame = readAt(file, at, frameBytes)
    const ours = frame.subarray(8, 16).equals(salts) && frame.readUInt32BE(0) !== 0
    if (whole) {
      sum = sumOf(frame.subarray(FRAME_HEADER_BYTES), sumOf(frame.subarray(0, 8), sum, little), little)
      whole = ours && sameSum(sum, [frame.readUInt32BE(16), frame.readUInt32BE(20)])
    }
    if (whole) fitting += 1
    else behind.push({ ours, commits: ours && frame.readUInt32BE(4) !== 0 })
  }
  // A commit that others follow had been synced.
  const last = behind.findLastIndex(({ ours }) => ours)
  const commits = behind.filter((frame, at) => frame.commits && at < last).length
  return commits === 0 ? null : { frame: fitting, commits }
}

function readAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  readSync(file, bytes, 0, length, at)
  return bytes
}
