/**
 * Second half of the single file's start: runs on the Node that its first half has just unpacked, from a text, before
 * anything else is there. Plain JavaScript without any dependency. Reads the archive behind the launcher, checks it
 * against the SHA-256 that the launcher names, and writes plain files and folders, nothing outside the folder.
 */
import { createHash } from 'node:crypto'
import { closeSync, createReadStream, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'

const BLOCK = 512
const NAME_PART = /^(?!\.{1,2}$)[^/\0\\]+$/

/** Name, kind and size of a ustar header; null for the block of zeros at the end. Throws on anything unusual. */
export function readHeader(block) {
  if (block.every((byte) => byte === 0)) return null
  const text = (from, length) => block.toString('utf8', from, from + length).replace(/\0.*$/s, '')
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  if (sum !== parseInt(text(148, 8), 8)) throw new Error('a header is damaged')
  const kind = text(156, 1)
  if (kind !== '0' && kind !== '5') throw new Error('it holds something that is neither a file nor a folder')
  const prefix = text(345, 155)
  const full = prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`
  const parts = full.replace(/\/$/, '').split('/')
  if (!parts.every((part) => NAME_PART.test(part)))
    throw new Error(`it holds a name that points outside: ${full}`)
  return {
    parts,
    folder: kind === '5',
    bytes: parseInt(text(124, 12), 8),
    executable: (parseInt(text(100, 8), 8) & 0o100) !== 0,
  }
}

/** Takes an archive's bytes in pieces of any size and writes its entries into `folder`. */
export function tarWriter(folder) {
  let held = Buffer.alloc(0)
  let entry = null
  let left = 0
  let padding = 0
  let file = -1
  let ended = false
  const open = () => {
    const path = join(folder, ...entry.parts)
    // `wx`: an archive cannot write through something that it made before.
    if (entry.folder) mkdirSync(path, { mode: 0o755, recursive: true })
    else file = openSync(path, 'wx', entry.executable ? 0o755 : 0o644)
    left = entry.folder ? 0 : entry.bytes
    padding = (BLOCK - (left % BLOCK)) % BLOCK
    if (left === 0) close()
  }
  const close = () => {
    if (file !== -1) closeSync(file)
    file = -1
  }
  const take = () => {
    for (;;) {
      if (left > 0 && held.length > 0) {
        const piece = held.subarray(0, left)
        writeSync(file, piece)
        left -= piece.length
        held = held.subarray(piece.length)
        if (left === 0) close()
      }
      if (left > 0 || held.length < padding) return
      held = held.subarray(padding)
      padding = 0
      if (ended || held.length < BLOCK) return
      entry = readHeader(held.subarray(0, BLOCK))
      held = held.subarray(BLOCK)
      if (entry === null) ended = true
      else open()
    }
  }
  return new Writable({
    write(chunk, _encoding, done) {
      try {
        if (!ended) {
          held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
          take()
        }
        done()
      } catch (error) {
        close()
        done(error)
      }
    },
    final(done) {
      close()
      done(ended ? null : new Error('it is cut off'))
    },
    destroy(error, done) {
      close()
      done(error)
    },
  })
}

/**
 * Unpacks the zstd-compressed tar that lies at byte `offset` of `source` into `folder`. Throws when its SHA-256 is not
 * `sha256`; the caller then throws the folder away.
 */
export async function unpackFrom(source, offset, sha256, folder) {
  const hash = createHash('sha256')
  const hashed = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  const packed = createReadStream(source, { start: offset, highWaterMark: 1024 ** 2 })
  await pipeline(packed, hashed, createZstdDecompress(), tarWriter(folder))
  if (hash.digest('hex') !== sha256) throw new Error('its SHA-256 is another one: it was damaged or changed')
}

if (process.argv[2] === '--unpack') {
  const [source, offset, sha256, folder] = process.argv.slice(3)
  unpackFrom(source, Number(offset), sha256, folder).catch((error) => {
    process.stderr.write(`cutroom: ${source} cannot be unpacked: ${error.message}.\n`)
    process.exitCode = 1
  })
}
