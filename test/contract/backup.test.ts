/** Backups that are true: what was copied is checked, and nothing unsound takes the place of a sound one. */
import { mkdir, open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { checkDatabase } from '../../server/cli/doctor/engines.ts'
import { loadConfig } from '../../server/config/config.ts'
import { getSetting, VERIFIED_BACKUP } from '../../server/db/settings.ts'
import { startBackup, listBackups } from '../../server/domain/settings/backups.ts'
import { listTasks } from '../../server/domain/settings/tasks.ts'
import { openHome } from '../../server/home.ts'
import { openOwnDatabase } from '../../server/home-identity.ts'
import { startTestServer } from '../support/server.ts'
import { typedCommands } from '../support/typed-commands.ts'

const { home, cutroom } = typedCommands()
const database = (): string => openHome(home()).database
const doctor = () => checkDatabase(loadConfig({ home: home() }, {}))

/** Writes rubbish over the first page of a table. */
async function damage(file: string, table: string): Promise<() => Promise<void>> {
  const sqlite = new Database(file)
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  const page = sqlite
    .prepare<[string], number>('select rootpage from sqlite_master where name = ?')
    .pluck()
    .get(table)
  const size = sqlite.pragma('page_size', { simple: true }) as number
  sqlite.close()
  const at = ((page ?? 1) - 1) * size
  const before = (await readFile(file)).subarray(at, at + size)
  const write = async (bytes: Buffer): Promise<void> => {
    const handle = await open(file, 'r+')
    await handle.write(bytes, 0, size, at)
    await handle.close()
  }
  await write(Buffer.alloc(size, 7))
  return () => write(before)
}

it('a backup is one file, checked against what was copied, and knows of when it is', async () => {
  expect((await cutroom('company', 'create', 'acme', '--name', 'Acme')).code).toBe(0)
  const folder = join(home(), 'saved')
  await mkdir(folder)
  const file = join(folder, 'monday.sqlite')
  const before = Date.now()
  expect((await cutroom('backup', file)).code).toBe(0)
  expect((await readdir(folder)).filter((name) => name.startsWith('monday'))).toEqual(['monday.sqlite'])
  const copy = new Database(file, { readonly: true })
  expect(copy.prepare('select id from companies').pluck().all()).toEqual(['acme'])
  const moment = Number(copy.prepare('select value from settings where key = ?').pluck().get(VERIFIED_BACKUP))
  copy.close()
  expect(moment).toBeGreaterThanOrEqual(before)
  const db = openOwnDatabase(openHome(home()))
  expect(Math.abs(Number(getSetting(db, VERIFIED_BACKUP)) - moment)).toBeLessThan(60_000)
  db.close()

  // A damaged page is told, by the doctor too, and the backup of before stays as it is.
  const good = await readFile(file)
  const mend = await damage(database(), 'library_items')
  const refused = await cutroom('backup', file, '--force')
  expect(refused.code).toBe(1)
  expect(refused.notes.join('\n')).toMatch(
    /monday\.sqlite was not written, because the copy is not sound: .+library_items/,
  )
  expect(await readFile(file)).toEqual(good)
  expect((await readdir(folder)).filter((name) => name.startsWith('monday'))).toEqual(['monday.sqlite'])
  expect(await doctor()).toMatchObject({ state: 'failure' })
  await mend()
  expect(await doctor()).toMatchObject({ state: 'ok' })
  expect((await cutroom('backup', file, '--force')).code).toBe(0)
  expect((await stat(file)).mode & 0o777).toBe(0o600)

  // So is a row that refers to none.
  const sqlite = new Database(database())
  sqlite.pragma('foreign_keys = off')
  sqlite.exec("insert into source_addresses (url, digest, fetched_at) values ('x', 'of none', 1)")
  sqlite.close()
  const dangling = await cutroom('backup', file, '--force')
  expect([dangling.code, dangling.notes.join('\n')]).toEqual([
    1,
    expect.stringContaining('a row of source_addresses refers to none of sources'),
  ])
  expect(await doctor()).toMatchObject({ state: 'failure' })
})

it('the studio stores no backup that is not sound either', async () => {
  const server = await startTestServer()
  try {
    const { services } = server
    const settled = async () => {
      startBackup(services)
      await expect.poll(() => listTasks(services).every(({ state }) => state !== 'running')).toBe(true)
      return listTasks(services).at(-1)?.state
    }
    expect(await settled()).toBe('done')
    const [first] = await listBackups(services)
    services.db.sqlite.pragma('foreign_keys = off')
    services.db.sqlite.exec("insert into source_addresses (url, digest, fetched_at) values ('x', 'none', 1)")
    await settled()
    expect(await listBackups(services)).toEqual([first])
    expect(listTasks(services).some(({ state }) => state === 'failed')).toBe(true)
  } finally {
    await server.close()
  }
})
