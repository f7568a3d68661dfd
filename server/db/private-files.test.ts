/** Who else uses the machine reads nothing of the database, even where its folder is open to all. */
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase } from './client.ts'
import { copyDatabase } from './put-back.ts'

let folder = ''
let mask = 0
beforeEach(() => {
  mask = process.umask(0o022)
  folder = mkdtempSync(join(tmpdir(), 'cutroom-private-'))
  chmodSync(folder, 0o755)
})
afterEach(() => {
  process.umask(mask)
  rmSync(folder, { recursive: true, force: true })
})

const openToOthers = (): string[] =>
  readdirSync(folder).filter((name) => (lstatSync(join(folder, name)).mode & 0o077) !== 0)

it.skipIf(process.platform === 'win32')(
  'neither it, nor its log, nor a copy while it is written',
  async () => {
    const db = openDatabase(join(folder, 'cutroom.sqlite'))
    try {
      expect(readdirSync(folder).sort()).toEqual([
        'cutroom.sqlite',
        'cutroom.sqlite-shm',
        'cutroom.sqlite-wal',
      ])
      expect(openToOthers()).toEqual([])

      // Somebody has laid a link where the copy is to be written.
      const theirs = join(folder, 'theirs')
      writeFileSync(theirs, 'theirs', { mode: 0o600 })
      symlinkSync(theirs, join(folder, 'copy.part'))
      const seen: string[][] = []
      await copyDatabase(db, join(folder, 'copy'), { onProgress: () => void seen.push(openToOthers()) })
      expect(seen.length).toBeGreaterThan(0)
      expect(seen.flat()).toEqual([])
      expect(readFileSync(theirs, 'utf8')).toBe('theirs')
      expect(statSync(join(folder, 'copy')).mode & 0o777).toBe(0o600)
    } finally {
      db.close()
    }
  },
)
