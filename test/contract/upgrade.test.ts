/** A home of another version, a damaged database, and a backup during writes. */
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { migrate } from 'drizzle-orm/better-sqlite3/migrator'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { runCommandLine } from '../../server/cli/command-line.ts'
import type { Terminal } from '../../server/cli/command.ts'
import { checkDatabase } from '../../server/cli/doctor/engines.ts'
import { loadConfig } from '../../server/config/config.ts'
import { migrationsFolder, openDatabase } from '../../server/db/client.ts'
import { acquireHomeLock } from '../../server/jobs/home-lock.ts'
import { openHome } from '../../server/home.ts'
import { copyDatabase } from '../../server/db/put-back.ts'

const EARLIER = 6
let root: string
let earlier: string
let home: string
let file: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-upgrade-'))
  earlier = join(root, 'migrations')
  await cp(migrationsFolder(), earlier, { recursive: true })
  const journalFile = join(earlier, 'meta', '_journal.json')
  const journal = JSON.parse(await readFile(journalFile, 'utf8')) as { entries: unknown[] }
  await writeFile(journalFile, JSON.stringify({ ...journal, entries: journal.entries.slice(0, EARLIER) }))
})
beforeEach(async () => {
  home = await mkdtemp(join(root, 'home-'))
  file = join(home, 'cutroom.sqlite')
})
afterAll(() => rm(root, { recursive: true, force: true }))

const tablesOf = (sqlite: Database.Database): unknown[] =>
  sqlite.prepare("select name from sqlite_master where type = 'table'").pluck().all()
const copies = async (): Promise<string[]> =>
  (await readdir(home)).filter((name) => name.includes('.before-upgrade-'))

/** Of the sixth migration, with a company; its connection stays open, so the row is in the log of the file only. */
function earlierHome(): Database.Database {
  const sqlite = new Database(file)
  sqlite.pragma('journal_mode = WAL')
  migrate(drizzle(sqlite), { migrationsFolder: earlier })
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  sqlite.exec(
    "insert into companies (id, name, plan, features, created_at) values ('old', 'Old', 'starter', '[]', 1)",
  )
  return sqlite
}

it('copies an older database completely before its tables change, and a current one not at all', async () => {
  const open = earlierHome()
  expect(tablesOf(open)).not.toContain('people')
  const db = openDatabase(file)
  expect(tablesOf(db.sqlite)).toContain('people')
  db.close()
  open.close()
  const [name = '', ...more] = await copies()
  expect(more).toEqual([])
  const copy = new Database(join(home, name), { readonly: true })
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(tablesOf(copy)).not.toContain('people')
  expect(copy.prepare('select id from companies').pluck().all()).toEqual(['old'])
  copy.close()
  openDatabase(file).close()
  expect(await copies()).toEqual([name])
})

async function cutroom(...words: string[]): Promise<{ code: number; said: string }> {
  const reported: string[] = []
  const say = (line: string) => void reported.push(line)
  const terminal = { out: say, note: say, status: () => undefined } as unknown as Terminal
  return { code: await runCommandLine([...words, '--home', home], terminal), said: reported.join(' ') }
}

it('no command changes the tables under a running appliance of an older version, and a backup never does', async () => {
  earlierHome().close()
  const lock = acquireHomeLock(openHome(home), 1)
  const backup = join(home, 'monday')
  try {
    for (const words of [
      ['company', 'list'],
      ['company', 'create', 'new', '--name', 'New'],
      ['resume', 'no-such-run'],
    ])
      expect(await cutroom(...words)).toEqual({
        code: 1,
        said: expect.stringContaining(
          `an appliance (process ${process.pid}) works with it as it is`,
        ) as string,
      })
    expect(await cutroom('backup', backup)).toMatchObject({ code: 0 })
  } finally {
    lock.release()
  }
  expect(await cutroom('backup', backup, '--force')).toMatchObject({
    code: 0,
    said: expect.stringMatching(/ Saved \S+ \(\d+ bytes\)\.$/) as string,
  })
  for (const path of [file, backup]) {
    const found = new Database(path, { readonly: true })
    expect(tablesOf(found)).not.toContain('people')
    expect(found.prepare('select id from companies').pluck().all()).toEqual(['old'])
    found.close()
  }
  expect(await copies()).toEqual([])
  expect((await cutroom('company', 'list')).code).toBe(0)
  expect(await copies()).toHaveLength(1)
  // And lets go of the home.
  acquireHomeLock(openHome(home), 1).release()
})

it('keeps the copies of the last three upgrades', async () => {
  earlierHome().close()
  for (const year of [2021, 2022, 2023]) await writeFile(`${file}.before-upgrade-${year}-01-01`, '')
  openDatabase(file).close()
  const stored = (await copies()).sort()
  expect(stored.slice(0, 2)).toEqual(['2022', '2023'].map((y) => `cutroom.sqlite.before-upgrade-${y}-01-01`))
  expect(stored).toHaveLength(3)
})

