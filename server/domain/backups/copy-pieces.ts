/** Files into pieces, and pieces into files. */
import { createHash } from 'node:crypto'
import { open, rename, rm, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeSyncedFolder, syncFolder } from '../../../workers/sync-folder.ts'
import type { Vault } from './vault.ts'

/** Of media, which do not change once they are there. */
export const FILE_PIECE_BYTES = 4 * 1024 ** 2
/** Of the database: small, since a change anywhere in a piece stores all of it anew. */
export const DATABASE_PIECE_BYTES = 256 * 1024

export interface Following {
  readonly signal?: AbortSignal | undefined
  /** How many bytes were dealt with since the last call. */
  readonly onBytes?: (bytes: number) => void
}

export interface Stored {
  readonly bytes: number
  readonly pieces: string[]
  /** Those that were not there before. */
  readonly fresh: readonly string[]
  /** SHA-256 of the file. */
  readonly digest: string
}

/** Stores a file piece by piece. Throws what reading it, or the store, throws; the signal's reason. */
export async function storeFile(
  vault: Vault,
  path: string,
  { pieceBytes, signal, onBytes }: Following & { readonly pieceBytes: number },
): Promise<Stored> {
  const handle = await open(path, 'r')
  const pieces: string[] = []
  const fresh: string[] = []
  const digest = createHash('sha256')
  let bytes = 0
  try {
    for (;;) {
      signal?.throwIfAborted()
      const piece = await readPiece(handle, bytes, pieceBytes)
      if (piece.length === 0) return { bytes, pieces, fresh, digest: digest.digest('hex') }
      digest.update(piece)
      const { name, isNew } = await vault.save(piece)
      pieces.push(name)
      if (isNew) fresh.push(name)
      bytes += piece.length
      onBytes?.(piece.length)
    }
  } finally {
    await handle.close()
  }
}

/** A read may answer with less than was asked for, before the end of the file. */
export async function readPiece(
  handle: Awaited<ReturnType<typeof open>>,
  from: number,
  most: number,
): Promise<Buffer> {
  const piece = Buffer.alloc(most)
  let filled = 0
  while (filled < most) {
    const { bytesRead } = await handle.read(piece, filled, most - filled, from + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return piece.subarray(0, filled)
}

/** Whether a file holds what these pieces hold, by their names. Throws what reading it throws, or the signal's reason. */
export async function holdsPieces(
  vault: Pick<Vault, 'nameOf'>,
  path: string,
  pieces: readonly string[],
  { signal }: Following = {},
): Promise<boolean> {
  await using handle = await open(path, 'r')
  for (const [at, name] of pieces.entries()) {
    signal?.throwIfAborted()
    const piece = await readPiece(handle, at * FILE_PIECE_BYTES, FILE_PIECE_BYTES)
    if (vault.nameOf(piece) !== name) return false
  }
  return true
}

/**
 * Writes pieces to a file, which has its name only when it is whole. Answers the SHA-256 of what it holds. Throws
 * INVALID_STATE for a piece that is missing or damaged.
 */
export async function writeFileOf(
  vault: Vault,
  pieces: readonly string[],
  { path, changed, signal, onBytes }: Following & { readonly path: string; readonly changed?: number },
): Promise<string> {
  const partial = `${path}.restoring`
  const digest = createHash('sha256')
  await makeSyncedFolder(dirname(path))
  await rm(partial, { force: true })
  try {
    const handle = await open(partial, 'wx', 0o600)
    try {
      for (const name of pieces) {
        signal?.throwIfAborted()
        const piece = await vault.load(name)
        digest.update(piece)
        await handle.writeFile(piece)
        onBytes?.(piece.length)
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    if (changed !== undefined) await utimes(partial, new Date(changed), new Date(changed))
    await rename(partial, path)
    await syncFolder(dirname(path))
    return digest.digest('hex')
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}
