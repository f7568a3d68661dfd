import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { addToRepository, packagesFile, releaseFile, withGpg } from './apt.ts'

const here = ['/usr/bin/gpg', '/usr/bin/gpgconf', '/usr/bin/dpkg-deb'].every((file) => existsSync(file))
if (!here) console.warn('There is no gpg or no dpkg-deb: no repository is signed in this test.')

let work: string
beforeAll(() => void (work = mkdtempSync(join(tmpdir(), 'cutroom-apt-'))))
afterAll(() => rmSync(work, { recursive: true, force: true }))
afterEach(() => vi.unstubAllEnvs())

test('a package is listed as its own control file says, with where it is and what it has to be', () => {
  const control = 'Package: cutroom\nVersion: 1\nDescription: x\n y\n'
  const one = { control, path: 'pool/main/c/cutroom/cutroom_1_amd64.deb', bytes: 7, sha256: 'ab' }
  expect(packagesFile([one, { ...one, path: 'pool/2.deb' }])).toBe(
    `${control}Filename: ${one.path}\nSize: 7\nSHA256: ab\n\n${control}Filename: pool/2.deb\nSize: 7\nSHA256: ab\n`,
  )
})

test('what is signed names each list with its digest, and when it was made', () => {
  const lists = new Map([['main/binary-amd64/Packages', Buffer.from('hello')]])
  const lines = releaseFile(lists, ['amd64'], 1_700_000_000).split('\n')
  expect(lines).toContain('Date: Tue, 14 Nov 2023 22:13:20 UTC')
  expect(lines).toContain('Architectures: amd64')
  expect(lines.slice(-2)).toEqual([
    ' 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824 5 main/binary-amd64/Packages',
    '',
  ])
})

/** A new key, in a file. */
async function makeKey(passphrase: string, option: '--export' | '--export-secret-keys'): Promise<string> {
  const file = join(work, `key-${passphrase}${option}`)
  await withGpg((gpg) => {
    const silent = ['--pinentry-mode', 'loopback', '--passphrase', passphrase]
    gpg([...silent, '--quick-generate-key', 'Try <try@localhost>', 'ed25519', 'sign'])
    writeFileSync(file, gpg([...silent, option]))
  })
  return file
}

function makeDeb(): string {
  const root = join(work, 'deb')
  mkdirSync(join(root, 'DEBIAN'), { recursive: true })
  const lines = [
    'Package: cutroom',
    'Version: 1',
    'Architecture: amd64',
    'Maintainer: x',
    'Description: x',
    '',
  ]
  writeFileSync(join(root, 'DEBIAN', 'control'), lines.join('\n'))
  execFileSync('dpkg-deb', ['-b', root, join(work, 'cutroom_1_amd64.deb')], { stdio: 'ignore' })
  return join(work, 'cutroom_1_amd64.deb')
}

test.runIf(here)('a repository is a pool, signed lists of it, and the key to check them by', async () => {
  const folder = join(work, 'apt')
  const key = await makeKey('', '--export-secret-keys')
  // Twice: what was there is taken over.
  for (let times = 0; times < 2; times += 1)
    await addToRepository(makeDeb(), folder, { key, seconds: 1_700_000_000 })
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  expect(files.sort()).toEqual([
    'cutroom-archive-keyring.gpg',
    'dists/stable/InRelease',
    'dists/stable/Release',
    'dists/stable/Release.gpg',
    'dists/stable/main/binary-amd64/Packages',
    'dists/stable/main/binary-amd64/Packages.gz',
    'pool/main/c/cutroom/cutroom_1_amd64.deb',
  ])
  const list = readFileSync(join(folder, 'dists/stable/main/binary-amd64/Packages'))
  expect(gunzipSync(readFileSync(join(folder, 'dists/stable/main/binary-amd64/Packages.gz')))).toEqual(list)
  const checked = execFileSync(
    'gpgv',
    [
      '--keyring',
      join(folder, 'cutroom-archive-keyring.gpg'),
      join(folder, 'dists/stable/Release.gpg'),
      join(folder, 'dists/stable/Release'),
    ],
    { encoding: 'utf8', stdio: 'pipe' },
  )
  expect(checked).toBe('')
})

test.runIf(here)(
  'says what is wrong with a key, and that gpg is missing, and leaves no repository',
  async () => {
    // Where no other test makes keys.
    vi.stubEnv('TMPDIR', work)
    const folder = join(work, 'none')
    const order = { seconds: 1 }
    const add = (key: string) => addToRepository(makeDeb(), folder, { ...order, key })
    await expect(add(await makeKey('', '--export'))).rejects.toThrow('holds 0 private OpenPGP keys')
    await expect(add(await makeKey('secret', '--export-secret-keys'))).rejects.toThrow('without a passphrase')
    await expect(add(join(work, 'no such file'))).rejects.toThrow('ENOENT')
    const key = await makeKey('', '--export-secret-keys')
    vi.stubEnv('PATH', work)
    await expect(addToRepository('', folder, { ...order, key })).rejects.toThrow('apt install gnupg')
    expect(existsSync(join(folder, 'dists'))).toBe(false)
    expect(readdirSync(work).filter((name) => name.startsWith('cutroom-gpg-'))).toEqual([])
  },
  60_000,
)
