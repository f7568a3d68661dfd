/** Footage and results in a bucket of a real store: parts, ranges, signed addresses; moved there and back, verified. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createHash, randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import { openHome } from '../../server/home.ts'
import { createLogger } from '../../server/log.ts'
import { openMediaStore } from '../../server/domain/store/media-store.ts'
import { openS3Objects } from '../../server/adapters/s3-objects.ts'
import type { ObjectStore } from '../../server/domain/store/object-store.ts'
import { hasS3, NO_S3, startS3, type S3Server } from '../support/s3.ts'
import { askCommand } from '../support/typed-commands.ts'

if (!hasS3()) process.stderr.write(`a store of footage is not tested: ${NO_S3}\n`)

let root: string
let s3: S3Server
let store: ObjectStore
beforeAll(async () => {
  if (!hasS3()) return
  root = await mkdtemp(join(tmpdir(), 'cutroom-store-'))
  s3 = await startS3(join(root, 'store'), ['studio'])
  store = openIn('objects')
})
afterAll(async () => {
  if (!hasS3()) return
  await s3.stop()
  await rm(root, { recursive: true, force: true })
})

function openIn(prefix: string): ObjectStore {
  const { endpoint, keyId, secret } = s3
  const access = { endpoint, keyId, secret, region: 'us-east-1' }
  return openS3Objects(`s3://studio/${prefix}`, { access, encryption: 'AES256' })
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

async function homeAt(name: string, settings: Readonly<Record<string, string>> = {}): Promise<string> {
  const home = join(root, name)
  await mkdir(home, { recursive: true })
  const { endpoint: s3Endpoint, keyId: s3KeyId, secret: s3Secret } = s3
  await writeFile(join(home, 'config.json'), JSON.stringify({ s3Endpoint, s3KeyId, s3Secret, ...settings }))
  return home
}

/** Digests of everything below a folder, by its path. */
async function digestsBelow(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const path = join(entry.parentPath, entry.name)
      found[path.slice(folder.length + 1)] = sha256(await readFile(path))
    }
  return found
}

async function addSources(home: string, sizes: readonly number[]): Promise<void> {
  for (const size of sizes) {
    const bytes = randomBytes(size)
    const digest = sha256(bytes)
    await mkdir(join(home, 'sources', digest.slice(0, 2)), { recursive: true })
    await writeFile(join(home, 'sources', digest.slice(0, 2), digest), bytes)
  }
}

async function addResult(home: string): Promise<void> {
  const key = sha256(randomBytes(8))
  const folder = join(home, 'artefacts', 'peaks', key.slice(0, 2), key)
  await mkdir(join(folder, 'deep'), { recursive: true })
  await writeFile(join(folder, 'deep', 'peaks & more.bin'), randomBytes(70_000))
  await writeFile(join(folder, 'result.json'), JSON.stringify({ key }))
}

describe.skipIf(!hasS3())('a bucket of footage', () => {
  it('takes a large file in parts, and gives ranges of it', async () => {
    const bytes = randomBytes(40_000_000)
    const file = join(root, 'large')
    await writeFile(file, bytes)
    await store.put('sources/aa/large', file)
    expect(await store.size('sources/aa/large')).toBe(bytes.length)
    expect(await store.get('sources/aa/large', `${file}.back`)).toBe(true)
    expect(sha256(await readFile(`${file}.back`))).toBe(sha256(bytes))
    const part = await store.read('sources/aa/large', { start: 17_000_000, end: 17_000_099 })
    expect(Buffer.concat((await part?.toArray()) as Buffer[])).toEqual(bytes.subarray(17_000_000, 17_000_100))
    expect(await store.get('sources/aa/none', `${file}.none`)).toBe(false)
    expect(await store.read('sources/aa/none')).toBe(null)
    expect(await store.size('sources/aa/none')).toBe(null)
    await store.remove('sources/aa/large')
    expect(await store.size('sources/aa/large')).toBe(null)
  })

  it('signs addresses that open one object, for one method, for a while', async () => {
    const file = join(root, 'small')
    await writeFile(file, 'a frame')
    await store.put('sources/aa/one', file)
    await store.put('sources/aa/two', file)
    const read = await store.address?.({ name: 'sources/aa/one', method: 'GET', seconds: 60 })
    const url = read?.url ?? ''
    expect(await (await fetch(url)).text()).toBe('a frame')
    expect((await fetch(url.replace('/aa/one', '/aa/two'))).status).toBe(403)
    expect((await fetch(url, { method: 'PUT', body: 'other' })).status).toBe(403)
    const write = await store.address?.({ name: 'sources/aa/new', method: 'PUT', seconds: 60 })
    const body = 'brought'
    expect(
      (await fetch(write?.url ?? '', { method: 'PUT', headers: { ...write?.headers }, body })).status,
    ).toBe(200)
    expect(await store.size('sources/aa/new')).toBe(body.length)
    const short = await store.address?.({ name: 'sources/aa/one', method: 'GET', seconds: 1 })
    await expect
      .poll(async () => (await fetch(short?.url ?? '')).status, { timeout: 10_000 })
      .toBeGreaterThanOrEqual(400)
  })

  it('says what to do where it does not answer, without its key', async () => {
    const access = {
      endpoint: 'http://127.0.0.1:9',
      region: 'us-east-1',
      keyId: 'name',
      secret: 'hidden-secret',
    }
    const away = openS3Objects('s3://studio/x', { access, encryption: null })
    const error = await away.size('sources/aa/one').catch((cause: unknown) => cause as Error)
    expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect((error as Error).message).toMatch(/s3:\/\/studio\/x cannot be used: .*CUTROOM_S3_ENDPOINT/)
    expect(JSON.stringify(error)).not.toContain('hidden')
  })
})

