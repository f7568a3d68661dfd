/**
 * Unpacks an archive of models (.tar, .tar.gz, .zip) into an empty folder: plain files only, nothing outside the folder,
 * and not more bytes than an archive of its size can plausibly contain.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { extract } from 'tar'
import { open, type Entry, type ZipFile } from 'yauzl'
import { AppError } from '../server/contract/errors.ts'

export interface ArchiveLimits {
  readonly files: number
  readonly bytes: number
}

export function isArchive(path: string): boolean {
  return /\.(tar|tar\.gz|tgz|zip)$/i.test(path)
}

const MAX_FILES = 10_000
const MAX_BYTES = 64 * 1024 ** 3
/** Weights hardly compress; an archive that grows a hundredfold was made to fill the disk. */
const MAX_GROWTH = 100
const SMALL_BYTES = 256 * 1024 ** 2

/** Limits for an archive of this many bytes. */
export function archiveLimits(archiveBytes: number): ArchiveLimits {
  return {
    files: MAX_FILES,
    bytes: Math.min(MAX_BYTES, Math.max(SMALL_BYTES, archiveBytes * MAX_GROWTH)),
  }
}

/**
 * Throws MODEL_NOT_INSTALLED when the archive is damaged, points outside its folder or exceeds `limits`; throws CANCELLED
 * and DISK_FULL. Files that were unpacked until then stay; the caller removes the folder.
 */
export async function unpackArchive(
  path: string,
  into: string,
  signal: AbortSignal | undefined,
  limits?: ArchiveLimits,
): Promise<void> {
  const allowance = allow(limits ?? archiveLimits((await stat(path)).size), path, signal)
  try {
    await (/\.zip$/i.test(path) ? unzip(path, into, allowance, signal) : untar(path, into, allowance, signal))
  } catch (cause) {
    if (signal?.aborted === true) throw new AppError('CANCELLED', { cause })
    if (cause instanceof AppError) throw cause
    if ((cause as NodeJS.ErrnoException).code === 'ENOSPC') throw new AppError('DISK_FULL', { cause })
    throw refused(path, 'it is damaged, not an archive, or points outside its own folder', cause)
  }
}

function refused(path: string, why: string, cause?: unknown): AppError {
  return new AppError('MODEL_NOT_INSTALLED', {
    message: `${basename(path)} cannot be unpacked: ${why}.`,
    cause,
  })
}

/** Called with the bytes of each file before it is written; throws when a limit is exceeded. */
type Allowance = (bytes: number) => void

function allow(limits: ArchiveLimits, path: string, signal: AbortSignal | undefined): Allowance {
  let files = 0
  let bytes = 0
  return (size) => {
    if (signal?.aborted === true) throw new AppError('CANCELLED')
    files += 1
    bytes += size
    if (files > limits.files) throw refused(path, `it holds more than ${limits.files} files`)
    if (bytes > limits.bytes) {
      const megabytes = Math.round(limits.bytes / 1e6)
      throw refused(
        path,
        `it unpacks to more than ${megabytes} MB, more than models in an archive of that size can`,
      )
    }
  }
}

async function untar(
  file: string,
  cwd: string,
  allowance: Allowance,
  signal: AbortSignal | undefined,
): Promise<void> {
  let refusal: AppError | null = null as AppError | null
  const filter = (type: string, size: number): boolean => {
    // Only plain files and folders: a link could point outside the folder.
    if (refusal !== null || !/^(File|OldFile|Directory|GNUDumpDir)$/.test(type)) return false
    try {
      allowance(size)
      return true
    } catch (error) {
      refusal = error instanceof AppError ? error : refused(file, 'it is damaged', error)
      return false
    }
  }
  const unpacking = extract({
    // Owners and permissions in the archive are ignored.
    cwd,
    strict: true,
    preserveOwner: false,
    filter: (_, entry) => ('type' in entry ? filter(entry.type, entry.size) : true),
    onReadEntry: (entry) => void (entry.mode = entry.type === 'Directory' ? 0o755 : 0o644),
  })
  await new Promise<void>((resolve, reject) => {
    // One file may be gigabytes long, so a cancel must be able to interrupt it.
    const archive = createReadStream(file, { ...(signal === undefined ? {} : { signal }) })
    const stop = (error: unknown): void => {
      archive.destroy()
      reject(error instanceof Error ? error : new Error('it cannot be read'))
    }
    archive.on('error', stop)
    unpacking.on('error', stop)
    unpacking.on('close', resolve)
    archive.pipe(unpacking)
  })
  if (refusal !== null) throw refusal
}

const openZip = promisify<string, { lazyEntries: boolean; autoClose: boolean }, ZipFile>(open)

async function unzip(
  file: string,
  folder: string,
  allowance: Allowance,
  signal: AbortSignal | undefined,
): Promise<void> {
  // The library rejects names that lead outside, and entries that are longer than declared.
  const zip = await openZip(file, { lazyEntries: true, autoClose: false })
  try {
    for (let entry = await nextEntry(zip); entry !== null; entry = await nextEntry(zip)) {
      const isLink = ((entry.externalFileAttributes >>> 16) & FILE_TYPE) === SYMBOLIC_LINK
      if (isLink || entry.fileName.endsWith('/')) continue
      allowance(entry.uncompressedSize)
      const target = join(folder, ...entry.fileName.split('/'))
      await mkdir(dirname(target), { recursive: true })
      const openStream = promisify(zip.openReadStream.bind(zip) as OpenStream)
      const options = signal === undefined ? {} : { signal }
      await pipeline(await openStream(entry), createWriteStream(target, { flags: 'wx' }), options)
    }
  } finally {
    zip.close()
  }
}

const FILE_TYPE = 0o170000
const SYMBOLIC_LINK = 0o120000

type OpenStream = (entry: Entry, done: (error: Error | null, stream: NodeJS.ReadableStream) => void) => void

/** The next entry, or null after the last one. */
function nextEntry(zip: ZipFile): Promise<Entry | null> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      for (const event of ['entry', 'end', 'error']) zip.removeAllListeners(event)
      act()
    }
    zip.once('entry', (entry: Entry) => settle(() => resolve(entry)))
    zip.once('end', () => settle(() => resolve(null)))
    zip.once('error', (error: Error) => settle(() => reject(error)))
    zip.readEntry()
  })
}
