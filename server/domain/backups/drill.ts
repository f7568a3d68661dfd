/** Shows that a backup can be restored: all of it, into a home that is thrown away, held against what was copied. */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import Database from 'better-sqlite3'
import { AppError } from '../../contract/errors.ts'
import { checkFile } from '../../db/full-check/client.ts'
import { countRows, tablesOf } from '../../db/full-check/find-damage.ts'
import { openHome } from '../../home.ts'
import type { Following } from './copy-pieces.ts'
import { digestInName } from './home-files.ts'
import { restoreDatabase, restoreFiles } from './restore-files.ts'
import { loadFiles, type Snapshot } from './snapshot.ts'
import type { Vault } from './vault.ts'

export interface Drilled {
  readonly moment: string
  readonly files: number
  readonly bytes: number
  readonly tables: number
  /** A sentence for each thing that is not as it was. Empty: it can be restored. */
  readonly faults: readonly string[]
}

/** `inside`: a folder with room for all of it. Throws DISK_FULL, INVALID_STATE where the list of files is damaged. */
export async function drillBackup(
  vault: Vault,
  snapshot: Snapshot,
  inside: string,
  following: Following = {},
): Promise<Drilled> {
  try {
    return await rehearse(vault, snapshot, inside, following)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'INVALID_STATE')) throw error
    // Where the place may only be read, or the list itself is damaged, nothing can be noted: what was found is told anyway.
    await suspectDamaged(vault, snapshot).catch(() => undefined)
    throw error
  }
}

/** Notes every piece of a backup that cannot be read, so that the next one stores it anew. */
async function suspectDamaged(vault: Vault, snapshot: Snapshot): Promise<void> {
  const tryPieces = async (pieces: Iterable<string>): Promise<void> => {
    for (const piece of pieces) {
      try {
        await vault.load(piece)
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'INVALID_STATE')) throw error
        await vault.suspect(piece)
      }
    }
  }
  await tryPieces([...snapshot.database.pieces, ...snapshot.files.pieces])
  const files = await loadFiles(vault, snapshot)
  await tryPieces(new Set(files.flatMap(({ pieces }) => pieces)))
}

async function rehearse(
  vault: Vault,
  snapshot: Snapshot,
  inside: string,
  following: Following = {},
): Promise<Drilled> {
  const root = await mkdtemp(join(inside, 'cutroom-drill-'))
  try {
    const home = openHome(root)
    const { restored, bytes } = await restoreFiles(vault, snapshot, home, following)
    await restoreDatabase(vault, snapshot, home.database, following)
    const faults = [
      ...(await findFileFaults(vault, snapshot, root)),
      ...(await findDatabaseFaults(snapshot, home.database)),
      ...findMissingMedia(home.database, root),
    ]
    return {
      moment: snapshot.moment,
      files: restored,
      bytes,
      tables: Object.keys(snapshot.database.rows).length,
      faults,
    }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** The names of footage are what nothing of the backup has made. */
async function findFileFaults(vault: Vault, snapshot: Snapshot, root: string): Promise<string[]> {
  const faults: string[] = []
  for (const { path, bytes } of await loadFiles(vault, snapshot)) {
    const facts = await stat(join(root, path)).catch(() => null)
    if (facts?.size !== bytes) faults.push(`${path} has not the length that it had`)
    const digest = digestInName(path)
    if (digest === null) continue
    const found = createHash('sha256')
    await pipeline(createReadStream(join(root, path)), found)
    if (found.digest('hex') !== digest) faults.push(`${path} has not the content that its name says`)
  }
  return faults
}

async function findDatabaseFaults({ database }: Snapshot, file: string): Promise<string[]> {
  const damage = await checkFile(file)
  if (damage !== null) return [`the database is damaged: ${damage}`]
  const sqlite = new Database(file, { readonly: true, fileMustExist: true })
  try {
    const tables = new Set(tablesOf(sqlite))
    return Object.entries(database.rows)
      .filter(([table, rows]) => !tables.has(table) || countRows(sqlite, table) !== rows)
      .map(([table, rows]) => `table ${table} has not the ${rows} rows that it had`)
  } finally {
    sqlite.close()
  }
}

/** What an address of the restored home would not find. */
function findMissingMedia(file: string, root: string): string[] {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true })
  try {
    return sqlite
      .prepare<[], string>('select distinct path from media')
      .pluck()
      .all()
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${path}, which an address of the database names, is not in the backup`)
  } finally {
    sqlite.close()
  }
}
