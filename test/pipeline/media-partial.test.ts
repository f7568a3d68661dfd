/** Who holds a download in progress, when several come for it at the same moment. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
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
  // Who comes first differs from time to time.
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
