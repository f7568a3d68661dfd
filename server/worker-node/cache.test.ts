import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openHome, type Home } from '../home.ts'
import type { RemoteTask } from '../jobs/remote/protocol.ts'
import { createLogger } from '../log.ts'
import { artefactFolder, sourcePath } from '../../workers/artefacts.ts'
import { createNodeCache } from './cache.ts'

let root: string
let home: Home
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-cache-'))
  home = openHome(root)
})
afterEach(() => rm(root, { recursive: true, force: true }))

const log = createLogger('error', () => undefined)
const digest = (letter: string): string => letter.repeat(64)

/** 1000 bytes that were used last at this second. */
async function add(letter: string, usedAt: number): Promise<void> {
  const path = sourcePath(home.sources, digest(letter))
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, Buffer.alloc(1000))
  await utimes(path, usedAt, usedAt)
}
/** Until `hold`, which does not wait for its mark, has marked as used later than this second. */
const untilMarked = (letter: string, usedAt: number): Promise<void> =>
  vi.waitFor(async () => {
    const { mtimeMs } = await stat(sourcePath(home.sources, digest(letter)))
    expect(mtimeMs).toBeGreaterThan(usedAt * 1000)
  })
const isHere = (letter: string): boolean => existsSync(sourcePath(home.sources, digest(letter)))
const taskOn = (letter: string): RemoteTask => ({
  stage: 'peaks',
  version: 1,
  key: digest('0'),
  params: {},
  inputs: { audio: { kind: 'source', digest: digest(letter) } },
  models: {},
  sources: [],
})

it('lets go of what was not used for longest, and never of what a task uses', async () => {
  await add('a', 100)
  await add('b', 200)
  await add('c', 300)
  await add('d', 400)
  const cache = createNodeCache({ home, log, limitBytes: 2500 })
  // It was used longest ago, and is used now: its mark must not come after ours.
  const release = cache.hold(taskOn('a'))
  await untilMarked('a', 100)
  await utimes(sourcePath(home.sources, digest('a')), 100, 100)
  await cache.shrink()
  expect(['a', 'b', 'c', 'd'].filter(isHere)).toEqual(['a', 'c', 'd'])
  expect(cache.names().map((name) => name[0])).toEqual(['d', 'c', 'a'])
  release()
  await cache.shrink()
  expect(['a', 'c', 'd'].filter(isHere)).toEqual(['c', 'd'])
  expect([cache.bytes(), await readdir(home.temporary)]).toEqual([2000, []])
})

it('counts what a task uses as used now, and what it needs beyond the limit too', async () => {
  await add('a', 100)
  await add('b', 200)
  const cache = createNodeCache({ home, log, limitBytes: 1500 })
  cache.hold(taskOn('a'))()
  await untilMarked('a', 100)
  await cache.shrink()
  expect(['a', 'b'].filter(isHere)).toEqual(['a'])
  const none = createNodeCache({ home, log, limitBytes: 0 })
  const release = none.hold(taskOn('a'))
  await none.shrink()
  expect(isHere('a')).toBe(true)
  release()
  await none.shrink()
  expect(isHere('a')).toBe(false)
})

it('counts results with all of their files, and lets go of them whole', async () => {
  const folder = artefactFolder(home.artefacts, 'cut', digest('e'))
  await mkdir(join(folder, 'deep'), { recursive: true })
  await writeFile(join(folder, 'result.json'), Buffer.alloc(10))
  await writeFile(join(folder, 'deep', 'cut.mp4'), Buffer.alloc(90))
  const cache = createNodeCache({ home, log, limitBytes: 100 })
  await cache.shrink()
  expect([cache.bytes(), existsSync(folder)]).toEqual([100, true])
  const less = createNodeCache({ home, log, limitBytes: 99 })
  await less.shrink()
  expect([less.bytes(), existsSync(folder)]).toEqual([0, false])
})
