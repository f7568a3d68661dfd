/** Writing large files in a way that never leaves half of one under its real name. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, type ZstdCompress } from 'node:zlib'

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
