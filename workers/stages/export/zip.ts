/** Writes ZIP archives of files that are compressed already, stored as they are (APPNOTE 6.3.3), without a gap and in order. */
import { createReadStream } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { stageError } from '../context.ts'

const MOST_BYTES = 0xffffffff
const MOST_FILES = 0xffff
/** 1 January 1980, the first day that the format knows: equal content makes equal archives. */
const DAY = 0x21
const VERSION = 20
/** Names are UTF-8. */
const FLAGS = 0x0800
const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50

export interface ZipEntries {
  readonly bytes: (name: string, content: Uint8Array) => Promise<void>
  readonly file: (name: string, path: string) => Promise<void>
}

interface Entry {
  readonly name: Buffer
  readonly crc: number
  readonly bytes: number
  readonly at: number
}

/** Throws RENDER_FAILED when it would have more than 4 GB or 65535 files, which this form of archive cannot hold. */
export async function writeZip(path: string, fill: (add: ZipEntries) => Promise<void>): Promise<void> {
  await using archive = await open(path, 'w')
  const entries: Entry[] = []
  let at = 0
  const put = async (chunk: Uint8Array): Promise<void> => {
    await writeAll(archive, chunk, at)
    at += chunk.length
    if (at > MOST_BYTES || entries.length > MOST_FILES)
      throw stageError('RENDER_FAILED', 'The files are more than an archive can hold. Export a shorter clip.')
  }
  const begin = async (name: string, facts: { crc: number; bytes: number }): Promise<void> => {
    const entry = { name: Buffer.from(name), ...facts, at }
    entries.push(entry)
    await put(header(LOCAL, entry))
  }
  await fill({
    bytes: async (name, content) => {
      await begin(name, { crc: crc32(content), bytes: content.length })
      await put(content)
    },
    file: async (name, source) => {
      let crc = 0
      let bytes = 0
      for await (const chunk of createReadStream(source) as AsyncIterable<Buffer>) {
        crc = crc32(chunk, crc)
        bytes += chunk.length
      }
      await begin(name, { crc, bytes })
      for await (const chunk of createReadStream(source) as AsyncIterable<Buffer>) await put(chunk)
    },
  })
  const start = at
  for (const entry of entries) await put(header(CENTRAL, entry))
  const end = Buffer.alloc(22)
  end.writeUInt32LE(END, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(at - start, 12)
  end.writeUInt32LE(start, 16)
  await put(end)
}

async function writeAll(archive: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < chunk.length;) {
    const { bytesWritten } = await archive.write(chunk, done, chunk.length - done, position + done)
    done += bytesWritten
  }
}

/** Of a file in the archive: before its content, or in the directory at the end, where it also says where that lies. */
function header(signature: typeof LOCAL | typeof CENTRAL, { name, crc, bytes, at }: Entry): Buffer {
  const isCentral = signature === CENTRAL
  const fixed = Buffer.alloc(isCentral ? 46 : 30)
  // The directory also has the version of its writer, which shifts everything after it.
  const shift = isCentral ? 2 : 0
  fixed.writeUInt32LE(signature, 0)
  if (isCentral) fixed.writeUInt16LE(VERSION, 4)
  fixed.writeUInt16LE(VERSION, 4 + shift)
  fixed.writeUInt16LE(FLAGS, 6 + shift)
  fixed.writeUInt16LE(DAY, 12 + shift)
  fixed.writeUInt32LE(crc, 14 + shift)
  fixed.writeUInt32LE(bytes, 18 + shift)
  fixed.writeUInt32LE(bytes, 22 + shift)
  fixed.writeUInt16LE(name.length, 26 + shift)
  if (isCentral) fixed.writeUInt32LE(at, 42)
  return Buffer.concat([fixed, name])
}
