/**
 * Uploads that come in pieces: created with their length, continued where they broke off. What the tus protocol says of this is
 * in http/public/uploads.ts; the files and rows are those of every upload.
 */
import { createHash } from 'node:crypto'
import { truncate } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { AppError, invalidRequest } from '../../contract/errors.ts'
import type { RunSource } from '../../contract/run.ts'
import { listOpenRunFiles } from '../../db/runs.ts'
import { getUpload, insertUpload, updateUpload, type Upload } from '../../db/sources.ts'
import { newId } from '../../ids.ts'
import type { HomeServices, Services } from '../services.ts'
import { requireQuota } from './quota.ts'
import {
  cleanName,
  createSpaceWatch,
  diskFull,
  expiryOf,
  PARTIAL,
  receive,
  receivedBytes,
  requireDiskSpace,
  tooLarge,
  uploadPath,
} from './upload-files.ts'
import { isUploadInUse, shareUpload, takeAway, usingUpload } from './uploads.ts'

type Deps = Pick<Services, 'charge' | 'config' | 'db' | 'home' | 'now' | 'store'>

interface UploadAddress {
  readonly companyId: string
  readonly uploadId: string
}

/** How far an upload is. */
export interface UploadState {
  readonly id: string
  readonly title: string
  readonly bytes: number
  /** How many of the bytes are there. */
  readonly offset: number
  /** Epoch milliseconds. */
  readonly expiresAt: number
  readonly tusMetadata: string | null
}

const stateOf = (services: HomeServices, upload: Upload): UploadState => ({
  id: upload.id,
  title: upload.displayName,
  bytes: upload.bytes,
  offset: receivedBytes(services, upload),
  expiresAt: expiryOf(upload),
  tusMetadata: upload.tusMetadata,
})

/** The company's upload. UPLOAD_NOT_FOUND, also for another company's; UPLOAD_EXPIRED. */
function requireUpload(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { companyId, uploadId }: UploadAddress,
): Upload {
  const upload = getUpload(db, companyId, uploadId)
  if (upload === null) throw new AppError('UPLOAD_NOT_FOUND', { details: { uploadId } })
  if (now() >= expiryOf(upload)) throw new AppError('UPLOAD_EXPIRED', { details: { uploadId } })
  return upload
}

/**
 * Begins an upload of so many bytes, which count as stored from now on. Throws before any byte is taken: INVALID_REQUEST (empty),
 * PAYLOAD_TOO_LARGE, QUOTA_EXCEEDED, DISK_FULL. `title`: the file's name; it never becomes a path.
 */
export function createUpload(
  services: Deps,
  input: {
    readonly companyId: string
    readonly bytes: number
    readonly title: string
    readonly tusMetadata: string | null
  },
): UploadState {
  const { companyId, bytes, tusMetadata } = input
  const limit = services.config.maxSourceBytes
  if (bytes === 0) throw invalidRequest('Upload-Length', 'The file is empty.')
  if (bytes > limit) throw tooLarge(limit)
  requireQuota(services, companyId, bytes)
  requireDiskSpace(services, bytes)
  const createdAt = services.now()
  const own = { id: newId(), companyId, displayName: cleanName(input.title) || 'Upload' }
  const upload = { ...own, bytes, createdAt, complete: false, writtenAt: createdAt, tusMetadata }
  insertUpload(services.db, upload)
  return stateOf(services, upload)
}

/** How far the company's upload is. Ends a request that writes to it now. Errors as requireUpload. */
export async function readUpload(services: Deps, address: UploadAddress): Promise<UploadState> {
  requireUpload(services, address)
  while (writers.has(address.uploadId)) await endWriter(address.uploadId)
  return stateOf(services, requireUpload(services, address))
}

/** Requests that write to an upload now, by its id. */
const writers = new Map<string, { readonly stream: Readable; readonly ended: Promise<unknown> }>()

/** Ends the request that writes to an upload: whoever asks anew has lost that connection, which may not know it yet. */
async function endWriter(uploadId: string): Promise<void> {
  const writer = writers.get(uploadId)
  writer?.stream.destroy()
  await writer?.ended
}

export const CHECKSUM_ALGORITHMS = ['sha1', 'sha256'] as const

/** The next bytes of an upload. */
export interface Piece {
  /** Where they begin. */
  readonly offset: number
  /** How many there are, where that is known; more than declared are not possible in HTTP. */
  readonly length: number | null
  readonly stream: Readable
  readonly checksum: {
    readonly algorithm: (typeof CHECKSUM_ALGORITHMS)[number]
    readonly digest: Buffer
  } | null
}

/**
 * Takes the next bytes, which are on disk when this returns; those of a request that breaks off stay too. Errors as requireUpload;
 * UPLOAD_OFFSET_CONFLICT for a piece that begins elsewhere than where the upload ends; PAYLOAD_TOO_LARGE for one that is longer
 * than what is missing; UPLOAD_CHECKSUM_MISMATCH, after which the piece is not there; DISK_FULL.
 */
