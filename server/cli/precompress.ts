/** For the build: brotli and gzip files beside what the studio is made of, so that no request waits for a compressor. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotliCompressAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

/** Pictures and fonts are compressed already. */
const COMPRESSIBLE = new Set(['.css', '.html', '.js', '.json', '.svg', '.wasm'])

/**
 * Writes `NAME.br` and `NAME.gz` for each of `names` (relative to `folder`) that they make smaller; where they do not, a
 * compressed file of an earlier build is removed.
 */
export async function precompress(folder: string, names: readonly string[]): Promise<void> {
  await Promise.all(
    names.filter((name) => COMPRESSIBLE.has(extname(name))).map((name) => compressFile(join(folder, name))),
  )
}

async function compressFile(file: string): Promise<void> {
  const bytes = await readFile(file)
  const brotli = await brotliCompressAsync(bytes, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })
  await keepIfSmaller(`${file}.br`, brotli, bytes.length)
  await keepIfSmaller(`${file}.gz`, await gzipAsync(bytes, { level: 9 }), bytes.length)
}

async function keepIfSmaller(file: string, bytes: Buffer, size: number): Promise<void> {
  if (bytes.length < size) await writeFile(file, bytes)
  else await rm(file, { force: true })
}
