import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../server/contract/errors.ts'
import {
  artefactFolder,
  canonicalJson,
  contentKey,
  digestOf,
  isDiskFull,
  makeAttemptFolder,
  mapDiskFull,
  publishResult,
  readResult,
  resumeFolder,
  sweepAttemptsOf,
  sweepTemporary,
  type KeyParts,
} from './artefacts.ts'

describe('canonicalJson', () => {
  it.each<[unknown, string]>([
    [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
    [{ a: undefined, b: { d: 2, c: 1 } }, '{"b":{"c":1,"d":2}}'],
    [-0, '0'],
    [{ é: 1, z: 2, Z: 3 }, '{"Z":3,"z":2,"é":1}'],
  ])('spells %j as %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text)
  })
  it.each([Number.NaN, Number.POSITIVE_INFINITY, [undefined], () => 1, 10n])('refuses %s', (value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError)
  })
})

const parts: KeyParts = {
  stage: 'probe',
  version: 1,
  params: { a: 1 },
  inputs: { source: 'x' },
  tools: { ffmpeg: '1' },
  models: {},
}

describe('contentKey', () => {
  it('does not depend on the order of properties', () => {
    expect(contentKey({ ...parts, params: { b: 2, a: 1 } })).toBe(
      contentKey({ ...parts, params: { a: 1, b: 2 } }),
    )
  })
  it.each<[string, Partial<KeyParts>]>([
    ['stage', { stage: 'audio' }],
    ['version', { version: 2 }],
    ['params', { params: { a: 2 } }],
    ['inputs', { inputs: { source: 'y' } }],
    ['tools', { tools: { ffmpeg: '2' } }],
    ['models', { models: { speech: '1' } }],
    ['scope', { scope: 'run' }],
  ])('changes with %s', (_name, change) => {
    expect(contentKey({ ...parts, ...change })).not.toBe(contentKey(parts))
  })
})

describe('disk full', () => {
  it('is found anywhere in the causes and mapped', () => {
    const error = new Error('x', { cause: Object.assign(new Error('write'), { code: 'ENOSPC' }) })
    expect(isDiskFull(error)).toBe(true)
    expect(mapDiskFull(error)).toMatchObject({ code: 'DISK_FULL' })
    expect(isDiskFull(new AppError('STAGE_FAILED'))).toBe(false)
  })
})

describe('publishing', () => {
  let root: string
  let artefacts: string
  let temporary: string
  const expected = { stage: 'probe' as const, version: 1, key: digestOf('key') }
  const result = { ...expected, output: { n: 1 }, warnings: ['w'], milliseconds: 5 }

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'cutroom-artefacts-'))
    artefacts = join(root, 'artefacts')
    temporary = join(root, 'temporary')
    await mkdir(temporary)
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  async function flip(file: string, at: number) {
    const bytes = await readFile(file)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    await writeFile(file, bytes)
  }

  async function publish(text = 'hello') {
    const folder = await makeAttemptFolder(temporary)
    await mkdir(join(folder, 'sub'))
    await writeFile(join(folder, 'sub', 'a.txt'), text)
    return publishResult(artefacts, folder, result)
  }

  it('moves the whole folder and is then a hit', async () => {
    expect(await readResult(artefacts, expected)).toBeNull()
    const stored = await publish()
    expect(stored.files).toEqual([
      { path: 'sub/a.txt', bytes: 5, check: expect.stringMatching(/^whole:[0-9a-f]{64}$/) as string },
    ])
    expect(await readResult(artefacts, expected)).toEqual(stored)
    expect(await readdir(temporary)).toEqual([])
  })

  it('keeps the result that is there when two publish the same key', async () => {
    await publish('first')
    await publish('second, longer')
    const file = join(artefactFolder(artefacts, 'probe', expected.key), 'sub', 'a.txt')
    expect(await readFile(file, 'utf8')).toBe('first')
    expect(await readdir(temporary)).toEqual([])
  })

  it.each<[string, (folder: string) => Promise<unknown>]>([
    ['a file is gone', (folder) => rm(join(folder, 'sub', 'a.txt'))],
    ['a file has another size', (folder) => writeFile(join(folder, 'sub', 'a.txt'), 'hell')],
    ['one bit of a file is another', (folder) => flip(join(folder, 'sub', 'a.txt'), 0)],
    [
      'one bit of a number in result.json is another',
      async (folder) => {
        const file = join(folder, 'result.json')
        await flip(file, (await readFile(file, 'utf8')).indexOf('"milliseconds":') + 15)
      },
    ],
    ['result.json is cut off', (folder) => writeFile(join(folder, 'result.json'), '{"stage":"probe"')],
    ['result.json is gone', (folder) => rm(join(folder, 'result.json'))],
    ['result.json is of another form', (folder) => writeFile(join(folder, 'result.json'), '[]')],
  ])('is no hit and is removed when %s', async (_name, damage) => {
    await publish()
    const folder = artefactFolder(artefacts, 'probe', expected.key)
    await damage(folder)
    expect(await readResult(artefacts, expected)).toBeNull()
    expect(await readdir(join(folder, '..'))).toEqual([])
    expect((await publish()).files).toHaveLength(1)
  })

  it('replaces a damaged folder when publishing over it', async () => {
    const folder = artefactFolder(artefacts, 'probe', expected.key)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'left-over'), 'x')
    await publish()
    expect(await readResult(artefacts, expected)).not.toBeNull()
    expect((await readdir(folder)).sort()).toEqual(['result.json', 'sub'])
  })

  it('is no hit for another version', async () => {
    await publish()
    expect(await readResult(artefacts, { ...expected, version: 2 })).toBeNull()
  })

  it('sweeps the attempts of one process only', async () => {
    await makeAttemptFolder(temporary)
    await mkdir(join(temporary, `attempt-${process.pid}1-x`))
    await sweepAttemptsOf(temporary, process.pid)
    expect(await readdir(temporary)).toEqual([`attempt-${process.pid}1-x`])
  })

  it('sweeps attempts and keeps the resumable downloads that are still wanted', async () => {
    await makeAttemptFolder(temporary)
    const kept = digestOf('kept')
    const dropped = digestOf('dropped')
    for (const key of [kept, dropped]) await mkdir(resumeFolder(temporary, key))
    expect(await sweepTemporary(temporary, new Set([kept]))).toBe(2)
    expect(await readdir(temporary)).toEqual([`resume-${kept}`])
  })
})