export async function continueUpload(
  services: Deps,
  address: UploadAddress,
  piece: Piece,
): Promise<UploadState> {
  const { uploadId } = address
  requireUpload(services, address)
  while (writers.has(uploadId)) await endWriter(uploadId)
  // From here to the new writer nothing waits, so that there is never a second one.
  const upload = requireUpload(services, address)
  const { offset } = stateOf(services, upload)
  if (piece.offset !== offset)
    throw new AppError('UPLOAD_OFFSET_CONFLICT', {
      message: `This upload has ${offset} bytes; go on there, not at ${piece.offset}.`,
      details: { uploadId, offset },
    })
  if (offset + (piece.length ?? 0) > upload.bytes) throw longerThanDeclared(upload)
  if (offset < upload.bytes) {
    const ended = usingUpload(uploadId, () => append(services, upload, piece))
    writers.set(uploadId, { stream: piece.stream, ended: ended.catch(() => undefined) })
    await ended.finally(() => writers.delete(uploadId))
  }
  const state = stateOf(services, requireUpload(services, address))
  if (state.offset === state.bytes) await shareUpload(services, uploadId)
  return state
}

const longerThanDeclared = ({ bytes }: Upload): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', {
    message: `These are more bytes than the upload was created for (${bytes}).`,
    details: { maxBytes: bytes },
  })

async function append(services: Deps, upload: Upload, piece: Piece): Promise<void> {
  const { db, home, now } = services
  const { offset, stream, checksum } = piece
  const path = uploadPath({ home }, upload.id) + PARTIAL
  const watchSpace = createSpaceWatch(services)
  const hash = checksum === null ? null : createHash(checksum.algorithm)
  const onChunk = (chunk: Buffer, sum: number): void => {
    if (offset + sum > upload.bytes) throw longerThanDeclared(upload)
    watchSpace(sum)
    hash?.update(chunk)
  }
  try {
    await receive(stream, path, { flags: 'a', onChunk })
    if (checksum !== null && hash?.digest().equals(checksum.digest) !== true)
      throw new AppError('UPLOAD_CHECKSUM_MISMATCH', { details: { uploadId: upload.id, offset } })
  } catch (error) {
    // What was not compared to its checksum does not count.
    if (checksum !== null) await truncate(path, offset)
    throw diskFull(error, 'go on with the upload')
  } finally {
    updateUpload(db, upload.id, { writtenAt: now() })
  }
}

/** Removes an upload. Errors as requireUpload, and INVALID_STATE where a run needs it. */
export async function deleteUpload(services: Deps, address: UploadAddress): Promise<void> {
  const { uploadId } = address
  requireUpload(services, address)
  while (writers.has(uploadId)) await endWriter(uploadId)
  const { offset, bytes } = stateOf(services, requireUpload(services, address))
  const isFree = (): boolean => !listOpenRunFiles(services.db).has(uploadId) && !isUploadInUse(uploadId)
  if (!(await takeAway(services, offset < bytes ? uploadId + PARTIAL : uploadId, isFree)))
    throw new AppError('INVALID_STATE', {
      message: 'A run that has not completed needs this upload; it is removed after that run.',
      details: { uploadId },
    })
}

/** The address of an upload, relative to the appliance's own. */
export const uploadAddress = (uploadId: string): string => `/uploads/${uploadId}`

/** The id in an address that an upload was answered with, whole or from its path on; null for any other address. */
function uploadIdOf(address: string, baseUrl: string): string | null {
  const base = `${new URL(baseUrl).href.replace(/\/$/, '')}/`
  const whole = URL.canParse(address) ? new URL(address).href : ''
  const path = whole.startsWith(base) ? `/${whole.slice(base.length)}` : address
  return /^\/uploads\/([\w-]{1,100})$/.exec(path)?.[1] ?? null
}

/**
 * The source of a run that names an upload by its address; null for any other address. Errors as requireUpload, and
 * UPLOAD_INCOMPLETE.
 */
export function uploadNamedBy(
  services: Pick<Deps, 'db' | 'home' | 'now'>,
  { companyId, address, baseUrl }: { companyId: string; address: string; baseUrl: string },
): Extract<RunSource, { kind: 'file' }> | null {
  const uploadId = uploadIdOf(address.trim(), baseUrl)
  if (uploadId === null) return null
  const upload = requireUpload(services, { companyId, uploadId })
  const offset = receivedBytes(services, upload)
  if (offset < upload.bytes)
    throw new AppError('UPLOAD_INCOMPLETE', { details: { uploadId, offset, bytes: upload.bytes } })
  return { kind: 'file', path: uploadPath(services, uploadId), displayName: upload.displayName }
}
