import Database from 'better-sqlite3'
import { expect, it, vi } from 'vitest'
import { withCachedStatements } from './cached-statements.ts'

it('prepares a text once, answers objects and arrays side by side, and lets go of what is not asked for', () => {
  const sqlite = new Database(':memory:')
  const prepared = vi.spyOn(sqlite, 'prepare')
  const cached = withCachedStatements(sqlite)
  cached.exec('create table words (text)')
  const insert = 'insert into words (text) values (?)'
  for (const word of ['one', 'two']) cached.prepare(insert).run(word)
  const select = 'select text from words where text > ? order by text'
  expect(cached.prepare(select).get('')).toEqual({ text: 'one' })
  expect(cached.prepare(select).raw().all('')).toEqual([['one'], ['two']])
  expect(cached.prepare(select).all('')).toEqual([{ text: 'one' }, { text: 'two' }])
  expect(prepared.mock.calls.map(([text]) => text)).toEqual([insert, select, select])
  // A table that has changed since is read as it is now.
  cached.exec('alter table words add column length default 3')
  const every = 'select * from words'
  expect(cached.prepare(every).get()).toEqual({ text: 'one', length: 3 })
  for (let at = 0; at < 500; at++) cached.prepare(`select ${at}`).get()
  cached.prepare(insert).run('three')
  expect(prepared.mock.calls.filter(([text]) => text === insert)).toHaveLength(2)
  expect(() => cached.prepare('select 1 from nowhere')).toThrow('no such table')
  sqlite.close()
})

it('takes no list and no object for a value: they would stand for several values, or for named ones', () => {
  const sqlite = new Database(':memory:')
  const cached = withCachedStatements(sqlite)
  const select = cached.prepare('select ? as value')
  const refused = 'A list or an object cannot be the value of a statement.'
  for (const value of [['one'], { value: 'one' }]) {
    expect(() => select.get(value)).toThrow(refused)
    expect(() => select.all(value)).toThrow(refused)
    expect(() => select.run(value)).toThrow(refused)
    expect(() => select.raw().all(value)).toThrow(refused)
    expect(() => select.raw().get(value)).toThrow(refused)
  }
  expect(select.get(Buffer.from('one'))).toEqual({ value: Buffer.from('one') })
  expect(select.get(null)).toEqual({ value: null })
  sqlite.close()
})
