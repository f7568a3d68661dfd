/** Copies a local file into the sources folder: by reference if the file system can, otherwise with resume. */
import { constants, createReadStream, type Stats } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { AppError } from '../../../server/contract/errors.ts'
import { toDiskFull, requireDiskSpace } from '../../media/disk.ts'
import type { Downloaded } from './download.ts'
import { tooLarge, type DownloadRequest } from './transfer.ts'
import { syncFile } from '../../sync-folder.ts'
import { isStored, readFileHead, storeSource } from './keep.ts'
import { hashFile, openPartial, type PartialFile } from './partial.ts'
import { sniff, describeNonVideo } from './pure/media-type.ts'
import { cleanName } from './source-url.ts'

type LocalRequest = Pick<DownloadRequest, 'sources' | 'maxBytes' | 'minFreeBytes' | 'known' | 'signal'> & {
  readonly path: string
  readonly onBytes: (done: number, total: number) => void
}

/** Throws what `download` throws. `lastModified` is the time of the file, exact to the millisecond. */
export async function copyLocal(request: LocalRequest): Promise<Omit<Downloaded, 'finalUrl'>> {
  const before = await statFile(request.path)
  if (before.size > request.maxBytes) throw tooLarge(request.maxBytes)
  await refuseNonVideo(request.path)
  const lastModified = before.mtime.toISOString()
  const facts = { displayName: cleanName(basename(request.path)) || 'video', etag: null, lastModified }
  const { known } = request
  if (
    known !== null &&
    known.bytes === before.size &&
    known.lastModified === lastModified &&
    (await isStored(request.sources, known.digest, known.bytes))
  ) {
    return { digest: known.digest, bytes: known.bytes, ...facts, unchanged: true }
  }
  const digest = await copyIntoSources(request, before, lastModified)
  return { digest, bytes: before.size, ...facts, unchanged: false }
}

async function copyIntoSources(request: LocalRequest, before: Stats, lastModified: string): Promise<string> {
  const { path, sources, signal } = request
  const partial = await openPartial(sources, `file:${path}`, signal, () => undefined)
  let keep = false
  try {
    const copy = `${partial.path}.copy`
    const cloned = await clone(path, copy)
    const digest = cloned
      ? await hashCopy(request, copy, before.size)
      : await copyBytes(request, partial, before, lastModified)
    const after = await statFile(path)
    if (after.size !== before.size || after.mtimeMs !== before.mtimeMs) {
      const message =
        'The file is still being written: it changed while it was read. Try again when it is finished.'
      throw new AppError('SOURCE_UNREACHABLE', { message })
    }
    if (cloned) await syncFile(copy)
    await storeSource(sources, cloned ? copy : partial.path, digest, before.size)
    return digest
  } catch (error) {
    keep = signal.aborted
    throw signal.aborted ? new AppError('CANCELLED', { cause: error }) : toDiskFull(error)
  } finally {
    await partial.release(keep)
  }
}

async function hashCopy({ signal, onBytes }: LocalRequest, copy: string, size: number): Promise<string> {
  const hash = await hashFile(copy, size, signal, (part) => onBytes(part * size, size))
  return hash.digest('hex')
}

async function copyBytes(request: LocalRequest, partial: PartialFile, before: Stats, lastModified: string) {
  const facts = partial.facts()
  const resumes =
    facts.lastModified === lastModified && facts.total === before.size && partial.size() <= before.size
  if (!resumes) await partial.restart({ etag: null, lastModified, total: before.size })
  const missing = before.size - partial.size()
  if (missing > 0) {
    const { minFreeBytes } = request
    requireDiskSpace(request.sources, { what: 'The video', bytes: missing, minFreeBytes })
    const options = { start: partial.size(), highWaterMark: 1024 * 1024, signal: request.signal }
    for await (const chunk of createReadStream(request.path, options)) {
      await partial.append(chunk as Buffer)
      request.onBytes(partial.size(), before.size)
    }
  }
  return partial.finish()
}

/** A copy that shares its blocks with the original; false where the file system cannot do that. */
async function clone(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE_FORCE)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw error
    return false
  }
}

async function statFile(path: string): Promise<Stats> {
  let found: Stats
  try {
    found = await stat(path)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (code === 'EACCES') throw forbidden(path, cause)
    throw new AppError('SOURCE_UNREACHABLE', { message: `There is no file at ${path}.`, cause })
  }
  if (!found.isFile()) throw new AppError('SOURCE_NOT_VIDEO', { message: `${path} is not a file.` })
  if (found.size === 0)
    throw new AppError('SOURCE_NOT_VIDEO', { message: `${basename(path)} is empty (0 bytes).` })
  return found
}

async function refuseNonVideo(path: string): Promise<void> {
  const head = await readFileHead(path).catch((cause: unknown) => {
    throw forbidden(path, cause)
  })
  const found = sniff(head)
  const why = describeNonVideo(found)
  if (why !== null) throw new AppError('SOURCE_NOT_VIDEO', { message: why, details: { found: found.kind } })
}

function forbidden(path: string, cause: unknown): AppError {
  return new AppError('SOURCE_FORBIDDEN', {
    message: `The file ${path} cannot be read by this appliance. Check its permissions.`,
    cause,
  })
}
