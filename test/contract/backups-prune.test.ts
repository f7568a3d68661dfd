/** What is not kept any more goes, and nothing that a backup needs. */
import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pruneBackups } from '../../server/domain/backups/prune-backups.ts'
import {
  listSnapshots,
  saveSnapshot,
  snapshotName,
  type Snapshot,
} from '../../server/domain/backups/snapshot.ts'
import { openFolderStore } from '../../server/domain/backups/store.ts'
import { beginVault, PIECES, pieceName, type Vault } from '../../server/domain/backups/vault.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-11-28T12:00:00Z')
let root: string
let vault: Vault
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-prune-'))
  vault = await beginVault(openFolderStore(root), { id: 'one', keyFile: null })
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** Stored so long ago. */
async function piece(text: string, age: number): Promise<string> {
  const { name } = await vault.save(Buffer.from(text))
  const at = new Date(NOW - age)
  await utimes(join(root, pieceName(name)), at, at)
  return name
}

const backup = (age: number, piecesOfDatabase: string[]): Snapshot => ({
  version: 1,
  moment: new Date(NOW - age).toISOString(),
  verified: false,
  database: { bytes: 1, pieces: piecesOfDatabase, rows: {} },
  files: { count: 0, bytes: 0, pieces: [] },
})

it('removes backups of the same hour and their own pieces, but not shared or new ones', async () => {
  const shared = await piece('shared', 100 * HOUR)
  const own = await piece('own', 100 * HOUR)
  const justPut = await piece('of a backup that has no name yet', HOUR)
  const older = backup(10.6 * HOUR, [shared, own])
  const newer = backup(10.4 * HOUR, [shared])
  await saveSnapshot(vault, older)
  await saveSnapshot(vault, newer)
  expect(await pruneBackups(vault, NOW)).toEqual({ snapshots: 1, pieces: 1 })
  expect((await listSnapshots(vault)).map(({ name }) => name)).toEqual([snapshotName(newer)])
  expect(new Set(await vault.store.list(PIECES))).toEqual(new Set([shared, justPut].map(pieceName)))
  // What went is stored again when it is needed again.
  expect(await vault.save(Buffer.from('own'))).toEqual({ name: own, isNew: true })
})

it('removes nothing while a backup that stays cannot be read', async () => {
  const lost = await piece('nobody needs this', 100 * HOUR)
  const unreadable = { moment: new Date(NOW - HOUR).toISOString(), verified: true }
  await vault.saveAs(snapshotName(unreadable), Buffer.from('{'))
  await expect(pruneBackups(vault, NOW)).rejects.toMatchObject({ code: 'INVALID_STATE' })
  expect(await vault.store.list(PIECES)).toContain(pieceName(lost))
})
