/** A restore that is cut off at its last step: the home is not left without a database. */
import * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openDatabase } from '../../server/db/client.ts'
import { copyDatabase, putBack } from '../../server/db/put-back.ts'
import { createCompany } from '../../server/domain/people/companies.ts'

let cut = false
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof files>()
  const rename: typeof real.rename = (from, to) =>
    cut && /cutroom\.sqlite$/.test(String(to)) ? Promise.reject(new Error('cut off')) : real.rename(from, to)
  return { ...real, rename }
})

let root: string
beforeAll(async () => void (root = await files.mkdtemp(join(tmpdir(), 'cutroom-cut-'))))
afterAll(() => files.rm(root, { recursive: true, force: true }))

it('leaves the old home in its place', async () => {
  const database = join(root, 'cutroom.sqlite')
  const backup = join(root, 'backup')
  const db = openDatabase(database)
  await copyDatabase(db, backup, { onProgress: () => undefined })
  createCompany({ db, now: Date.now }, { id: 'here', name: 'Here', plan: 'business', features: [] })
  db.close()
  cut = true
  await expect(putBack(backup, database, () => undefined)).rejects.toThrow('cut off')
  cut = false
  const after = openDatabase(database)
  expect(after.sqlite.prepare('select id from companies').pluck().all()).toEqual(['here'])
  after.close()
})
