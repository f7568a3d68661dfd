import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { logFolder, openLogFiles } from './log-files.ts'

let root = ''
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'cutroom-log-'))))
afterEach(() => rm(root, { recursive: true, force: true }))

it('keeps so many full files and no more, and loses none of the newest lines', async () => {
  const files = openLogFiles(logFolder(root), {
    bytes: 2048,
    kept: 2,
    onTrouble: (error) => expect.unreachable(error.message),
  })
  const line = (index: number): string => `${String(index).padStart(4, '0')}${'x'.repeat(95)}\n`
  for (let index = 0; index < 120; index++) {
    files.write(line(index))
    // A file is full once it was written to: a burst that is written at once goes into one.
    if (index % 10 === 9) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await files.close()
  const names = (await readdir(logFolder(root))).filter((name) => name.endsWith('.log')).sort()
  expect(names).toEqual(['cutroom.1.log', 'cutroom.2.log', 'cutroom.log'])
  const texts = await Promise.all(
    ['cutroom.2.log', 'cutroom.1.log', 'cutroom.log'].map((name) =>
      readFile(join(logFolder(root), name), 'utf8'),
    ),
  )
  const lines = texts.join('').split('\n').filter(Boolean)
  expect(lines.at(-1)).toBe(line(119).trim())
  const numbers = lines.map((one) => Number(one.slice(0, 4)))
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index))
  expect((await stat(join(logFolder(root), 'cutroom.log'))).mode & 0o777).toBe(0o600)
})

it('says once that a folder cannot be written to, and goes on', async () => {
  const troubles: string[] = []
  const files = openLogFiles('/dev/null/logs', {
    bytes: 1000,
    kept: 1,
    onTrouble: ({ message }) => troubles.push(message),
  })
  await expect.poll(() => troubles.length).toBeGreaterThan(0)
  files.write('nobody reads this\n')
  await files.close()
  expect(troubles).toHaveLength(1)
})

it('is written again a minute after it could not be, without a start', async () => {
  const troubles: string[] = []
  const folder = logFolder(root)
  await writeFile(folder, 'a file where the folder should be')
  let time = 0
  const files = openLogFiles(
    folder,
    { bytes: 100_000, kept: 1, onTrouble: ({ message }) => troubles.push(message) },
    () => time,
  )
  await expect.poll(() => troubles.length).toBe(1)
  await rm(folder)
  time = 59_000
  files.write('too early\n')
  time = 61_000
  files.write('again\n')
  await files.close()
  expect(await readFile(join(folder, 'cutroom.log'), 'utf8')).toBe('again\n')
})
