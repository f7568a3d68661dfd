/**
 * Secrets at rest: AES-256-GCM. The key lies beside the database, readable by its owner only, or in the keychain of the
 * operating system, or in a file that the service manager hands over. A copy of the database alone gives nothing away; a
 * home without its key must ask for the secrets again. How it is chosen: docs/decisions/0032.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { AppError } from './contract/errors.ts'
import type { Home } from './home.ts'
import { newId } from './ids.ts'
import { findInKeychain, keepInKeychain, readKeptKey } from './keychain.ts'

const FORM = 'v1'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const keys = new Map<string, Buffer>()

type Root = Pick<Home, 'root'>

const keyFile = ({ root }: Root): string => join(root, 'secret.key')

/** The home's key, made at its first use. Whole or not there at all, whoever else makes it at the same moment. */
function keyOf(home: Root): Buffer {
  const known = keys.get(home.root)
  if (known !== undefined) return known
  const path = keyFile(home)
  const made = `${path}.${randomBytes(8).toString('hex')}`
  let stored = read(path)
  if (stored === null) {
    writeFileSync(made, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx', flush: true })
    try {
      linkSync(made, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(made, { force: true })
    }
    stored = read(path)
  }
  const key = opened(path, stored ?? Buffer.alloc(0))
  keys.set(home.root, key)
  return key
}

/** The key itself, or the one in the keychain that the file tells of. Throws INVALID_CONFIGURATION. */
function opened(path: string, stored: Buffer): Buffer {
  const kept = stored.length === KEY_BYTES ? null : readKeptKey(stored)
  const key = kept === null ? stored : findInKeychain(kept)
  if (!Buffer.isBuffer(key))
    throw new AppError('INVALID_CONFIGURATION', {
      message: `The key of this home's secrets is in the keychain of this user (${kept?.keychain ?? ''}), and ${key.why}. Unlock it, or start from the desktop session that it belongs to.`,
    })
  if (key.length === KEY_BYTES) return key
  const message = `${path} is not a key of ${KEY_BYTES} bytes; put back the right one, or remove it to have a new one made and enter the secrets again.`
  throw new AppError('INVALID_CONFIGURATION', { message })
}

function read(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Where the key is, for people; null: nothing has been sealed yet. Does not open the keychain. */
export function whereKeyIs(home: Root, { secretKeyFile }: Pick<Config, 'secretKeyFile'>): string | null {
  if (secretKeyFile !== null) return secretKeyFile
  const stored = read(keyFile(home))
  if (stored === null) return null
  const kept = stored.length === KEY_BYTES ? null : readKeptKey(stored)
  return kept === null ? keyFile(home) : `the keychain (${kept.keychain})`
}

/**
 * Uses the key that the settings name. With `secretKey: keychain` a key that lies in the home is moved there. A sentence
 * when that cannot be done, and the key stays where it is; throws INVALID_CONFIGURATION for a key file that does not fit.
 */
export function prepareKey(
  home: Root,
  { secretKey, secretKeyFile }: Pick<Config, 'secretKey' | 'secretKeyFile'>,
): string | null {
  if (secretKeyFile !== null) {
    useKeyFile(home, secretKeyFile)
    return null
  }
  if (secretKey === 'file') return null
  const path = keyFile(home)
  const key = keyOf(home)
  if (read(path)?.equals(key) !== true) return null
  const kept = keepInKeychain(newId(), key)
  if ('why' in kept)
    return `The key of the secrets stays in ${path}: the keychain cannot be used, for ${kept.why}.`
  const made = `${path}.${randomBytes(8).toString('hex')}`
  writeFileSync(made, JSON.stringify(kept), { mode: 0o600, flag: 'wx', flush: true })
  renameSync(made, path)
  return null
}

function useKeyFile(home: Root, path: string): void {
  const key = read(path)
  if (key?.length !== KEY_BYTES)
    throw new AppError('INVALID_CONFIGURATION', {
      message: `${path} is not a key: CUTROOM_SECRET_KEY_FILE should name a file of ${KEY_BYTES} random bytes.`,
    })
  const own = read(keyFile(home))
  if (own !== null && !own.equals(key))
    throw new AppError('INVALID_CONFIGURATION', {
      message: `${keyFile(home)} is another key than ${path}. Move it there to keep the secrets, or remove it to enter them again.`,
    })
  keys.set(home.root, key)
}

/** Forgets keys that were read, as a new process has. For tests. */
export function forgetKeys(): void {
  keys.clear()
}

/** A secret as it may be stored. It opens only for the same purpose (`social-token:ID`), so rows cannot be swapped. */
export function sealSecret(home: Root, purpose: string, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(home), nonce).setAAD(Buffer.from(purpose))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return `${FORM}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`
}

/** What was sealed, or null: another key, another purpose, or altered. */
export function openSecret(home: Root, purpose: string, stored: string): string | null {
  const [form, data = ''] = stored.split('.')
  const bytes = Buffer.from(data, 'base64url')
  if (form !== FORM || bytes.length < NONCE_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv('aes-256-gcm', keyOf(home), bytes.subarray(0, NONCE_BYTES))
  decipher.setAAD(Buffer.from(purpose))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    const opened = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]
    return Buffer.concat(opened).toString('utf8')
  } catch {
    // What GCM refuses was not sealed by this key for this purpose, whatever the reason.
    return null
  }
}
