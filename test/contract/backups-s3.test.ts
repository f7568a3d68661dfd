/** Backups in a bucket of a real store: made, listed over pages, read back, restored; and what is said when it is away. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openS3Store } from '../../server/adapters/s3-store.ts'
import { hasS3, NO_S3, startS3, type S3Server } from '../support/s3.ts'
import { askCommand } from '../support/typed-commands.ts'

if (!hasS3()) process.stderr.write(`backups in a bucket are not tested: ${NO_S3}\n`)

let root: string
let s3: S3Server
beforeAll(async () => {
  if (!hasS3()) return
  root = await mkdtemp(join(tmpdir(), 'cutroom-s3-'))
  s3 = await startS3(join(root, 'store'), ['studio'])
})
afterAll(async () => {
  if (!hasS3()) return
  await s3.stop()
  await rm(root, { recursive: true, force: true })
})

async function homeWith(settings: Readonly<Record<string, string>> = {}) {
  const home = await mkdtemp(join(root, 'home-'))
  const { endpoint: s3Endpoint, keyId: s3KeyId, secret: s3Secret } = s3
  const config = { backupTo: 's3://studio/cutroom/one', s3Endpoint, s3KeyId, s3Secret, ...settings }
  await writeFile(join(home, 'config.json'), JSON.stringify(config))
  return { home, cutroom: (...words: string[]) => askCommand(home, words) }
}

describe.skipIf(!hasS3())('a bucket', () => {
  it('holds backups that a new machine is restored from', async () => {
    const { home, cutroom } = await homeWith()
    expect((await cutroom('company', 'create', 'acme', '--name', 'Acme')).code).toBe(0)
    await mkdir(join(home, 'exports'), { recursive: true })
    const clip = Buffer.alloc(5_000_000, 'a frame, and another, ')
    await writeFile(join(home, 'exports', 'clip.mp4'), clip)
    expect(await cutroom('backups', 'run')).toMatchObject({ code: 0, json: { files: 1, bytes: clip.length } })
    // Below the prefix, and nowhere else.
    expect(await readdir(join(root, 'store', 'studio'))).toEqual(['cutroom'])
    expect((await stat(join(root, 'store', 'studio', 'cutroom', 'one', 'backup.json'))).isFile()).toBe(true)
    expect(await cutroom('backups', 'drill')).toMatchObject({ code: 0, json: { faults: [] } })

    const back = await homeWith()
    expect((await back.cutroom('restore', 's3://studio/cutroom/one')).code).toBe(0)
    expect((await readFile(join(back.home, 'exports', 'clip.mp4'))).equals(clip)).toBe(true)
    expect((await back.cutroom('company', 'list')).json).toMatchObject([{ id: 'acme' }])
  })

  it('lists more names than one answer has', async () => {
    const { endpoint, keyId, secret } = s3
    const store = openS3Store('s3://studio/many', { endpoint, region: 'us-east-1', keyId, secret })
    const names = Array.from({ length: 1100 }, (_, index) => `pieces/aa/${String(index).padStart(4, '0')}`)
    const one = Buffer.from('1')
    for (let at = 0; at < names.length; at += 20)
      await Promise.all(names.slice(at, at + 20).map((name) => store.put(name, one)))
    expect([...(await store.list('pieces'))].sort()).toEqual(names)
    expect(await store.get('pieces/aa/none')).toBe(null)
    expect(await store.keep('pieces/aa/none')).toBe(false)
    expect(await store.keep('pieces/aa/0001')).toBe(true)
    await store.remove('pieces/aa/0001')
    expect(await store.putAt('pieces/aa/0001')).toBe(null)
    await store.remove('pieces/aa/0001')
  })

  it('says what is wrong with the key, the bucket or the network, and no secret', async () => {
    const said = async (settings: Readonly<Record<string, string>>): Promise<string> => {
      const { cutroom } = await homeWith(settings)
      const { code, said: line } = await cutroom('backups', 'run')
      expect(code).toBe(1)
      expect(line).not.toContain(s3.secret)
      expect(line).not.toContain('another-secret')
      return line
    }
    expect(await said({ s3Secret: 'another-secret' })).toContain('403 SignatureDoesNotMatch')
    expect(await said({ backupTo: 's3://nobody/x' })).toContain('404 NoSuchBucket')
    expect(await said({ s3KeyId: '', s3Secret: '' })).toMatch(/s3KeyId|CUTROOM_S3_KEY_ID/)
    expect(await said({ s3Endpoint: 'https://store.invalid', network: 'off' })).toContain('CUTROOM_NETWORK')
    expect(await said({ s3Endpoint: 'http://127.0.0.1:9' })).toContain('does not answer')
  })
})
