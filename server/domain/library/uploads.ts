/** Uploads: files streamed into the home by the studio. The stream is written by http/studio/library.ts through here. */
import { existsSync, renameSync, statSync } from 'node:fs'
import { open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError, invalidRequest } from '../../contract/errors.ts'
import type { RunSource } from '../../contract/run.ts'
import { deleteUpload, getUpload, insertUpload, listUploads } from '../../db/sources.ts'
import { anyOperationOpen } from '../../db/retention.ts'
import { fileName, listEndedRunFiles, listOpenRunFiles, moveOpenRunFiles } from '../../db/runs.ts'
import { newId } from '../../ids.ts'
import { freeBytes, freeBytesNow } from '../../../workers/media/disk.ts'
import { requireCompany } from '../people/companies.ts'
import { requireQuota } from './quota.ts'
import type { HomeServices, Services } from '../services.ts'
import { inTransaction } from '../../db/prepared.ts'

const DAY = 86_400_000
const PARTIAL = '.part'
/** Being deleted. After a kill it counts as a partial file. */
const GONE = '.gone'
/** Bytes to receive between two checks of the free space. */
const RECHECK_EVERY_BYTES = 16 * 1024 ** 2

type UploadServices = Pick<Services, 'config' | 'db' | 'home' | 'now'>

/** Ids of uploads that are being received or read. */
const inUse = createInUse()

/** Uses an upload in a way that no sweep removes it meanwhile. */
export const usingUpload = <T>(id: string, work: () => Promise<T>): Promise<T> => inUse.during([id], work)

/** The path in the uploads folder, by the upload's id: names from outside never become paths. */
function uploadPath(services: Pick<Services, 'home'>, id: string): string {
  return join(services.home.uploads, id)
}

function cleanName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  // Control characters would spoil logs and lists.
  return last
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, 255)
}

const tooLarge = (limit: number) =>
  new AppError('PAYLOAD_TOO_LARGE', {
    message: `The file is larger than this appliance accepts (${limit} bytes; see CUTROOM_MAX_SOURCE_BYTES).`,
    details: { maxBytes: limit },
  })

const noSpace = () => new AppError('DISK_FULL', 'There is not enough free disk space for this file.')

async function requireDiskSpace(services: UploadServices, bytes: number): Promise<void> {
  if ((await freeBytes(services.home.uploads)) < bytes + services.config.minFreeBytes) throw noSpace()
}

async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let from = 0; from < chunk.length;) from += (await file.write(chunk, from)).bytesWritten
}

/**
 * Writes the stream to a new file, synced to disk; returns its size. `mayHave` throws when it is too large. A failure
 * does not destroy the stream: it is the client's connection, which still gets the error.
 */
async function receive(stream: Readable, path: string, mayHave: (bytes: number) => void): Promise<number> {
  const file = await open(path, 'wx', 0o600)
  try {
    let bytes = 0
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      mayHave(bytes)
      await writeAll(file, chunk)
    }
    await file.sync()
    return bytes
  } finally {
    await file.close()
  }
}

export interface UploadInput {
  readonly companyId: string
  readonly name: string
  readonly stream: Readable
  /** Declared length, or null when there is none. */
  readonly bytes: number | null
}

/**
 * Streams a file into the home and returns its upload id; a failure removes the partial file. PAYLOAD_TOO_LARGE,
 * QUOTA_EXCEEDED, DISK_FULL, INVALID_REQUEST (empty, no name, or shorter than declared), COMPANY_NOT_FOUND.
 */
