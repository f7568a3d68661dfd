import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extract, list } from 'tar'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPublicKey, parseChecksums } from '../../models/bundle.ts'
import { installFrom } from '../../models/install.ts'
import type { ManifestModel } from '../../models/manifest.ts'
import { makeBundle } from './air-gap.ts'

const MODEL: ManifestModel = {
  name: 'tiny',
  task: 'faces',
  title: 'Tiny',
  goodFor: '',
  hardware: '',
  licence: 'MIT',
  source: 'a/tiny',
  folder: 'face/tiny',
  checksums: 'recorded',
  files: [{ path: 'map.csv', bytes: null, sha256: null, url: null }],
}
let work: string
let bundle: string
let publicKey: string
let privateKey: string

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'cutroom-bundle-'))
  mkdirSync(join(work, 'models', 'face', 'tiny'), { recursive: true })
  writeFileSync(join(work, 'models', 'face', 'tiny', 'map.csv'), 'a,b\n1,2\n')
  writeFileSync(join(work, 'models', 'face', 'tiny', '.secret'), 'not part of it')
  writeFileSync(join(work, 'cutroom_1_amd64.deb'), 'a package')
  const pair = generateKeyPairSync('ed25519')
  publicKey = join(work, 'public.pem')
  privateKey = join(work, 'private.pem')
  writeFileSync(publicKey, pair.publicKey.export({ type: 'spki', format: 'pem' }))
  writeFileSync(privateKey, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  bundle = await made('cutroom-1-air-gap.tar', privateKey)
})
afterAll(() => rmSync(work, { recursive: true, force: true }))

async function made(name: string, key: string | null): Promise<string> {
  const own = mkdtempSync(join(work, 'work-'))
  const order = { parts: [join(work, 'cutroom_1_amd64.deb')], models: join(work, 'models'), key, work: own }
  const held = await makeBundle({ ...order, seconds: 1_700_000_000, manifest: [MODEL] }, join(work, name))
  expect(held).toEqual(['tiny'])
  return join(work, name)
}

async function unpacked(tar = bundle): Promise<string> {
  const folder = mkdtempSync(join(work, 'unpacked-'))
  await extract({ file: tar, cwd: folder, strict: true })
  return join(folder, 'cutroom-1-air-gap')
}

const install = async (from: string, key: string | null = publicKey) => {
  const targetFolder = mkdtempSync(join(work, 'home-'))
  const options = {
    targetFolder,
    manifest: [MODEL],
    ...(key === null ? {} : { publicKey: await readPublicKey(key) }),
  }
  const installed = await installFrom(from, [], options)
  return {
    installed: installed.map(({ model }) => model),
    file: join(targetFolder, 'face', 'tiny', 'map.csv'),
  }
}

test('holds what it lists, and the models install from the archive and from its folder', async () => {
  const names: string[] = []
  await list({
    file: bundle,
    strict: true,
    onReadEntry: ({ path, type }) => void (type === 'File' && names.push(path)),
  })
  expect(names.map((name) => name.replace('cutroom-1-air-gap/', ''))).toEqual([
    'README.txt',
    'SHA256SUMS',
    'SHA256SUMS.sig',
    'cutroom_1_amd64.deb',
    'install.sh',
    'models/face/tiny/map.csv',
  ])
  for (const from of [bundle, await unpacked()]) {
    const { installed, file } = await install(from)
    expect(installed).toEqual(['tiny'])
    expect(readFileSync(file, 'utf8')).toBe('a,b\n1,2\n')
  }
  expect((await made('again-air-gap.tar', privateKey)) !== bundle).toBe(true)
})

test('twice the same bytes', async () => {
  const first = readFileSync(bundle)
  expect(readFileSync(await made('cutroom-1-air-gap.tar', privateKey)).equals(first)).toBe(true)
})

