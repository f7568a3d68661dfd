/**
 * The operating system's keychain, through the program that each system has for it. The key is passed through a pipe,
 * never as an argument, which other users could read. All calls are synchronous: the keychain is used once, at the
 * start.
 */
import { execFileSync } from 'node:child_process'

export type KeychainName = 'libsecret' | 'keychain' | 'dpapi'

/** What is written down instead of the key: where it is. */
export interface StoredKey {
  readonly keychain: KeychainName
  readonly id: string
  /** DPAPI stores nothing itself: the file holds the key, sealed by it. */
  readonly sealed?: string
}

/** A keychain that does not answer: not installed, locked, without a session. */
export interface Unanswered {
  readonly why: string
}

interface Keychain {
  readonly store: (id: string, key: string) => StoredKey
  readonly find: (stored: StoredKey) => string
}

/** A person may have to unlock it first. */
const PATIENCE_MS = 30_000
const SERVICE = 'cutroom'

function runProgram(program: string, args: readonly string[], input = ''): string {
  return execFileSync(program, args, {
    input,
    encoding: 'utf8',
    timeout: PATIENCE_MS,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  }).trim()
}

const powershell = (call: 'Protect' | 'Unprotect', input: string): string => {
  const script = [
    'Add-Type -AssemblyName System.Security',
    '$bytes = [Convert]::FromBase64String([Console]::In.ReadToEnd().Trim())',
    `$done = [Security.Cryptography.ProtectedData]::${call}($bytes, $null, 'CurrentUser')`,
    '[Console]::Out.Write([Convert]::ToBase64String($done))',
  ].join('; ')
  return runProgram('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script], input)
}

const KEYCHAINS: Readonly<Record<KeychainName, Keychain>> = {
  libsecret: {
    store: (id, key) => {
      runProgram('secret-tool', ['store', '--label=Cutroom', 'service', SERVICE, 'home', id], key)
      return { keychain: 'libsecret', id }
    },
    find: ({ id }) => runProgram('secret-tool', ['lookup', 'service', SERVICE, 'home', id]),
  },
  keychain: {
    store: (id, key) => {
      // Read by `security` from its input, so that the key is in no list of processes.
      runProgram('/usr/bin/security', ['-i'], `add-generic-password -U -s ${SERVICE} -a ${id} -w ${key}\n`)
      return { keychain: 'keychain', id }
    },
    find: ({ id }) =>
      runProgram('/usr/bin/security', ['find-generic-password', '-s', SERVICE, '-a', id, '-w']),
  },
  dpapi: {
    store: (id, key) => ({ keychain: 'dpapi', id, sealed: powershell('Protect', key) }),
    find: ({ sealed = '' }) => powershell('Unprotect', sealed),
  },
}

const BY_PLATFORM: Readonly<Partial<Record<NodeJS.Platform, KeychainName>>> = {
  linux: 'libsecret',
  darwin: 'keychain',
  win32: 'dpapi',
}

/** The first line of the error. Never the input: it contains the key. */
function reasonOf(error: unknown): string {
  const { code, stderr } = error as { code?: unknown; stderr?: unknown }
  if (code === 'ENOENT') return 'its program is not installed'
  if (code === 'ETIMEDOUT') return 'it did not answer in time'
  const message = typeof stderr === 'string' ? (stderr.trim().split('\n')[0] ?? '') : ''
  return message === '' ? 'it does not answer' : message.slice(0, 200)
}

/** Stores 32 bytes under this id, and reads them back to verify. */
export function storeInKeychain(
  id: string,
  key: Buffer,
  platform = process.platform,
): StoredKey | Unanswered {
  const name = BY_PLATFORM[platform]
  if (name === undefined) return { why: `no keychain is known on ${platform}` }
  try {
    const stored = KEYCHAINS[name].store(id, key.toString('base64'))
    const found = findInKeychain(stored)
    if (!Buffer.isBuffer(found)) return found
    return found.equals(key) ? stored : { why: 'it does not give back what was put in' }
  } catch (error) {
    return { why: reasonOf(error) }
  }
}

/** Reads the stored key. */
export function findInKeychain(stored: StoredKey): Buffer | Unanswered {
  try {
    const text = KEYCHAINS[stored.keychain].find(stored)
    return text === '' ? { why: 'it does not know the key' } : Buffer.from(text, 'base64')
  } catch (error) {
    return { why: reasonOf(error) }
  }
}

/** Parses a file that refers to a keychain entry; null when it is not such a file. */
export function readStoredKey(bytes: Buffer): StoredKey | null {
  if (bytes[0] !== 0x7b) return null
  try {
    const message = JSON.parse(bytes.toString('utf8')) as Partial<StoredKey>
    const known =
      message.keychain !== undefined &&
      message.keychain in KEYCHAINS &&
      /^[\w-]{1,64}$/.test(message.id ?? '')
    return known ? (message as StoredKey) : null
  } catch {
    // 32 random bytes may begin with a brace.
    return null
  }
}
