/** How a full disk is recognised, and how much space is free. */
import { statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { AppError } from '../../server/contract/errors.ts'

/** While data of unknown length is written, free space is checked again after this many bytes. */
export const RECHECK_EVERY_BYTES = 64_000_000

/** Whether an error says that the disk is full or the quota is used up. */
export function isDiskFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOSPC' || code === 'EDQUOT'
}

/** Turns an error about a full disk into DISK_FULL; other errors are returned unchanged. */
export function toDiskFull(error: unknown): unknown {
  return isDiskFull(error) ? new AppError('DISK_FULL', { cause: error }) : error
}

/** Bytes that this user may still write to the disk with `folder`. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Like freeBytes, but synchronous, for callers that must not yield between the check and the write. */
export function freeBytesNow(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

export interface SpaceNeeded {
  /** What is to be written, as the beginning of a sentence for users. */
  readonly what: string
  /** Bytes still to be written; 0 if unknown. */
  readonly bytes: number
  /** Bytes that must stay free afterwards. */
  readonly minFreeBytes: number
}

/** Throws DISK_FULL if the data does not fit on the disk with `folder`. */
export function requireDiskSpace(folder: string, { what, bytes, minFreeBytes }: SpaceNeeded): void {
  const free = freeBytesNow(folder)
  if (bytes + minFreeBytes <= free) return
  const needs = bytes === 0 ? 'does not fit' : `needs ${sizeOf(bytes)}`
  const reserved = minFreeBytes === 0 ? '' : `, of which ${sizeOf(minFreeBytes)} are to stay free`
  const message = `${what} ${needs}: the disk has ${sizeOf(free)} left${reserved}. Free some space and try again.`
  throw new AppError('DISK_FULL', { message, details: { needed: bytes, free, minFreeBytes } })
}

const sizeOf = (bytes: number): string =>
  bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
