/** Uploads: files streamed into the home by the studio. The stream is written by http/studio/upload.ts through here. */
import { open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '../contract/errors.ts'
import type { RunSource } from '../contract/run.ts'
import { deleteUpload, getUpload, insertUpload, listUploads } from '../db/uploads.ts'
import { fileName, listEndedRunFiles, listOpenRunFiles, moveOpenRunFiles } from '../db/run-list.ts'
import { newId } from '../ids.ts'
import { freeBytes, freeBytesNow } from '../../workers/media/disk.ts'
import { requireCompany } from './companies.ts'
import { requireQuota } from './quota.ts'
import type { Services } from './services.ts'

const DAY = 86_400_000
const PARTIAL = '.part'
/** How much may come in between two looks at the disk. */
const LOOK_EVERY_BYTES = 16 * 1024 ** 2

type UploadServices = Pick<Services, 'config' | 'db' | 'home' | 'now'>

/** Lies in the home's uploads folder under its id: names from outside never become paths. */
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

const noRoom = () =>
  new AppError('DISK_FULL', { message: 'There is not enough free disk space for this file.' })

async function requireRoom(services: UploadServices, bytes: number): Promise<void> {
  if ((await freeBytes(services.home.uploads)) < bytes + services.config.minFreeBytes) throw noRoom()
}

async function writeAll(file: FileHandle, chunk: Buffer): Promise<void> {
  for (let from = 0; from < chunk.length;) from += (await file.write(chunk, from)).bytesWritten
}

/**
 * Writes the stream to a new file, synced to disk; answers its size. `mayHave` throws when it is too much. The stream is
 * not destroyed when this fails: it is the client's connection, by which the client shall still be told why.
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
  /** Declared length, or null when the client did not say. */
  readonly bytes: number | null
}

/**
 * Streams a file into the home and answers its upload id. Whatever goes wrong, the partial file is removed.
 * PAYLOAD_TOO_LARGE, QUOTA_EXCEEDED, DISK_FULL, INVALID_REQUEST (empty, no name, or shorter than it said), COMPANY_NOT_FOUND.
 */
export async function storeUpload(
  services: UploadServices,
  input: UploadInput,
): Promise<{ uploadId: string; bytes: number; name: string }> {
  requireCompany(services, input.companyId)
  const name = cleanName(input.name)
  if (name === '')
    throw new AppError('INVALID_REQUEST', {
      message: 'Give the file a name: ?name=talk.mp4',
      details: { field: 'name' },
    })
  const limit = services.config.maxSourceBytes
  if (input.bytes !== null && input.bytes > limit) throw tooLarge(limit)
  const left = requireQuota(services, input.companyId, input.bytes ?? 0)
  // A body in chunks does not say how long it is.
  let lookAt = LOOK_EVERY_BYTES
  const mayHave = (bytes: number): void => {
    if (bytes > limit) throw tooLarge(limit)
    if (bytes > left) requireQuota(services, input.companyId, bytes)
    // Nor do several that come at once know of each other; the database needs what is kept free.
    if (bytes < lookAt) return
    lookAt = bytes + LOOK_EVERY_BYTES
    if (freeBytesNow(services.home.uploads) < services.config.minFreeBytes) throw noRoom()
  }
  await requireRoom(services, input.bytes ?? 0)
  const id = newId()
  const path = uploadPath(services, id)
  try {
    const size = await receive(input.stream, path + PARTIAL, mayHave)
    if (size === 0) throw new AppError('INVALID_REQUEST', { message: 'The file is empty.' })
    await rename(path + PARTIAL, path)
    // In one step with storing it: others may have brought theirs meanwhile, each with the same room before it.
    requireQuota(services, input.companyId, size)
    insertUpload(services.db, {
      id,
      companyId: input.companyId,
      displayName: name,
      bytes: size,
      createdAt: services.now(),
    })
    return { uploadId: id, bytes: size, name }
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
  services: Pick<Services, 'db' | 'home'>,
  input: { companyId: string; uploadId: string },
): Extract<RunSource, { kind: 'file' }> {
  const upload = getUpload(services.db, input.companyId, input.uploadId)
  if (upload === null)
    throw new AppError('INVALID_REQUEST', {
      message: 'There is no such upload; it may have been removed after its run. Upload the file again.',
      details: { field: 'uploadId' },
    })
  return { kind: 'file', path: uploadPath(services, upload.id), displayName: upload.displayName }
}

/**
 * Runs name their upload by where it lay when they were asked for: in a home that was moved since, or that is called by
 * another name, they would not find it. For whoever takes them up, before that.
 */
export function followMovedHome({ db, home }: Pick<Services, 'db' | 'home'>): number {
  const known = new Set(listUploads(db).map(({ id }) => id))
  return moveOpenRunFiles(db, (path) => {
    const id = fileName(path)
    const here = uploadPath({ home }, id)
    return known.has(id) && here !== path ? here : null
  })
}

interface UnusedUpload {
  readonly path: string
  /** Null for a partial file. */
  readonly id: string | null
  readonly bytes: number
}

/**
 * What no run will read: partial files that nobody has written to for a day, and uploads older than a day that no
 * unfinished run refers to (a finished run's source lies in `sources`).
 */
export async function listUnusedUploads(services: UploadServices): Promise<UnusedUpload[]> {
  const needed = listOpenRunFiles(services.db)
  const known = new Map(listUploads(services.db).map((upload) => [upload.id, upload]))
  const unused: UnusedUpload[] = []
  for (const file of await readdir(services.home.uploads)) {
    const path = join(services.home.uploads, file)
    const facts = await stat(path).catch(() => null)
    const upload = known.get(file)
    if (facts === null || needed.has(file)) continue
    if (services.now() - (upload?.createdAt ?? facts.mtimeMs) < DAY) continue
    unused.push({ path, id: upload?.id ?? null, bytes: facts.size })
  }
  return unused
}

/** Uploads whose runs have all ended before a moment, in Error too. */
export async function listOldUploads(
  services: Pick<UploadServices, 'db' | 'home'>,
  before: number,
): Promise<UnusedUpload[]> {
  const ended = listEndedRunFiles(services.db)
  const old: UnusedUpload[] = []
  for (const { id, createdAt } of listUploads(services.db)) {
    const path = uploadPath(services, id)
    const facts = await stat(path).catch(() => null)
    if (facts === null || Math.max(createdAt, ended.get(id) ?? 0) >= before) continue
    old.push({ path, id, bytes: facts.size })
  }
  return old
}

/** Removes the file, which may be gone already, and then what the database knows of it. */
export async function removeUpload(
  services: Pick<UploadServices, 'db'>,
  { path, id }: Pick<UnusedUpload, 'path' | 'id'>,
): Promise<void> {
  await rm(path, { force: true, recursive: true })
  if (id !== null) deleteUpload(services.db, id)
}

/**
 * Removes what no run will read: partial files of an earlier process, and uploads older than a day that no unfinished
 * run refers to (a finished run's source lies in `sources`). Answers how many files went.
 */
export async function sweepUploads(services: UploadServices): Promise<number> {
  const needed = listOpenRunFiles(services.db)
  const known = new Map(listUploads(services.db).map((upload) => [upload.id, upload]))
  let removed = 0
  for (const file of await readdir(services.home.uploads)) {
    const upload = known.get(file)
    const path = join(services.home.uploads, file)
    const young = upload !== undefined && services.now() - upload.createdAt < DAY
    if (young || needed.has(file)) continue
    await rm(path, { force: true, recursive: true })
    if (upload !== undefined) deleteUpload(services.db, upload.id)
    removed += 1
  }
  return removed
}
