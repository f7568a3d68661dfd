/** Removes backups that are not kept any more, and the pieces that no other one has. */
import { keptSnapshots } from './kept-snapshots.ts'
import { listSnapshots, loadFiles, loadSnapshot } from './snapshot.ts'
import { PIECES, type Vault } from './vault.ts'

/** A piece that another process has just put, for a backup that has no name yet, stays. */
const UNNAMED_MS = 24 * 3_600_000

export interface Pruned {
  readonly snapshots: number
  readonly pieces: number
}

/** Removes nothing where one backup that stays cannot be read: it might need any piece. Throws as reading it does. */
export async function pruneBackups(vault: Vault, now: number, signal?: AbortSignal): Promise<Pruned> {
  const all = await listSnapshots(vault)
  const kept = keptSnapshots(all, now)
  const needed = new Set<string>()
  for (const { name } of all.filter((one) => kept.has(one.name))) {
    signal?.throwIfAborted()
    const snapshot = await loadSnapshot(vault, name)
    const files = await loadFiles(vault, snapshot)
    const named = [snapshot.database.pieces, snapshot.files.pieces, ...files.map(({ pieces }) => pieces)]
    for (const piece of named.flat()) needed.add(piece)
  }
  const gone = all.filter(({ name }) => !kept.has(name))
  for (const { name } of gone) await vault.store.remove(name)
  let pieces = 0
  for (const path of await vault.store.list(PIECES)) {
    signal?.throwIfAborted()
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (needed.has(name)) continue
    const putAt = await vault.store.putAt(path)
    if (putAt === null || now - putAt < UNNAMED_MS) continue
    await vault.forget(name)
    pieces += 1
  }
  return { snapshots: gone.length, pieces }
}
