/** One place that knows how a full disk looks, and how much room there is. */
import { statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { AppError } from '../../server/contract/errors.ts'

/** Whether an exception says that there is no room (disk or quota). */
export function isDiskFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOSPC' || code === 'EDQUOT'
}

/** The same error, or DISK_FULL when that is what it says. */
export function orDiskFull(error: unknown): unknown {
  return isDiskFull(error) ? new AppError('DISK_FULL', { cause: error }) : error
}

/** Bytes that this user may still write to the disk that holds `folder`. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** The same, for the few who may not give up their turn while they look. */
export function freeBytesNow(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