it('an upgrade that fails at each start makes one copy, and removes none of earlier upgrades', async () => {
  const first = earlierHome()
  // The eighth migration stumbles over it.
  first.exec('create table people (id text)')
  first.close()
  for (const year of [2021, 2022, 2023]) await writeFile(`${file}.before-upgrade-${year}-01-01`, '')
  const before = new Set(['2022', '2023'].map((y) => `cutroom.sqlite.before-upgrade-${y}-01-01`))
  let saved: string[] = []
  for (let start = 1; start <= 4; start += 1) {
    expect(() => openDatabase(file)).toThrow(/people/)
    const now = (await copies()).sort()
    expect(now.filter((name) => before.has(name))).toHaveLength(2)
    expect(now).toHaveLength(3)
    if (start > 1) expect(now).toEqual(saved)
    saved = now
  }
  // The older version is used again meanwhile: the backup that is then stored belongs to the same upgrade and is newer.
  const again = new Database(file)
  again.exec("update companies set name = 'Older'")
  again.close()
  expect(() => openDatabase(file)).toThrow(/people/)
  const now = (await copies()).sort()
  expect(now.slice(0, 2)).toEqual(saved.slice(0, 2))
  expect(now).toHaveLength(3)
  const copy = new Database(join(home, now[2] ?? ''), { readonly: true })
  expect(copy.prepare('select name from companies').pluck().all()).toEqual(['Older'])
  copy.close()
})

it('refuses a database of a newer version with a message, as does the doctor', async () => {
  const db = openDatabase(file)
  db.sqlite.exec("insert into __drizzle_migrations (hash, created_at) values ('later', 9000000000000)")
  db.close()
  expect(() => openDatabase(file)).toThrow(/used by a newer version of Cutroom/)
  expect(await checkDatabase(loadConfig({ home }, {}))).toMatchObject({
    state: 'failure',
    found: expect.stringContaining('newer version') as string,
  })
})

it('reports a damaged database with what to do', async () => {
  openDatabase(file).close()
  await truncate(file, 9000)
  expect(() => openDatabase(file)).toThrow(
    expect.objectContaining({
      code: 'INVALID_STATE',
      message: expect.stringContaining('cutroom restore') as string,
    }) as Error,
  )
  await writeFile(file, 'no database, but long enough to be taken for the head of one '.repeat(10))
  expect(() => openDatabase(file)).toThrow(/is damaged. Put back a backup/)
})

it('reports who should own a database that cannot be opened', async () => {
  // A folder cannot be opened as a database, not even by the superuser.
  await mkdir(file)
  expect(() => openDatabase(file)).toThrow(/cannot be opened for writing: .*\(chown\)/)
})

it('a backup finishes, however often others write meanwhile', async () => {
  const db = openDatabase(file)
  db.sqlite.exec('create table filler (bytes)')
  const fill = db.sqlite.prepare('insert into filler values (randomblob(1000000))')
  for (let at = 0; at < 12; at += 1) fill.run()
  const other = new Database(file)
  const write = other.prepare('update filler set bytes = 0 where rowid = 12')
  let steps = 0
  await copyDatabase(db, join(home, 'backup'), {
    onProgress: () => {
      steps += 1
      if (steps > 20) throw new Error('the copy begins anew with each write')
      write.run()
    },
  })
  expect(steps).toBeGreaterThan(1)
  const copy = new Database(join(home, 'backup'), { readonly: true })
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(copy.prepare('select sum(length(bytes)) from filler').pluck().get()).toBe(12_000_000)
  copy.close()
  other.close()
  db.close()
})

it('neither backs a database up to itself nor restores it from itself, by any path', async () => {
  openDatabase(file).close()
  const other = join(root, 'other-name')
  await symlink(home, other)
  for (const words of [
    ['backup', join(other, 'cutroom.sqlite'), '--force'],
    ['restore', join(other, 'cutroom.sqlite')],
  ]) {
    const output: string[] = []
    const terminal = {
      out: () => undefined,
      note: (line: string) => output.push(line),
    } as unknown as Terminal
    const before = (await stat(file)).ino
    expect(await runCommandLine([...words, '--home', home], terminal)).toBe(1)
    expect(output.join(' ')).toContain('is the database of this home')
    expect((await stat(file)).ino).toBe(before)
  }
})

it('migrates the manual overrides of a clip of an older home to their new name', () => {
  const open = earlierHome()
  const set = { zooms: [{ start: 1, end: 2.5, scale: 1.3 }], speakers: { A: 'Ümit "U" O\'Neill' } }
  const insert = open.prepare(
    `insert into clips (id, company_id, workflow_id, ordinal, source_digest, title, duration, virality_score, document,
       created_at, updated_at) values (?, 'old', 'w', 0, 'd', 't', 5, 50, ?, 1, 1)`,
  )
  insert.run('edited', JSON.stringify({ title: 't', hand: set, start: 0.1 }))
  insert.run('plain', JSON.stringify({ title: 'u' }))
  const db = openDatabase(file)
  const read = db.sqlite.prepare<[string], string>('select document from clips where id = ?').pluck()
  expect(JSON.parse(read.get('edited') ?? '')).toEqual({ title: 't', overrides: set, start: 0.1 })
  expect(JSON.parse(read.get('plain') ?? '')).toEqual({ title: 'u' })
  db.close()
  open.close()
})
