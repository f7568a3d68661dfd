/** The whole database in the place of a standby, as pieces by their content: of a later one only what is new is written. */
import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { openToRead } from '../../db/client.ts'
import { copyPages } from '../../db/put-back.ts'
import type { Home } from '../../home.ts'
import { DATABASE_PIECE_BYTES, readPiece } from '../backups/copy-pieces.ts'
import type { BackupStore } from '../backups/store.ts'
import { baseName, isAfter, pieceFolder, positionIn, type Position } from './place.ts'
import { sumOf } from './shipment.ts'

const Base = Type.Object({
  version: Type.Literal(1),
  bytes: Type.Integer({ minimum: 0 }),
  /** Names of the pieces, in their order. */
  pieces: Type.Array(Type.String()),
})
export type Base = Static<typeof Base>

/** Pieces on their way at the same time. */
const AT_ONCE = 4

const digestIn = (piece: string): string => piece.slice(piece.lastIndexOf('/') + 1)

/** Places that a whole database is kept of, the newest first. */
export async function listBases(place: BackupStore): Promise<Position[]> {
  const all = (await place.list('bases')).map(positionIn).filter((one) => one !== null)
  return all.sort((a, b) => (isAfter(a, b) ? -1 : 1))
}

/** Null: it was removed. */
export async function readBase(place: BackupStore, position: Position): Promise<Base | null> {
  const bytes = await place.get(baseName(position))
  return bytes === null ? null : Value.Decode(Base, JSON.parse(bytes.toString('utf8')))
}

export interface BaseInput {
  readonly home: Home
  readonly position: Position
  /** Whose pieces are known to be there. */
  readonly known: Base | null
  readonly signal?: AbortSignal
}

/**
 * Writes a base of now: of the moment at which it is called. What was shipped as `position` has to be part of it; what
 * comes later may be. `beforePublishing` is called when all of it is there; what it throws is thrown.
 */
export async function writeBase(
  place: BackupStore,
  { home, position, known, signal }: BaseInput,
  beforePublishing: () => Promise<void>,
): Promise<Base> {
  const copy = join(home.temporary, `standby-${randomUUID()}.sqlite`)
  const source = openToRead(home.database)
  try {
    // Sees the moment of this call.
    await copyPages(source, copy, signal)
    const base = await putPieces(place, copy, { position, known, signal })
    await beforePublishing()
    await place.put(baseName(position), Buffer.from(JSON.stringify(base)))
    return base
  } finally {
    source.close()
    for (const part of ['', '-wal', '-shm']) await rm(`${copy}${part}`, { force: true })
  }
}

async function putPieces(
  place: BackupStore,
  copy: string,
  { position, known, signal }: Pick<BaseInput, 'position' | 'known'> & { signal: AbortSignal | undefined },
): Promise<Base> {
  const there = new Map((known?.pieces ?? []).map((piece) => [digestIn(piece), piece]))
  const pieces: string[] = []
  const going = new Set<Promise<void>>()
  await using file = await open(copy, 'r')
  let bytes = 0
  for (;;) {
    signal?.throwIfAborted()
    const content = await readPiece(file, bytes, DATABASE_PIECE_BYTES)
    if (content.length === 0) break
    bytes += content.length
    const digest = sumOf(content)
    const name = there.get(digest) ?? `${pieceFolder(position.epoch)}/${digest}`
    pieces.push(name)
    if (there.has(digest)) continue
    there.set(digest, name)
    const put = place.put(name, content).finally(() => going.delete(put))
    going.add(put)
    if (going.size >= AT_ONCE) await Promise.race(going)
  }
  await Promise.all(going)
  return { version: 1, bytes, pieces }
}

/** Writes a base to a file. Throws where a piece is missing or is not what its name says. */
export async function fetchBase(place: BackupStore, base: Base, path: string): Promise<void> {
  await using file = await open(path, 'w', 0o600)
  for (const name of base.pieces) {
    const piece = await place.get(name)
    if (piece === null || sumOf(piece) !== digestIn(name))
      throw new Error(`${name} is missing or damaged in ${place.place}`)
    await file.writeFile(piece)
  }
  await file.sync()
}

/**
 * Removes what no base from `oldest` on needs: earlier bases and changes, and pieces of epochs up to `epoch`, which alone
 * the caller may judge.
 */
export async function pruneBases(place: BackupStore, epoch: number, oldest: Position): Promise<void> {
  const needed = new Set<string>()
  for (const one of await listBases(place)) {
    if (isAfter(oldest, one)) await place.remove(baseName(one))
    else for (const piece of (await readBase(place, one))?.pieces ?? []) needed.add(piece)
  }
  for (const name of await place.list('changes')) {
    const at = positionIn(name)
    // How an epoch began stays: it tells how the epochs hang together.
    if (at !== null && at.change > 0 && !isAfter(at, oldest)) await place.remove(name)
  }
  const ours = pieceFolder(epoch)
  for (const name of await place.list('pieces'))
    if (!needed.has(name) && name.slice(0, ours.length) <= ours) await place.remove(name)
}
