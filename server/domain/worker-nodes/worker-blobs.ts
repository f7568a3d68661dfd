/**
 * Files on their way from a worker node: named by their SHA-256, sent in pieces, and accepted only when the whole has
 * that digest. They are in the temporary folder, which every start empties; abandoned ones are removed before that.
 */
import { randomUUID } from 'node:crypto'
import { renameSync, statSync } from 'node:fs'
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { BlobState } from '../../contract/tenant-api/worker.ts'
import { AppError } from '../../contract/errors.ts'
import { sha256OfFile } from '../../../models/installed.ts'
import { mapDiskFull } from '../../../workers/artefacts.ts'
import { requireDiskSpace } from '../../../workers/media/disk.ts'
import { receive } from '../library/upload-files.ts'
import { createInUse } from '../library/uploads.ts'
import type { Services } from '../services.ts'

type Deps = Pick<Services, 'config' | 'home'>

/** A piece of a file: `bytes start-end/total`. */
export interface BlobPiece {
  readonly sha256: string
  readonly start: number
  readonly total: number
  readonly stream: Readable
}

const PART = '.part'
/** Two pieces of one file at once would spoil it. */
const busy = new Set<string>()

/** Files that are in use. */
const held = createInUse()

/** Does something with files that were brought; none of them is swept away meanwhile. */
export const holdingBlobs = held.during

function placeOf({ home }: Deps, sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256))
    throw new AppError('VALIDATION_FAILED', 'A file is named by its SHA-256 in hex.')
  return join(home.temporary, `blob-${sha256}`)
}

const sizeOf = async (path: string): Promise<number | null> =>
  (await stat(path).catch((): null => null))?.size ?? null

/** How many bytes of it are here. Renews its time, because the caller is about to use it or to send the rest. */
export function blobState(services: Deps, sha256: string): Promise<BlobState> {
  const place = placeOf(services, sha256)
  return holdingBlobs([sha256], async () => {
    const now = new Date()
    for (const path of [place, place + PART]) await utimes(path, now, now).catch(() => undefined)
    const whole = await sizeOf(place)
    return whole === null
      ? { have: (await sizeOf(place + PART)) ?? 0, whole: false }
      : { have: whole, whole: true }
  })
}

/** The whole file. VALIDATION_FAILED when it was not brought. */
export async function blobPath(services: Deps, sha256: string): Promise<string> {
  const place = placeOf(services, sha256)
  if ((await sizeOf(place)) !== null) return place
  throw new AppError('VALIDATION_FAILED', {
    message: 'A file of the result was not brought.',
    details: { field: 'files', sha256 },
  })
}

/** It is in its place, or of no use. */
export async function dropBlob(services: Deps, sha256: string): Promise<void> {
  await rm(placeOf(services, sha256), { force: true })
}

/**
 * Takes a piece that begins where the last one ended. INVALID_STATE (with the bytes that are here) for any other, and
 * while another piece is coming in; VALIDATION_FAILED when the whole has another digest; DISK_FULL.
 */
export async function receiveBlob(services: Deps, piece: BlobPiece): Promise<BlobState> {
  const { sha256 } = piece
  const place = placeOf(services, sha256)
  if (busy.has(sha256)) throw new AppError('INVALID_STATE', 'Another piece of this file is coming in.')
  busy.add(sha256)
  try {
    return await holdingBlobs([sha256], () => takePiece(services, place, piece))
  } catch (error) {
    throw mapDiskFull(error)
  } finally {
    busy.delete(sha256)
  }
}

async function takePiece(services: Deps, place: string, piece: BlobPiece): Promise<BlobState> {
  const { sha256, start } = piece
  const state = await blobState(services, sha256)
  if (state.whole) return state
  if (start !== state.have)
    throw new AppError('INVALID_STATE', {
      message: `This piece begins at ${start}; ${state.have} bytes are here.`,
      details: { have: state.have },
    })
  await append(services, place + PART, piece)
  return await complete(services, place, piece)
}

async function append(
  { config, home }: Deps,
  path: string,
  { start, total, stream }: BlobPiece,
): Promise<void> {
  const { minFreeBytes } = config
  requireDiskSpace(home.temporary, { what: 'The file', bytes: total - start, minFreeBytes })
  const onChunk = (_chunk: Buffer, sum: number): void => {
    if (start + sum > total)
      throw new AppError('VALIDATION_FAILED', 'There is more of the file than it says.')
  }
  await receive(stream, path, { flags: 'a', onChunk })
}

async function complete(services: Deps, place: string, { sha256, total }: BlobPiece): Promise<BlobState> {
  const have = (await sizeOf(place + PART)) ?? 0
  if (have < total) return { have, whole: false }
  if ((await sha256OfFile(place + PART)) !== sha256) {
    await rm(place + PART, { force: true })
    throw new AppError('VALIDATION_FAILED', {
      message: 'The file is not what its name says; send it again from its beginning.',
      details: { sha256 },
    })
  }
  await rename(place + PART, place)
  return blobState(services, sha256)
}

/**
 * Removes files that were not touched for this long and are not in use: the node that sent them no longer has its task.
 * Returns how many files were removed.
 */
export async function sweepBlobs(
  { home, now }: Pick<Services, 'home' | 'now'>,
  { untouchedMs, signal }: { untouchedMs: number; signal?: AbortSignal },
): Promise<number> {
  let removed = 0
  for (const name of await readdir(home.temporary)) {
    signal?.throwIfAborted()
    const sha256 = /^blob-([0-9a-f]{64})(?:\.part)?$/.exec(name)?.[1]
    if (sha256 === undefined) continue
    const path = join(home.temporary, name)
    // Synchronous from the check to the rename, so that nothing begins to use it in between.
    const facts = statSync(path, { throwIfNoEntry: false })
    if (facts === undefined || held.has(sha256)) continue
    if (now() - Math.max(facts.mtimeMs, facts.ctimeMs) < untouchedMs) continue
    const aside = join(home.temporary, `gone-${randomUUID()}`)
    renameSync(path, aside)
    await rm(aside, { force: true })
    removed += 1
  }
  return removed
}
