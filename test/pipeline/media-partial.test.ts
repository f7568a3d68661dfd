/** The lock holder of a download in progress, when several processes request it at the same moment. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openPartial, type PartialFile } from '../../workers/stages/ingest/partial.ts'

const KEY = 'http://a.b/talk.mp4'
const FOLDER = createHash('sha256').update(KEY).digest('hex')
/** Above every process id there can be. */
const DEAD_PID = 99_999_999

let sources: string
beforeEach(async () => {
  sources = await mkdtemp(join(tmpdir(), 'cutroom-partial-'))
})
afterEach(async () => {
  await rm(sources, { recursive: true, force: true })
})

async function openMany(count: number): Promise<PartialFile[]> {
  const open = () => openPartial(sources, KEY, new AbortController().signal, () => undefined)
  return Promise.all(Array.from({ length: count }, open))
}

it.each([
  ['nobody held it', null],
  ['its holder was killed', String(DEAD_PID)],
])('has one holder, and the others download beside it: %s', async (_name, lock) => {
  // Which one is first varies.
  for (let round = 0; round < 25; round++) {
    await mkdir(join(sources, '.partial', FOLDER), { recursive: true })
    if (lock !== null) await writeFile(join(sources, '.partial', FOLDER, 'lock.7'), lock)
    const partials = await openMany(3)
    expect(partials.filter(({ path }) => path.includes(`${FOLDER}/`))).toHaveLength(1)
    expect(new Set(partials.map(({ path }) => path)).size).toBe(3)
    for (const partial of partials) await partial.append(Buffer.from('abc'))
    for (const partial of partials) expect(await readFile(partial.path, 'utf8')).toBe('abc')
    for (const partial of partials) await partial.release(false)
    expect(await readdir(join(sources, '.partial'))).toEqual([])
  }
})

const partialFolder = (...names: string[]): string => join(sources, '.partial', ...names)

it('the next download removes what a killed removal left', async () => {
  await mkdir(partialFolder('.gone-1'), { recursive: true })
  await writeFile(partialFolder('.gone-1', 'facts.json'), '{}')
  const [partial] = await openMany(1)
  expect(await readdir(partialFolder())).toEqual([FOLDER])
  await partial?.release(false)
})

it('an empty download folder is removed after a day, like a partial download', async () => {
  const yesterday = new Date(Date.now() - 25 * 3600 * 1000)
  for (const name of ['empty', 'half', 'fresh']) await mkdir(partialFolder(name), { recursive: true })
  await writeFile(partialFolder('half', 'data'), 'abc')
  await utimes(partialFolder('half', 'data'), yesterday, yesterday)
  await utimes(partialFolder('empty'), yesterday, yesterday)
  const [partial] = await openMany(1)
  expect((await readdir(partialFolder())).toSorted()).toEqual([FOLDER, 'fresh'].toSorted())
  await partial?.release(false)
})

it('a parallel download removes what a killed lock holder left', async () => {
  const killed = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'])
  const ended = once(killed, 'exit')
  await mkdir(partialFolder(FOLDER), { recursive: true })
  await writeFile(partialFolder(FOLDER, 'lock.1'), String(killed.pid))
  await writeFile(partialFolder(FOLDER, 'data'), 'abc')
  const [beside] = await openMany(1)
  expect(beside?.path).not.toContain(`${FOLDER}/`)
  killed.kill('SIGKILL')
  await ended
  await beside?.release(false)
  expect(await readdir(partialFolder())).toEqual([])
})

it('a parallel download keeps the files of a living lock holder', async () => {
  await mkdir(partialFolder(FOLDER), { recursive: true })
  await writeFile(partialFolder(FOLDER, 'lock.1'), String(process.pid))
  const [beside] = await openMany(1)
  await beside?.release(false)
  expect(await readdir(partialFolder(FOLDER))).toEqual(['lock.1'])
})