describe.skipIf(!hasS3())('what is removed', () => {
  it('is not served from that moment, and goes from a store that was away when it is back', async () => {
    const home = openHome(join(root, 'removed'))
    const { endpoint, keyId, secret } = s3
    const access = { CUTROOM_S3_ENDPOINT: endpoint, CUTROOM_S3_KEY_ID: keyId, CUTROOM_S3_SECRET: secret }
    const config = loadConfig({ home: home.root }, { ...access, CUTROOM_STORE: 's3://studio/removed' })
    const open = () =>
      openMediaStore(
        config,
        home,
        createLogger('error', () => undefined),
      ).store
    await addSources(home.root, [5000])
    const [below = ''] = Object.keys(await digestsBelow(home.sources))
    const digest = below.slice(3)
    const name = `sources/${below}`
    const object = join(root, 'store', 'studio', 'removed', name)
    const mine = open()
    await mine?.keepSource(digest)
    expect([existsSync(object), await mine?.has(name)]).toEqual([true, true])

    await s3.stop()
    const bytes = await readFile(join(home.root, name))
    await rm(join(home.root, name))
    mine?.remove(join(home.root, name))
    expect([await mine?.has(name), await mine?.read(name)]).toEqual([false, null])
    expect([await mine?.isThere(), existsSync(object)]).toEqual([false, true])

    s3 = await startS3(join(root, 'store'), ['studio'], s3.port)
    const next = open()
    expect([await next?.has(name), await next?.bringSource(digest)]).toEqual([false, false])
    await next?.flushRemovals()
    expect(existsSync(object)).toBe(false)
    await writeFile(join(home.root, name), bytes)
    await next?.keepSource(digest)
    expect([existsSync(object), await next?.has(name)]).toEqual([true, true])
    await rm(join(home.root, name))
    expect(await next?.bringSource(digest)).toBe(true)
    expect((await readFile(join(home.root, name))).equals(bytes)).toBe(true)
  })
})

describe.skipIf(!hasS3())('cutroom store move', () => {
  it('is killed in the middle and goes on, there and back, with the same bytes', async () => {
    const home = await homeAt('home')
    expect((await askCommand(home, ['company', 'create', 'acme', '--name', 'Acme'])).code).toBe(0)
    await addSources(home, [20_000_000, ...Array.from({ length: 30 }, () => 1_500_000)])
    for (let made = 0; made < 3; made++) await addResult(home)
    const before = {
      sources: await digestsBelow(join(home, 'sources')),
      artefacts: await digestsBelow(join(home, 'artefacts')),
    }
    const files = Object.keys(before.sources).length + Object.keys(before.artefacts).length
    const bucket = join(root, 'store', 'studio', 'cutroom')

    const to = 's3://studio/cutroom'
    await killedOnTheWay(home, ['store', 'move', '--to', to, '--json'])
    expect(existsSync(join(home, 'store-move.jsonl'))).toBe(true)
    const there = await askCommand(home, ['store', 'move', '--to', to])
    expect(there).toMatchObject({ code: 0, json: { files, damaged: [] } })
    expect(there.json['skipped']).toBeGreaterThan(0)
    expect(there.json['skipped']).toBeLessThan(files)
    expect(await digestsBelow(join(bucket, 'sources'))).toEqual(before.sources)
    expect(await digestsBelow(join(bucket, 'artefacts'))).toEqual(before.artefacts)

    const back = await homeAt('back', { store: to })
    expect((await askCommand(back, ['company', 'create', 'acme', '--name', 'Acme'])).code).toBe(0)
    await killedOnTheWay(back, ['store', 'move', '--to', 'home', '--json'])
    const here = await askCommand(back, ['store', 'move', '--to', 'home', '--remove'])
    expect(here).toMatchObject({ code: 0, json: { files, damaged: [], removed: files } })
    expect(here.json['skipped']).toBeGreaterThan(0)
    expect(await digestsBelow(join(back, 'sources'))).toEqual(before.sources)
    expect(await digestsBelow(join(back, 'artefacts'))).toEqual(before.artefacts)
    expect(Object.keys(existsSync(bucket) ? await digestsBelow(bucket) : {})).toEqual([])
  }, 240_000)

  it('leaves out footage that is not what its name says, and names it', async () => {
    const home = await homeAt('rotten')
    expect((await askCommand(home, ['company', 'create', 'acme', '--name', 'Acme'])).code).toBe(0)
    await addSources(home, [1000, 1000])
    const [name = ''] = Object.keys(await digestsBelow(join(home, 'sources')))
    await cp(join(home, 'config.json'), join(home, 'sources', name))
    const moved = await askCommand(home, ['store', 'move', '--to', 's3://studio/rotten'])
    expect(moved).toMatchObject({ code: 1, json: { files: 1, damaged: [`sources/${name}`] } })
  })
})

/** Ends the process once some files, and not all, have arrived. */
async function killedOnTheWay(home: string, words: string[]): Promise<void> {
  const program = join(import.meta.dirname, '..', '..', 'server', 'cli', 'main.ts')
  const child = spawn(process.execPath, [program, ...words, '--home', home], { stdio: 'ignore' })
  const journal = join(home, 'store-move.jsonl')
  const lines = (): number => (existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').length - 1 : 0)
  await expect.poll(lines, { timeout: 60_000, interval: 5 }).toBeGreaterThan(2)
  child.kill('SIGKILL')
  await once(child, 'close')
}
