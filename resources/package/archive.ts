/**
 * Archives that come out the same whoever makes them: entries in the order of their names, one owner, one time for all.
 * The format is POSIX ustar, which every tar reads.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, type ZstdCompress } from 'node:zlib'

/** One entry; folders end in a slash. */
export interface ArchiveEntry {
  readonly name: string
  /** Where its bytes are; null: a folder. */
  readonly file: string | null
  readonly bytes: number
  readonly executable: boolean
  /** Rights other than 0755 (folders, programs) and 0644. */
  readonly mode?: number
  /** User and group other than root, by number. */
  readonly owner?: number
}

const BLOCK = 512
/** Eleven octal digits. */
const MAX_BYTES = 8 ** 11 - 1

/** The entries of a folder below `prefix/`, sorted by name. Throws on anything but plain files and folders. */
export async function folderEntries(folder: string, prefix: string): Promise<ArchiveEntry[]> {
  const found: ArchiveEntry[] = [{ name: `${prefix}/`, file: null, bytes: 0, executable: true }]
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = join(folder, entry.name)
    const name = `${prefix}/${entry.name}`
    if (entry.isDirectory()) found.push(...(await folderEntries(file, name)))
    else if (entry.isFile()) {
      const { size, mode } = await lstat(file)
      found.push({ name, file, bytes: size, executable: (mode & 0o100) !== 0 })
    } else throw new Error(`${name} is neither a file nor a folder and cannot be packed`)
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The 512 bytes before an entry's content. `seconds`: its time, since 1970. Throws when the name is too long. */
export function tarHeader(entry: ArchiveEntry, seconds: number): Buffer {
  if (entry.bytes > MAX_BYTES) throw new Error(`${entry.name} is larger than 8 GiB`)
  const header = Buffer.alloc(BLOCK)
  const [prefix, name] = splitName(entry.name)
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0') + '\0'
  header.write(name, 0)
  header.write(octal(entry.mode ?? (entry.executable ? 0o755 : 0o644), 7), 100)
  const owner = entry.owner ?? 0
  header.write(octal(owner, 7), 108)
  header.write(octal(owner, 7), 116)
  header.write(octal(entry.bytes, 11), 124)
  header.write(octal(seconds, 11), 136)
  header.write(' '.repeat(8), 148)
  header.write(entry.file === null ? '5' : '0', 156)
  header.write('ustar\x0000', 257)
  if (owner === 0) for (const at of [265, 297]) header.write('root', at)
  header.write(prefix, 345)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

function splitName(full: string): [prefix: string, name: string] {
  if (Buffer.byteLength(full) <= 100) return ['', full]
  for (let at = full.indexOf('/'); at !== -1 && at < full.length - 1; at = full.indexOf('/', at + 1)) {
    const prefix = full.slice(0, at)
    const name = full.slice(at + 1)
    if (Buffer.byteLength(name) <= 100 && Buffer.byteLength(prefix) <= 155) return [prefix, name]
  }
  throw new Error(`${full} is too long a name for an archive`)
}

/** The whole archive, piece by piece. Throws when a file's size is not what its entry says. */
export async function* tarStream(entries: readonly ArchiveEntry[], seconds: number): AsyncGenerator<Buffer> {
  for (const entry of entries) {
    yield tarHeader(entry, seconds)
    if (entry.file === null) continue
    let written = 0
    for await (const chunk of createReadStream(entry.file, { highWaterMark: 1024 ** 2 })) {
      written += (chunk as Buffer).length
      yield chunk as Buffer
    }
    if (written !== entry.bytes) throw new Error(`${entry.name} changed while it was packed`)
    const rest = written % BLOCK
    if (rest !== 0) yield Buffer.alloc(BLOCK - rest)
  }
  yield Buffer.alloc(2 * BLOCK)
}

/** zstd at `level` (1 to 19) with a window that plain `zstd -d` still reads. */
export function zstd(level: number): ZstdCompress {
  return createZstdCompress({
    params: {
      [constants.ZSTD_c_compressionLevel]: level,
      [constants.ZSTD_c_windowLog]: 27,
      [constants.ZSTD_c_checksumFlag]: 1,
    },
  })
}

/** Writes all of `source` to `file`, by another name first; answers how many bytes that were, and their SHA-256. */
export async function writeWhole(
  source: AsyncIterable<Buffer> | NodeJS.ReadableStream,
  file: string,
  through: readonly Transform[] = [],
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  await pipeline([source as NodeJS.ReadableStream, ...through, counted, createWriteStream(`${file}.part`)])
  await rename(`${file}.part`, file)
  return { bytes, sha256: hash.digest('hex') }
}

/** SHA-256 of a file, as lower-case hexadecimal. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
