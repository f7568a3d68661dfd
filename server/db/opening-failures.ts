/** Why a database cannot be opened, by the codes of SQLite: a lacking right, or a full disk, worded in several ways. */
import { AppError } from '../contract/errors.ts'

const FULL = /^(?:SQLITE_FULL|SQLITE_IOERR|ENOSPC$|EDQUOT$)/

const FORBIDDEN = /^(?:SQLITE_(?:CANTOPEN|READONLY|PERM|AUTH)|EACCES$|EPERM$|EROFS$)/

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** Whether this user may not open the file or those beside it. */
export const isForbidden = (error: unknown): boolean => FORBIDDEN.test(codeOf(error))

/** Also true for SQLite's I/O error when the log or the shared memory beside a database cannot grow. */
export const isOutOfRoom = (error: unknown): boolean => FULL.test(codeOf(error))

/** What somebody does about it who reads it. */
export function outOfRoom(file: string, cause: unknown): AppError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new AppError('DISK_FULL', {
    message: `${file} cannot be written: ${why}. The disk is full, or fails: make room, and start again.`,
    cause,
  })
}
