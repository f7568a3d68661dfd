/** A disk that is full while something is opened, which SQLite words in several ways. */
import { AppError } from '../contract/errors.ts'

const FULL = /^(?:SQLITE_FULL|SQLITE_IOERR|ENOSPC$|EDQUOT$)/

/** The log and the shared memory beside a database need room as well: where there is none, SQLite calls it an I/O error. */
export function isOutOfRoom(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return FULL.test(String(error.code))
}

/** What somebody does about it who reads it. */
export function outOfRoom(file: string, cause: unknown): AppError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new AppError('DISK_FULL', {
    message: `${file} cannot be written: ${why}. The disk is full, or fails: make room, and start again.`,
    cause,
  })
}