test('what was changed, added, taken away or signed by somebody else is not installed', async () => {
  const changed = await unpacked()
  appendFileSync(join(changed, 'models', 'face', 'tiny', 'map.csv'), '3,4\n')
  await expect(install(changed, null)).rejects.toThrow('map.csv does not match SHA256SUMS')

  const added = await unpacked()
  writeFileSync(join(added, 'models', 'face', 'tiny', 'more.onnx'), 'x')
  await expect(install(added)).rejects.toThrow('more.onnx is in the bundle but not in SHA256SUMS')

  const removed = await unpacked()
  rmSync(join(removed, 'models', 'face', 'tiny', 'map.csv'))
  await expect(install(removed)).rejects.toThrow('map.csv is missing from the bundle')

  const list = await unpacked()
  appendFileSync(join(list, 'SHA256SUMS'), `${'0'.repeat(64)}  models/other\n`)
  await expect(install(list)).rejects.toThrow('not signed by the key given')

  const unsigned = await made('unsigned-air-gap.tar', null)
  await expect(install(unsigned)).rejects.toThrow('it is not signed')
  expect((await install(unsigned, null)).installed).toEqual(['tiny'])
})

test('with a key, nothing but a bundle; and the key has to be one', async () => {
  await expect(install(join(work, 'models'))).rejects.toThrow('this is not a signed bundle')
  expect((await install(join(work, 'models'), null)).installed).toEqual(['tiny'])
  await expect(readPublicKey(join(work, 'models'))).rejects.toThrow('is not an Ed25519 public key')
})

test.each(['../x', '/x', 'a/../x', './x'])('a list cannot name %s', (path) => {
  expect(() => parseChecksums(`${'0'.repeat(64)}  ${path}\n`)).toThrow('no checksum')
})

const openssl = existsSync('/usr/bin/openssl')
if (!openssl) console.warn('No openssl here: what the installer refuses is not tried.')

test.runIf(openssl)(
  'the installer refuses what is not signed, not whole, or more than was signed',
  async () => {
    const tried = (folder: string, ...words: string[]): string => {
      try {
        return execFileSync('sh', [join(folder, 'install.sh'), ...words, '--user'], {
          env: { PATH: '/usr/bin:/bin', HOME: work },
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
        })
      } catch (error) {
        return (error as { stdout: string; stderr: string }).stdout + (error as { stderr: string }).stderr
      }
    }
    const folder = await unpacked()
    expect(tried(folder)).toContain('say whose signature to look for')
    // Checks pass; then this bundle has no program to copy.
    expect(tried(folder, '--public-key', publicKey)).toMatch(
      /The signature is right\.\nEvery file is as it was made\.\n.*cutroom-linux/s,
    )
    writeFileSync(join(folder, 'extra.sh'), 'echo')
    expect(tried(folder, '--public-key', publicKey)).toContain('extra.sh is not in SHA256SUMS')
    rmSync(join(folder, 'extra.sh'))
    // What the installer gives to dpkg by a pattern: a link out of the bundle, a name that looks like two of the list.
    const other = join(folder, 'cutroom_2_amd64.deb')
    writeFileSync(join(folder, '..', 'other.deb'), 'another package')
    symlinkSync('../other.deb', other)
    expect(tried(folder, '--public-key', publicKey)).toContain('cutroom_2_amd64.deb is no plain file')
    rmSync(other)
    const twice = join(folder, 'cutroom_1_amd64.deb\ncutroom_1_amd64.deb')
    writeFileSync(twice, 'another package')
    expect(tried(folder, '--public-key', publicKey)).toContain('more than one line')
    rmSync(twice)
    appendFileSync(join(folder, 'cutroom_1_amd64.deb'), '!')
    expect(tried(folder, '--public-key', publicKey)).toContain('Nothing was installed')
    appendFileSync(join(folder, 'SHA256SUMS'), '\n')
    expect(tried(folder, '--public-key', publicKey)).toContain('is not signed by')
  },
)
