/** Uploads: files streamed into the home by the studio. The stream is written by http/studio/library.ts through here. */
import { existsSync, renameSync, statSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError, invalidRequest } from '../../contract/errors.ts'
import type { RunSource } from '../../contract/run.ts'
import { deleteUpload, getUpload, insertUpload, listUploads, type Upload } from '../../db/sources.ts'
import { anyOperationOpen } from '../../db/retention.ts'
import { fileName, listEndedRunFiles, listOpenRunFiles, moveOpenRunFiles } from '../../db/runs.ts'
import { newId } from '../../ids.ts'
import { requireCompany } from '../people/companies.ts'
import { requireQuota } from './quota.ts'
import type { HomeServices, Services } from '../services.ts'
import { inTransaction } from '../../db/prepared.ts'
import { syncFolder } from '../../../workers/sync-folder.ts'
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

/** Being deleted. After a kill it counts as a partial file. */
const GONE = '.gone'

type UploadServices = Pick<Services, 'charge' | 'config' | 'db' | 'home' | 'now' | 'store'>

/** Ids of uploads that are being received or read. */
const inUse = createInUse()

/** Uses an upload in a way that no sweep removes it meanwhile. */
export const usingUpload = <T>(id: string, work: () => Promise<T>): Promise<T> => inUse.during([id], work)

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
  const watchSpace = createSpaceWatch(services)
  // A chunked body has no declared length.
  const mayHave = (bytes: number): void => {
    if (bytes > limit) throw tooLarge(limit)
    if (bytes > left) requireQuota(services, input.companyId, bytes)
    watchSpace(bytes)
  }
  requireDiskSpace(services, input.bytes ?? 0)
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
    const bytes = await receive(stream, path + PARTIAL, {
      flags: 'wx',
      onChunk: (_chunk, sum) => mayHave(sum),
    })
    if (bytes === 0) throw new AppError('INVALID_REQUEST', 'The file is empty.')
    await rename(path + PARTIAL, path)
    await syncFolder(dirname(path))
    // In one transaction with storing it: other uploads may have used the same free quota meanwhile.
    requireQuota(services, companyId, bytes)
    await shareUpload(services, id)
    insertUpload(services.db, { id, companyId, displayName: name, bytes, createdAt: services.now() })
    return { uploadId: id, bytes, name }
  } catch (error) {
    for (const left of [path + PARTIAL, path]) await rm(left, { force: true })
    throw diskFull(error, 'upload the file again')
  }
}

/** Has a whole upload where an appliance finds it that takes over. Throws STORE_UNAVAILABLE, NOT_IN_CHARGE. */
export async function shareUpload(
  services: Pick<Services, 'charge' | 'home' | 'store'>,
  id: string,
): Promise<void> {
  if (services.charge !== undefined) await services.store?.keepFile(uploadPath(services, id))
}

/** Whether an upload is being received or read. */
export const isUploadInUse = (id: string): boolean => inUse.has(id)

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
  if (receivedBytes(services, upload) < upload.bytes)
    throw invalidRequest('uploadId', 'This upload has not come in whole; send the rest of it first.')
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
  readonly uploads: ReadonlyMap<string, Upload>
  readonly openRuns: ReadonlySet<string>
}

const knownOf = ({ db }: Pick<UploadServices, 'db'>): Known => ({
  uploads: new Map(listUploads(db).map((upload) => [upload.id, upload])),
  openRuns: listOpenRunFiles(db),
})

/** The id of the upload that a file is, or will be. */
const idOf = (file: string): string => file.replace(PARTIAL, '')

/**
 * Whether no run will read this file: a known upload that has expired, and that only Completed runs refer to, whose source is
 * in `sources`; or a partial file that no upload knows and that was not written to for a day (with `leftOver` any that is not
 * being received now).
 */
function canBeCut(services: UploadServices, file: string, known: Known, leftOver: boolean): boolean {
  const id = idOf(file)
  if (known.openRuns.has(id) || inUse.has(id)) return false
  const upload = known.uploads.get(id)
  if (upload !== undefined) return services.now() >= expiryOf(upload)
  // Complete, and not known: it may be of a database that was lost and comes back.
  if (!file.endsWith(PARTIAL) && !file.endsWith(GONE)) return false
  const facts = statSync(uploadPath(services, file), { throwIfNoEntry: false })
  if (facts === undefined || leftOver) return facts !== undefined
  return services.now() >= expiryOf({ createdAt: facts.mtimeMs, writtenAt: null })
}

/**
 * Moves it out of the folder and deletes its row in one step with the check, so that no run can begin with it in
 * between. The file itself is deleted afterwards, which takes a while for a large one.
 */
export async function takeAway(
  services: Pick<UploadServices, 'charge' | 'db' | 'home' | 'store'>,
  file: string,
  stillMayGo: () => boolean,
): Promise<boolean> {
  const path = uploadPath(services, file)
  const aside = path + GONE
  const take = (): boolean => {
    if (!stillMayGo()) return false
    deleteUpload(services.db, idOf(file))
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
  if (services.charge !== undefined) services.store?.remove(path)
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
  services: Pick<UploadServices, 'charge' | 'db' | 'home' | 'store'>,
  before: number,
): Promise<(UnusedUpload & { readonly name: string })[]> {
  const { db } = services
  const old: (UnusedUpload & { readonly name: string })[] = []
  const isOld = (ended: ReadonlyMap<string, number>, { id, createdAt, writtenAt }: Upload) =>
    Math.max(writtenAt ?? createdAt, ended.get(id) ?? 0) < before && !inUse.has(id)
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
