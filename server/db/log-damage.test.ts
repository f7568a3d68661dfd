import {
  cpSync,
  mkdtempSync,
  openSync,
  closeSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findLogDamage, requireSoundLog } from './log-damage.ts'

const FRAME = 24 + 4096
const root = mkdtempSync(join(tmpdir(), 'cutroom-log-'))
const killed = join(root, 'killed.sqlite')
let made = 0

/** A database as a process leaves it that is killed: its commits are in the log. */
beforeAll(() => {
  const file = join(root, 'running.sqlite')
  const sqlite = new Database(file)
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL')
  sqlite.exec('create table notes (text text)')
  for (let at = 0; at < 8; at += 1)
    sqlite.prepare('insert into notes values (?)').run(`note ${at} `.repeat(1500))
  for (const part of ['', '-wal']) cpSync(`${file}${part}`, `${killed}${part}`)
  sqlite.close()
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function copy(): string {
  const file = join(root, `copy-${(made += 1)}.sqlite`)
  for (const part of ['', '-wal']) cpSync(`${killed}${part}`, `${file}${part}`)
  return file
}

function overwrite(file: string, at: number, bytes: Buffer): void {
  const log = openSync(`${file}-wal`, 'r+')
  writeSync(log, bytes, 0, bytes.length, at)
  closeSync(log)
}

const notesOf = (file: string): unknown => {
  const sqlite = new Database(file)
  const count = sqlite.prepare('select count(*) from notes').pluck().get()
  sqlite.close()
  return count
}

it('finds nothing in a log that is whole, empty, missing, or ends in the middle of its last transaction', () => {
  const whole = copy()
  expect(findLogDamage(whole)).toBeNull()
  expect(notesOf(whole)).toBe(8)
  const torn = copy()
  truncateSync(`${torn}-wal`, readFileSync(`${torn}-wal`).length - FRAME - 100)
  expect(findLogDamage(torn)).toBeNull()
  const lastLost = copy()
  overwrite(lastLost, readFileSync(`${lastLost}-wal`).length - FRAME, Buffer.alloc(FRAME))
  expect(findLogDamage(lastLost)).toBeNull()
  writeFileSync(`${lastLost}-wal`, '')
  expect(findLogDamage(lastLost)).toBeNull()
  rmSync(`${lastLost}-wal`)
  expect(findLogDamage(lastLost)).toBeNull()
})

it.each([
  ['a flipped bit of a page', 32 + FRAME + 24 + 100, 1],
  ['a zeroed frame', 32 + FRAME, FRAME],
  ['a zeroed header', 0, 32],
  ['zeroed salts of the header', 16, 8],
])('finds %s, behind which SQLite would leave commits out in silence', (_name, at, length) => {
  const file = copy()
  const before = readFileSync(`${file}-wal`).subarray(at, at + length)
  overwrite(file, at, length === 1 ? Buffer.from([(before[0] ?? 0) ^ 4]) : Buffer.alloc(length))
  expect(findLogDamage(file)?.commits).toBeGreaterThan(2)
  expect(() => requireSoundLog(file)).toThrow(/changes stand behind the damage.+cutroom restore FILE/)
  let left: unknown
  try {
    left = notesOf(file)
  } catch {
    left = 0 // not even the table came through
  }
  expect(left).toBeLessThan(8)
})
