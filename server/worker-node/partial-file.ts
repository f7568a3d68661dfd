/** A file that a node fetches over HTTP: it goes on where it broke off, and has its name once it is whole. */
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sha256OfFile } from '../../models/installed.ts'

/** Bytes of a file; 0: there is none. */
export const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => null))?.size ?? 0

/** Begins with what came before of the file that is to lie at `to`. */
export async function openPartial(to: string) {
  const partial = `${to}.part`
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const have = await sizeOf(partial)
  const headers: Record<string, string> = have === 0 ? {} : { range: `bytes=${have}-` }
  return {
    /** What to ask with. An answer of 416 says that all of it is here. */
    headers,
    /** Writes the body of an answer: what was left with status 206, otherwise all of it. How many bytes that were. */
    write: async (body: Readable, status: number, signal: AbortSignal): Promise<number> => {
      const file = createWriteStream(partial, { flags: status === 206 ? 'a' : 'w', mode: 0o600 })
      await pipeline(body, file, { signal })
      return file.bytesWritten
    },
    /** Gives it its name. False: it is not what it should be, and is removed. `sha256`: undefined: it is not looked at. */
    finish: async (sha256: string | undefined): Promise<boolean> => {
      if (sha256 !== undefined && (await sha256OfFile(partial)) !== sha256) {
        await rm(partial, { force: true })
        return false
      }
      await rename(partial, to)
      return true
    },
  }
}
