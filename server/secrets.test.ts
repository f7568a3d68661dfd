import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { checkSecrets } from './cli/doctor/upkeep.ts'
import { loadConfig } from './config/config.ts'
import { forgetKeys, openSecret, prepareKey, sealSecret, whereKeyIs } from './secrets.ts'

let root = ''
const file = () => join(root, 'secret.key')
const keychain = { secretKey: 'keychain', secretKeyFile: null } as const
const plain = { secretKey: 'file', secretKeyFile: null } as const

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cutroom-secrets-'))
  forgetKeys()
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

/** A secret-tool that keeps what it is given in files, and notes its arguments. */
function fakeKeychain(state: 'works' | 'locked' = 'works'): string {
  const folder = mkdtempSync(join(root, 'bin-'))
  const program = `#!${process.execPath}
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const args = process.argv.slice(2)
appendFileSync(join(__dirname, 'calls'), args.join(' ') + '\\n')
if (${JSON.stringify(state)} === 'locked') { process.stderr.write('Cannot autolaunch D-Bus without X11\\n'); process.exit(1) }
const at = join(__dirname, 'kept-' + args.at(-1))
if (args[0] === 'store') writeFileSync(at, readFileSync(0))
else process.stdout.write(readFileSync(at))
`
  const path = join(folder, 'secret-tool')
  writeFileSync(path, program)
  chmodSync(path, 0o755)
  vi.stubEnv('PATH', folder)
  return folder
}

test('a secret opens for its own purpose, by its own key, unaltered', () => {
  const sealed = sealSecret({ root }, 'a', 'the token')
  expect(sealed).not.toContain('token')
  expect(openSecret({ root }, 'a', sealed)).toBe('the token')
  expect(openSecret({ root }, 'b', sealed)).toBeNull()
  const bytes = Buffer.from(sealed.slice(3), 'base64url')
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  expect(openSecret({ root }, 'a', `v1.${bytes.toString('base64url')}`)).toBeNull()
  if (process.platform !== 'win32') expect(statSync(file()).mode & 0o777).toBe(0o600)
})

describe.skipIf(process.platform !== 'linux')('in the keychain', () => {
  test('a key moves there, leaves no copy, and what it has sealed opens', () => {
    const sealed = sealSecret({ root }, 'a', 'the token')
    const key = readFileSync(file())
    const folder = fakeKeychain()
    expect(prepareKey({ root }, keychain)).toBeNull()
    expect(readFileSync(file()).includes(key)).toBe(false)
    expect(whereKeyIs({ root }, plain)).toBe('the keychain (libsecret)')
    // Never in the arguments, which any user of the machine may read.
    expect(readFileSync(join(folder, 'calls'), 'utf8')).not.toContain(key.toString('base64'))
    forgetKeys()
    expect(openSecret({ root }, 'a', sealed)).toBe('the token')
    // Once it is there, the next start leaves it.
    const before = readFileSync(file(), 'utf8')
    expect(prepareKey({ root }, keychain)).toBeNull()
    expect(readFileSync(file(), 'utf8')).toBe(before)
  })

  test('a keychain that cannot be used leaves the key in its file, and says why', () => {
    const sealed = sealSecret({ root }, 'a', 'the token')
    fakeKeychain('locked')
    expect(prepareKey({ root }, keychain)).toMatch(/stays in .*secret\.key.*D-Bus/)
    vi.stubEnv('PATH', root)
    expect(prepareKey({ root }, keychain)).toMatch(/not installed/)
    expect(openSecret({ root }, 'a', sealed)).toBe('the token')
    const config = { ...loadConfig({ home: root }, {}), ...keychain }
    expect(checkSecrets(config)).toMatchObject({
      state: 'warning',
      mend: expect.stringContaining('libsecret') as string,
    })
  })

  test('a keychain that is locked later is named, and no new key is made', () => {
    fakeKeychain()
    prepareKey({ root }, keychain)
    const sealed = sealSecret({ root }, 'a', 'the token')
    forgetKeys()
    fakeKeychain('locked')
    expect(() => openSecret({ root }, 'a', sealed)).toThrow(/in the keychain of this user \(libsecret\)/)
  })
})

describe('in a file that is handed over', () => {
  test('a key is used, and none is made in the home', () => {
    const given = join(root, 'given.key')
    writeFileSync(given, Buffer.alloc(32, 7), { mode: 0o600 })
    prepareKey({ root }, { ...plain, secretKeyFile: given })
    const sealed = sealSecret({ root }, 'a', 'the token')
    expect(existsSync(file())).toBe(false)
    forgetKeys()
    // To look does not make one.
    expect(() => openSecret({ root }, 'a', sealed)).toThrow(/is not here. Put secret.key back/)
    expect(existsSync(file())).toBe(false)
    prepareKey({ root }, { ...plain, secretKeyFile: given })
    expect(openSecret({ root }, 'a', sealed)).toBe('the token')
    expect(whereKeyIs({ root }, { secretKeyFile: given })).toBe(given)
  })

  test('what is no key, or another than the home has, is refused', () => {
    const given = join(root, 'given.key')
    const settings = { ...plain, secretKeyFile: given }
    expect(prepareKey({ root }, settings)).toMatch(/names is not there/)
    writeFileSync(given, 'too short')
    expect(prepareKey({ root }, settings)).toMatch(/not a key/)
    expect(() => sealSecret({ root }, 'a', 'the token')).toThrow(/not a key/)
    prepareKey({ root }, plain)
    sealSecret({ root }, 'a', 'the token')
    forgetKeys()
    writeFileSync(given, Buffer.alloc(32, 7))
    expect(prepareKey({ root }, settings)).toMatch(/another key than/)
    expect(() => openSecret({ root }, 'a', sealSecret({ root }, 'a', 'b'))).toThrow(/another key than/)
  })
})

test('the doctor names a key file that others may read', () => {
  if (process.platform === 'win32') return
  sealSecret({ root }, 'a', 'the token')
  const config = loadConfig({ home: root }, {})
  expect(checkSecrets(config)).toMatchObject({ state: 'ok' })
  chmodSync(file(), 0o644)
  expect(checkSecrets(config)).toMatchObject({ state: 'warning', mend: `chmod 600 "${file()}"` })
})