export async function storeUpload(
  services: UploadServices,
  input: UploadInput,
): Promise<{ uploadId: string; bytes: number; name: string }> {
  requireCompany(services, input.companyId)
  const name = cleanName(input.name)
  if (name === '') throw invalidRequest('name', 'Give the file a name: ?name=talk.mp4')
  const limit = services.config.maxSourceBytes
  if (input.bytes !== null && input.bytes > limit) throw tooLarge(limit)
  const left = requireQuota(services, input.companyId, input.bytes ?? 0)
  // A chunked body has no declared length.
  let lookAt = RECHECK_EVERY_BYTES
  const mayHave = (bytes: number): void => {
    if (bytes > limit) throw tooLarge(limit)
    if (bytes > left) requireQuota(services, input.companyId, bytes)
    // Several uploads at once do not know of each other, and the database needs the reserved space.
    if (bytes < lookAt) return
    lookAt = bytes + RECHECK_EVERY_BYTES
    if (freeBytesNow(services.home.uploads) < services.config.minFreeBytes) throw noSpace()
  }
  await requireDiskSpace(services, input.bytes ?? 0)
  const id = newId()
  return usingUpload(id, () => storeUploadStream(services, { ...input, name, id }, mayHave))
}

async function storeUploadStream(
  services: UploadServices,
  { id, companyId, name, stream }: UploadInput & { id: string },
  mayHave: (bytes: number) => void,
): Promise<{ uploadId: string; bytes: number; name: string }> {
  const path = uploadPath(services, id)
  try {
    const bytes = await receive(stream, path + PARTIAL, mayHave)
    if (bytes === 0) throw new AppError('INVALID_REQUEST', 'The file is empty.')
    await rename(path + PARTIAL, path)
    // In one transaction with storing it: other uploads may have used the same free quota meanwhile.
    requireQuota(services, companyId, bytes)
    insertUpload(services.db, { id, companyId, displayName: name, bytes, createdAt: services.now() })
    return { uploadId: id, bytes, name }
  } catch (error) {
    for (const left of [path + PARTIAL, path]) await rm(left, { force: true })
    throw diskFull(error)
  }
}

function diskFull(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? new AppError('DISK_FULL', {
        message: 'The disk is full; free some space and upload the file again.',
        cause: error,
      })
    : error
}

/** The company's upload as the source of a run. INVALID_REQUEST when there is none (any more). */
export function uploadSource(
  services: HomeServices,
  input: { companyId: string; uploadId: string },
): Extract<RunSource, { kind: 'file' }> {
  const upload = getUpload(services.db, input.companyId, input.uploadId)
  if (upload === null)
    throw invalidRequest(
      'uploadId',
      'There is no such upload; it may have been removed after its run. Upload the file again.',
    )
  return { kind: 'file', path: uploadPath(services, upload.id), displayName: upload.displayName }
}

/**
 * Updates the paths of uploads in runs that have not ended: a home that was moved since would not have them there. To
 * be called before these runs continue. Returns how many were changed.
 */
export function followMovedHome({ db, home }: HomeServices): number {
  const known = new Set(listUploads(db).map(({ id }) => id))
  return moveOpenRunFiles(db, (path) => {
    const id = fileName(path)
    const here = uploadPath({ home }, id)
    return known.has(id) && here !== path ? here : null
  })
}

interface UnusedUpload {
  /** The name of the file; for complete uploads their id. */
  readonly id: string
  readonly bytes: number
  /** Removes the file and its row. False: something needs it after all, or it no longer exists. */
  readonly remove: () => Promise<boolean>
}

interface Known {
  readonly uploads: ReadonlyMap<string, { readonly createdAt: number }>
  readonly openRuns: ReadonlySet<string>
}

const knownOf = ({ db }: Pick<UploadServices, 'db'>): Known => ({
  uploads: new Map(listUploads(db).map((upload) => [upload.id, upload])),
  openRuns: listOpenRunFiles(db),
})

/**
 * Whether no run will read this file: a partial one that was not written to for a day (with `leftOver` any that is not
 * being received now), or a known upload older than a day that only Completed runs refer to, whose source is in `sources`.
 */
function canBeCut(services: UploadServices, file: string, known: Known, leftOver: boolean): boolean {
  if (known.openRuns.has(file) || inUse.has(file.replace(PARTIAL, ''))) return false
  const upload = known.uploads.get(file)
  // Complete, and not known: it may be of a database that was lost and comes back.
  if (upload === undefined && !file.endsWith(PARTIAL) && !file.endsWith(GONE)) return false
  const facts = statSync(uploadPath(services, file), { throwIfNoEntry: false })
  if (upload === undefined && (facts === undefined || leftOver)) return facts !== undefined
  return services.now() - (upload?.createdAt ?? facts?.mtimeMs ?? Infinity) >= DAY
}

