/** For the build: brotli and gzip files beside what the studio is made of, so that no request waits for a compressor. */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotliCompressAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

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

/** TrueType fonts and their list become a third of their size; WOFF2 is compressed already. */
const COMPRESSIBLE_FONT = /\.(?:ttf|json)$/
/** Fonts are some 7 MB: the highest quality would take a minute for a few percent. */
const FONT_QUALITY = 9

/** Writes `to/NAME.br` for each font right in `from`, unless the one that is there is newer than the font. */
export async function precompressFonts(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const name of (await readdir(from)).filter((one) => COMPRESSIBLE_FONT.test(one))) {
    const file = join(from, name)
    const font = await stat(file)
    const before = await stat(join(to, `${name}.br`)).catch(() => null)
    if (before !== null && before.mtimeMs > font.mtimeMs) continue
    const bytes = await readFile(file)
    await keepIfSmaller(join(to, `${name}.br`), await toBrotli(bytes, FONT_QUALITY), bytes.length)
  }
}

function toBrotli(bytes: Buffer, quality: number): Promise<Buffer> {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants
  return brotliCompressAsync(bytes, {
    params: { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
}

async function compressFile(file: string): Promise<void> {
  const bytes = await readFile(file)
  const brotli = await toBrotli(bytes, constants.BROTLI_MAX_QUALITY)
  await keepIfSmaller(`${file}.br`, brotli, bytes.length)
  await keepIfSmaller(`${file}.gz`, await gzipAsync(bytes, { level: 9 }), bytes.length)
}

async function keepIfSmaller(file: string, bytes: Buffer, size: number): Promise<void> {
  if (bytes.length >= size) return rm(file, { force: true })
  // A running appliance may be reading it.
  await writeFile(`${file}.new`, bytes)
  await rename(`${file}.new`, file)
}
