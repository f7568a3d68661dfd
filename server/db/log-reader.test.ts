import { afterEach, beforeEach, expect, it } from 'vitest'
import { cpSync, mkdtempSync, openSync, closeSync, ftruncateSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { PAGE_BYTES } from './log-format.ts'
import { openLogReader, type PageChanges } from './log-reader.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cutroom-log-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function apply(copy: string, changes: PageChanges | null): void {
  if (changes === null) return
  const file = openSync(copy, 'r+')
  for (const [page, bytes] of changes.pages) writeSync(file, bytes, 0, PAGE_BYTES, (page - 1) * PAGE_BYTES)
  ftruncateSync(file, changes.size * PAGE_BYTES)
  closeSync(file)
}

const dump = (file: string): unknown => {
  const sqlite = new Database(file)
  try {
    expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
    return sqlite.prepare('select id, length(text), text from notes order by id').raw().all()
  } finally {
    sqlite.close()
  }
}

function makeDatabase(): { file: string; copy: string; writer: Database.Database; other: Database.Database } {
  const file = join(folder, 'a.sqlite')
  const writer = new Database(file)
  writer.pragma('journal_mode = WAL')
  writer.exec('create table notes (id integer primary key, text text)')
  writer.pragma('wal_checkpoint(TRUNCATE)')
  const copy = join(folder, 'copy.sqlite')
  cpSync(file, copy)
  return { file, copy, writer, other: new Database(file) }
}

it('has a copy follow every commit, also those of other connections, over many beginnings of the log', () => {
  const { file, copy, writer, other } = makeDatabase()
  const reader = openLogReader(file)
  apply(copy, reader.first)
  let seed = 7
  const chance = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
  let beginnings = 0
  for (let round = 0; round < 600; round++) {
    const sqlite = chance() < 0.3 ? other : writer
    const text = 'x'.repeat(Math.floor(chance() * 9000)) + String(round)
    if (chance() < 0.2) sqlite.prepare('delete from notes where id % 7 = ?').run(round % 7)
    else
      sqlite.transaction(() => {
        for (let row = 0; row < 3; row++) sqlite.prepare('insert into notes (text) values (?)').run(text)
      })()
    if (chance() < 0.05) sqlite.pragma('wal_checkpoint(PASSIVE)')
    if (chance() < 0.6) apply(copy, reader.read())
    if (reader.bytes() > 200_000) {
      const before = reader.bytes()
      apply(copy, reader.shorten())
      if (reader.bytes() <= before) beginnings += 1
    }
  }
  apply(copy, reader.read())
  expect(beginnings).toBeGreaterThan(5)
  expect(dump(copy)).toEqual(dump(file))
  reader.close()
})

it('reads what was in the log before, and only whole transactions', () => {
  const { file, copy, writer, other } = makeDatabase()
  writer.prepare("insert into notes (text) values ('before')").run()
  const reader = openLogReader(file)
  apply(copy, reader.first)
  expect(dump(copy)).toEqual([[1, 6, 'before']])
  // So many pages that they are written to the log before the end.
  writer.pragma('cache_size = 5')
  writer.exec('begin')
  for (let row = 0; row < 50; row++)
    writer.prepare('insert into notes (text) values (?)').run('y'.repeat(5000))
  expect(reader.read()).toBeNull()
  expect(reader.shorten()).toBeNull()
  writer.exec('rollback')
  other.prepare("insert into notes (text) values ('after')").run()
  apply(copy, reader.read())
  expect(dump(copy)).toEqual([
    [1, 6, 'before'],
    [2, 5, 'after'],
  ])
  reader.close()
})

it('holds what was not read against everybody who would write over it, and notices where it could not', () => {
  const { file, writer, other } = makeDatabase()
  other.pragma('busy_timeout = 0')
  const reader = openLogReader(file)
  writer.prepare("insert into notes (text) values ('one')").run()
  expect(other.pragma('wal_checkpoint(TRUNCATE)')).toMatchObject([{ busy: 1 }])
  expect(reader.read()?.pages.size).toBeGreaterThan(0)
  reader.close()
  // Without its transaction the log begins anew twice, and what was between is gone.
  const late = openLogReader(file)
  late.close()
  for (const text of ['two', 'three']) {
    writer.prepare('insert into notes (text) values (?)').run(text)
    other.pragma('wal_checkpoint(RESTART)')
  }
  writer.prepare("insert into notes (text) values ('four')").run()
  expect(() => late.read()).toThrow('begun anew')
})
