/**
 * Copies all footage and results from one place to another. Goes on where it was broken off: what arrived, and was read
 * back there with the digest that it had, is written down in the home as it comes.
 */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../contract/errors.ts'
import { sha256OfFile } from '../../../models/installed.ts'
import { makeAttemptFolder, RESULT_FILE } from '../../../workers/artefacts.ts'
import { digestInName } from '../backups/home-files.ts'
import type { Home } from '../../home.ts'
import { STORED_FOLDERS, type ObjectStore, type StoredObject } from './object-store.ts'

export interface Moved {
  readonly files: number
  readonly bytes: number
  /** Of those, what was there already, verified. */
  readonly skipped: number
  /** Footage whose content is not what its name says. It was not copied. */
  readonly damaged: readonly string[]
}

export interface MoveOptions {
  readonly from: ObjectStore
  readonly to: ObjectStore
  readonly home: Home
  readonly signal?: AbortSignal
  readonly onProgress?: (fraction: number, note: string) => void
}

const journalOf = (home: Home): string => join(home.root, 'store-move.jsonl')

interface Arrived extends StoredObject {
  readonly to: string
  readonly sha256: string
}

/** Lines that a killed process wrote half are left out. */
function readJournal(file: string, to: string): Map<string, Arrived> {
  const arrived = new Map<string, Arrived>()
  if (!existsSync(file)) return arrived
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    try {
      const one = JSON.parse(line) as Arrived
      if (one.to === to) arrived.set(one.name, one)
    } catch {
      continue
    }
  }
  return arrived
}

async function sha256In(store: ObjectStore, name: string): Promise<string | null> {
  const stream = await store.read(name)
  if (stream === null) return null
  const hash = createHash('sha256')
  for await (const chunk of stream) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Footage first, results after it; result.json after the files of its result, which is whole then. */
async function namesIn(store: ObjectStore, signal?: AbortSignal): Promise<StoredObject[]> {
  const found: StoredObject[] = []
  for (const folder of STORED_FOLDERS) for await (const one of store.list(folder, signal)) found.push(one)
  const rank = ({ name }: StoredObject): number =>
    name.startsWith('sources/') ? 0 : name.endsWith(`/${RESULT_FILE}`) ? 2 : 1
  return found.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
}

/** Throws STORE_UNAVAILABLE where a store is away or changes what it is given, DISK_FULL, the signal's reason. */
export async function moveObjects(options: MoveOptions): Promise<Moved> {
  const { from, to, home, signal, onProgress } = options
  const journal = journalOf(home)
  const arrived = readJournal(journal, to.place)
  const all = await namesIn(from, signal)
  const total = all.reduce((sum, one) => sum + one.bytes, 0)
  const damaged: string[] = []
  let bytes = 0
  let skipped = 0
  const scratch = await makeAttemptFolder(home.temporary)
  try {
    for (const [index, one] of all.entries()) {
      signal?.throwIfAborted()
      onProgress?.(total === 0 ? 1 : bytes / total, `${index} of ${all.length} files`)
      const known = arrived.get(one.name)
      const isThere = known?.bytes === one.bytes && (await to.size(one.name, signal)) === one.bytes
      if (isThere) skipped += 1
      else {
        const sha256 = await moveOne(options, one, join(scratch, 'object'))
        if (sha256 === null) damaged.push(one.name)
        else appendFileSync(journal, `${JSON.stringify({ to: to.place, ...one, sha256 })}\n`, { flush: true })
      }
      bytes += one.bytes
    }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
  // The next move begins anew: files of other content may have come under these names by then.
  await rm(journal, { force: true })
  return { files: all.length - damaged.length, bytes, skipped, damaged }
}

/** Its digest; null: it is footage that is not what its name says. */
async function moveOne(
  { from, to, signal }: MoveOptions,
  { name }: StoredObject,
  copy: string,
): Promise<string | null> {
  const expected = digestInName(name)
  if (expected !== null && (await sha256In(to, name)) === expected) return expected
  if (!(await from.get(name, copy, signal)))
    throw new AppError(
      'STORE_UNAVAILABLE',
      `${name} went from ${from.place} while it was copied. Start again.`,
    )
  const sha256 = await sha256OfFile(copy, signal)
  if ((expected ?? sha256) !== sha256) return null
  if ((await sha256In(to, name)) === sha256) return sha256
  await to.put(name, copy, signal)
  if ((await sha256In(to, name)) === sha256) return sha256
  throw new AppError(
    'STORE_UNAVAILABLE',
    `${to.place} did not give ${name} back as it was put there. Look at that store; then start again.`,
  )
}

/** Removes what was moved from where it was. How many objects went. */
export async function removeObjects(store: ObjectStore, signal?: AbortSignal): Promise<number> {
  const names = await namesIn(store, signal)
  for (const { name } of names.reverse()) await store.remove(name)
  return names.length
}