/**
 * Moves it out of the folder and deletes its row in one step with the check, so that no run can begin with it in
 * between. The file itself is deleted afterwards, which takes a while for a large one.
 */
async function takeAway(
  services: Pick<UploadServices, 'db' | 'home'>,
  file: string,
  stillMayGo: () => boolean,
): Promise<boolean> {
  const path = uploadPath(services, file)
  const aside = path + GONE
  const take = (): boolean => {
    if (!stillMayGo()) return false
    deleteUpload(services.db, file)
    if (existsSync(path)) renameSync(path, aside)
    return true
  }
  try {
    if (!inTransaction(services.db, take)) return false
  } catch (error) {
    if (existsSync(aside)) renameSync(aside, path)
    throw error
  }
  await rm(aside, { force: true, recursive: true })
  return true
}

/** Uploads that no run will read, and their size. */
export async function listUnusedUploads(services: UploadServices): Promise<UnusedUpload[]> {
  const known = knownOf(services)
  const unused: UnusedUpload[] = []
  for (const file of await readdir(services.home.uploads)) {
    const facts = await stat(uploadPath(services, file)).catch(() => null)
    if (facts === null || !canBeCut(services, file, known, false)) continue
    const remove = () => takeAway(services, file, () => canBeCut(services, file, knownOf(services), false))
    unused.push({ id: file, bytes: facts.size, remove })
  }
  return unused
}

/** Uploads whose runs all ended (in Error too) before a moment. None is removed while there is work. */
export async function listOldUploads(
  services: Pick<UploadServices, 'db' | 'home'>,
  before: number,
): Promise<(UnusedUpload & { readonly name: string })[]> {
  const { db } = services
  const old: (UnusedUpload & { readonly name: string })[] = []
  const isOld = (ended: ReadonlyMap<string, number>, { id, createdAt }: { id: string; createdAt: number }) =>
    Math.max(createdAt, ended.get(id) ?? 0) < before && !inUse.has(id)
  const ended = listEndedRunFiles(db)
  for (const upload of listUploads(db)) {
    const facts = await stat(uploadPath(services, upload.id)).catch(() => null)
    if (facts === null || !isOld(ended, upload)) continue
    const stillMayGo = () => !anyOperationOpen(db) && isOld(listEndedRunFiles(db), upload)
    const { id, displayName: name } = upload
    old.push({ id, name, bytes: facts.size, remove: () => takeAway(services, id, stillMayGo) })
  }
  return old
}

/**
 * Removes what no run will read, and answers how much that was. `leftOver`: partial files of an earlier process too,
 * however young they are.
 */
export async function sweepUploads(
  services: UploadServices,
  { leftOver = false, signal }: { leftOver?: boolean; signal?: AbortSignal } = {},
): Promise<number> {
  const known = knownOf(services)
  let removed = 0
  // Includes rows without a file: they count towards their company's quota.
  for (const file of new Set([...(await readdir(services.home.uploads)), ...known.uploads.keys()])) {
    signal?.throwIfAborted()
    if (!canBeCut(services, file, known, leftOver)) continue
    const stillMayGo = () => canBeCut(services, file, knownOf(services), leftOver)
    if (await takeAway(services, file, stillMayGo)) removed += 1
  }
  return removed
}

/** Counts the users of things in this process, so that no sweep removes what is in use. */

export interface InUse {
  readonly has: (id: string) => boolean
  /** These are in use until the work has ended. Several may use one at once. */
  readonly during: <T>(ids: readonly string[], work: () => Promise<T>) => Promise<T>
}

export function createInUse(): InUse {
  const users = new Map<string, number>()
  const change = (id: string, by: number): void => {
    const count = (users.get(id) ?? 0) + by
    if (count > 0) users.set(id, count)
    else users.delete(id)
  }
  return {
    has: (id) => users.has(id),
    async during(ids, work) {
      for (const id of ids) change(id, 1)
      try {
        return await work()
      } finally {
        for (const id of ids) change(id, -1)
      }
    },
  }
}
