/** One place that knows how a full disk looks, and how much room there is. */
import { statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { AppError } from '../../server/contract/errors.ts'

/** While something of unknown length is written, the room is looked at again after so much. */
export const RECHECK_EVERY_BYTES = 64_000_000

/** Whether an exception says that there is no room (disk or quota). */
export function isDiskFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOSPC' || code === 'EDQUOT'
}

/** The same error, or DISK_FULL when that is what it says. */
export function toDiskFull(error: unknown): unknown {
  return isDiskFull(error) ? new AppError('DISK_FULL', { cause: error }) : error
}

/** Bytes that this user may still write to the disk that holds `folder`. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** As freeBytes, for the few who may not give up their turn while they look. */
export function freeBytesNow(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

export interface SpaceNeeded {
  /** How a person calls what is to be written, as the beginning of a sentence. */
  readonly what: string
  /** Bytes that are still to come; 0 where nobody says how many. */
  readonly bytes: number
  /** Bytes that are to stay free afterwards. */
  readonly minFreeBytes: number
}

/** Throws DISK_FULL where that does not fit on the disk that holds `folder`. */
export function requireDiskSpace(folder: string, { what, bytes, minFreeBytes }: SpaceNeeded): void {
  const free = freeBytesNow(folder)
  if (bytes + minFreeBytes <= free) return
  const needs = bytes === 0 ? 'does not fit' : `needs ${sizeOf(bytes)}`
  const kept = minFreeBytes === 0 ? '' : `, of which ${sizeOf(minFreeBytes)} are to stay free`
  const message = `${what} ${needs}: the disk has ${sizeOf(free)} left${kept}. Free some space and try again.`
  throw new AppError('DISK_FULL', { message, details: { needed: bytes, free, minFreeBytes } })
}

const sizeOf = (bytes: number): string =>
  bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
