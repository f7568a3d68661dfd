/** Files of uploads: where they lie, how bytes come into them, and how many of them are there. */
import { existsSync, renameSync, statSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '../../contract/errors.ts'
import { updateUpload, type Upload } from '../../db/sources.ts'
import { freeBytesNow } from '../../../workers/media/disk.ts'
import { syncFolder, syncFolderNow } from '../../../workers/sync-folder.ts'
import type { HomeServices, Services } from '../services.ts'

/** Ends the name of a file of which not all bytes are there. */
export const PARTIAL = '.part'
/** Bytes to receive between two checks of the free space. */
const RECHECK_EVERY_BYTES = 16 * 1024 ** 2
/** An upload that nothing uses is removed so long after it came in, or was written to last. */
const LIVES_MS = 86_400_000

type SpaceServices = Pick<Services, 'config' | 'home'>

/** When an upload that nothing uses is removed. */
export const expiryOf = ({ createdAt, writtenAt }: Pick<Upload, 'createdAt' | 'writtenAt'>): number =>
  (writtenAt ?? createdAt) + LIVES_MS

/** The path in the uploads folder, by the upload's id: names from outside never become paths. */
export function uploadPath(services: Pick<Services, 'home'>, id: string): string {
  return join(services.home.uploads, id)
}

/** A name from outside as a title: never a path. Empty where nothing is left of it. */
export function cleanName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  // Control characters would spoil logs and lists.
  return last
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, 255)
}

export const tooLarge = (limit: number) =>
  new AppError('PAYLOAD_TOO_LARGE', {
    message: `The file is larger than this appliance accepts (${limit} bytes; see CUTROOM_MAX_SOURCE_BYTES).`,
    details: { maxBytes: limit },
  })

const noSpace = () => new AppError('DISK_FULL', 'There is not enough free disk space for this file.')

/** Throws DISK_FULL unless so many bytes fit beside what is reserved. */
export function requireDiskSpace({ config, home }: SpaceServices, bytes: number): void {
  if (freeBytesNow(home.uploads) < bytes + config.minFreeBytes) throw noSpace()
}

/** Throws DISK_FULL when what comes in would use what is reserved: several uploads at once do not know of each other. */
export function createSpaceWatch(services: SpaceServices): (bytes: number) => void {
  let lookAt = RECHECK_EVERY_BYTES
  return (bytes) => {
    if (bytes < lookAt) return
    lookAt = bytes + RECHECK_EVERY_BYTES
    requireDiskSpace(services, 0)
  }
}

async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let from = 0; from < chunk.length;) from += (await file.write(chunk, from)).bytesWritten
}

interface Receiving {
  /** `wx` for a new file, `a` to go on with one. */
  readonly flags: 'wx' | 'a'
  /** Throws where the chunk must not be written; `sum` of the bytes that have come, this chunk included. */
  readonly onChunk: (chunk: Buffer, sum: number) => void
}

/**
 * Writes the stream to a file, synced to disk; returns how many bytes it had. A failure does not destroy the stream: it is the
 * client's connection, which still gets the error.
 */
export async function receive(
  stream: Readable,
  path: string,
  { flags, onChunk }: Receiving,
): Promise<number> {
  const file = await open(path, flags, 0o600)
  try {
    let bytes = 0
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      onChunk(chunk, bytes)
      await writeAll(file, chunk)
    }
    await file.sync()
    // Its name as well: whoever sends the next piece was told how many bytes are there.
    await syncFolder(dirname(path))
    return bytes
  } finally {
    await file.close()
  }
}

/** The same error, or DISK_FULL with what to do then. */
export function diskFull(error: unknown, then: string): unknown {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? new AppError('DISK_FULL', { message: `The disk is full; free some space and ${then}.`, cause: error })
    : error
}

/** How many bytes of an upload are there. One that is whole is marked so: a kill may have come before that. */
export function receivedBytes(services: HomeServices, upload: Upload): number {
  if (upload.complete) return upload.bytes
  const path = uploadPath(services, upload.id)
  const part = statSync(path + PARTIAL, { throwIfNoEntry: false })
  const bytes = part?.size ?? (existsSync(path) ? upload.bytes : 0)
  if (bytes < upload.bytes) return bytes
  if (part !== undefined) renameSync(path + PARTIAL, path)
  syncFolderNow(dirname(path))
  updateUpload(services.db, upload.id, { complete: true })
  return bytes
}
