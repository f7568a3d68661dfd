/**
 * Secrets at rest: AES-256-GCM. The key is in a file next to the database that only its owner can read, in the
 * operating system's keychain, or in a file that the service manager provides. A copy of the database alone reveals
 * nothing; a home without its key must ask for the secrets again. How the key is chosen: docs/decisions/0032.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Config } from './config/config.ts'
import { AppError } from './contract/errors.ts'
import type { Db } from './db/client.ts'
import { getSetting, saveSetting, setSetting } from './db/settings.ts'
import { homePaths, type Home } from './home.ts'
import { newId } from './ids.ts'
import { syncFolderNow } from '../workers/sync-folder.ts'
import { evidenceIn, fingerprintOf, KEY_FINGERPRINT, type KeyEvidence } from './key-evidence.ts'
import { findInKeychain, storeInKeychain, readStoredKey } from './keychain.ts'

const FORM = 'v1'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Homes whose key was found and verified. */
const keys = new Map<string, Buffer>()
/** Homes whose key comes from a file outside. */
const handedOver = new Map<string, string>()

type Root = Pick<Home, 'root'>

const keyFile = ({ root }: Root): string => join(root, 'secret.key')

/** Message for callers who need the key. It contains no paths, because API clients read it as well. */
const unavailable = (message: string, cause?: unknown): AppError =>
  new AppError('SECRETS_KEY_UNAVAILABLE', { message, cause })

const OTHERWISE =
  'Where it is lost, stop the appliance, `cutroom secrets renew`, and connect accounts and make webhooks anew'

const missing = (): AppError =>
  unavailable(
    `The key that this home's secrets are sealed with is not here. Put secret.key back into the home, or have CUTROOM_SECRET_KEY_FILE name it. ${OTHERWISE}.`,
  )

const different = (which: string): AppError =>
  unavailable(
    `${which} is another key than the one that this home's secrets are sealed with. Put back the right one. ${OTHERWISE}.`,
  )

/** The home's key; null: nothing was sealed yet. Throws SECRETS_KEY_UNAVAILABLE; the next call tries again. */
function findKey(home: Root): Buffer | null {
  const known = keys.get(home.root)
  if (known !== undefined) return known
  const key = fittingKey(home, homePaths(home.root).database)
  if (key !== null) keys.set(home.root, key)
  return key
}

/** The home's key, which opens what is sealed in a database; null: nothing is. Throws SECRETS_KEY_UNAVAILABLE. */
function fittingKey(home: Root, database: string): Buffer | null {
  const key = storedKey(home)
  const evidence = evidenceIn(database)
  if (key !== null) checkFits(home, key, evidence)
  else if (evidence.fingerprint !== null || evidence.sealed.length > 0) throw missing()
  return key
}

function checkFits(home: Root, key: Buffer, { fingerprint, sealed }: KeyEvidence): void {
  const given = handedOver.has(home.root)
  const which = given ? 'What CUTROOM_SECRET_KEY_FILE names' : 'secret.key in the home'
  if (fingerprint !== null) {
    if (fingerprint !== fingerprintOf(key)) throw different(which)
    return
  }
  // Of a home that is used since before fingerprints were written down.
  if (sealed.some((one) => unseal(key, one.purpose, one.sealed) !== null)) return
  if (sealed.length > 0) throw different(which)
  const own = given ? readIfThere(keyFile(home)) : null
  if (own !== null && !own.equals(key))
    throw unavailable(
      `What CUTROOM_SECRET_KEY_FILE names is another key than secret.key in the home. Move that there to keep the secrets, or remove it to enter them again.`,
    )
}

/** The key, created on first use: of two processes that create it at once, one wins. */
const keyOf = (home: Root): Buffer => findKey(home) ?? makeKey(home)

function makeKey(home: Root): Buffer {
  const path = keyFile(home)
  const made = `${path}.${randomBytes(8).toString('hex')}`
  writeFileSync(made, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(made, path)
    // What is sealed with it is in the database, which is synced.
    syncFolderNow(home.root)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(made, { force: true })
  }
  const key = storedKey(home)
  if (key === null) throw missing()
  keys.set(home.root, key)
  return key
}

/** The content of the key file: the key itself, or the keychain entry that it refers to; null when there is no file. */
function storedKey(home: Root): Buffer | null {
  const given = handedOver.get(home.root)
  if (given !== undefined) return givenKey(given)
  const stored = readIfThere(keyFile(home))
  if (stored === null) return null
  const inKeychain = stored.length === KEY_BYTES ? null : readStoredKey(stored)
  const key = inKeychain === null ? stored : findInKeychain(inKeychain)
  if (!Buffer.isBuffer(key))
    throw unavailable(
      `The key of this home's secrets is in the keychain of this user (${inKeychain?.keychain ?? ''}), and ${key.why}. Unlock it, or start from the desktop session that it belongs to.`,
    )
  if (key.length === KEY_BYTES) return key
  throw unavailable(
    `secret.key in the home is not a key of ${KEY_BYTES} bytes. Put back the right one. ${OTHERWISE}.`,
  )
}

function givenKey(path: string): Buffer {
  const key = readIfThere(path)
  if (key === null)
    throw unavailable(
      'The file that CUTROOM_SECRET_KEY_FILE names is not there. Put it back: the secrets of this home are sealed with the key in it.',
    )
  if (key.length === KEY_BYTES) return key
  throw unavailable(
    `What CUTROOM_SECRET_KEY_FILE names is not a key: it should be a file of ${KEY_BYTES} random bytes.`,
  )
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    throw unavailable(`The key of this home's secrets cannot be read (${code ?? 'unknown'}).`, error)
  }
}

/** Where the key is, for people; null: it is not there. Does not open the keychain. */
export function whereKeyIs(home: Root, { secretKeyFile }: Pick<Config, 'secretKeyFile'>): string | null {
  if (secretKeyFile !== null) return existsSync(secretKeyFile) ? secretKeyFile : null
  const stored = readIfThere(keyFile(home))
  if (stored === null) return null
  const inKeychain = stored.length === KEY_BYTES ? null : readStoredKey(stored)
  return inKeychain === null ? keyFile(home) : `the keychain (${inKeychain.keychain})`
}

/** Defers finding the key until it is needed: most commands never need it. */
export function useKey(home: Root, { secretKeyFile }: Pick<Config, 'secretKeyFile'>): void {
  if (secretKeyFile === null) handedOver.delete(home.root)
  else handedOver.set(home.root, secretKeyFile)
}

/**
 * Uses the key that the settings name. With `secretKey: keychain`, a key in the home is moved to the keychain. Returns
 * a sentence when that fails or the key is not the one that the secrets are sealed with; callers that need no secret
 * continue.
 */
export function prepareKey(home: Root, config: Pick<Config, 'secretKey' | 'secretKeyFile'>): string | null {
  useKey(home, config)
  const trouble = keyTrouble(home)
  if (trouble !== null || config.secretKey === 'file' || config.secretKeyFile !== null) return trouble
  const path = keyFile(home)
  const key = keyOf(home)
  if (readIfThere(path)?.equals(key) !== true) return null
  const inKeychain = storeInKeychain(newId(), key)
  if ('why' in inKeychain)
    return `The key of the secrets stays in ${path}: the keychain cannot be used, for ${inKeychain.why}.`
  const made = `${path}.${randomBytes(8).toString('hex')}`
  writeFileSync(made, JSON.stringify(inKeychain), { mode: 0o600, flag: 'wx', flush: true })
  renameSync(made, path)
  syncFolderNow(home.root)
  return null
}

/** Whether the key is unavailable for now: work that needs a secret then waits instead of failing. */
export const isKeyTrouble = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'SECRETS_KEY_UNAVAILABLE'

/**
 * Why nothing that is sealed can be opened now; null: it can, or nothing is sealed. `database`: of another home, which this
 * one may take over from.
 */
export function keyTrouble(home: Root, database?: string): string | null {
  try {
    if (database === undefined) findKey(home)
    else fittingKey(home, database)
    return null
  } catch (error) {
    if (isKeyTrouble(error)) return error.message
    // Commands that only open the database report its problems themselves.
    if (error instanceof Database.SqliteError) return null
    throw error
  }
}

/** Records which key the home uses once one was used, so that a copy of the database knows what it lacks. */
export function recordKey(home: Root, db: Db): void {
  const key = keys.get(home.root)
  if (key === undefined || getSetting(db, KEY_FINGERPRINT) !== null) return
  saveSetting(db, KEY_FINGERPRINT, fingerprintOf(key))
}

/** Makes the home, which nobody else has open, use its key or a new one; `made`: secrets are lost. */
export function renewKey(home: Root, db: Db): { readonly made: boolean } {
  keys.delete(home.root)
  const stored = storedKey(home)
  const key = stored ?? makeKey(home)
  keys.set(home.root, key)
  setSetting(db, KEY_FINGERPRINT, fingerprintOf(key))
  return { made: stored === null }
}

/** Forgets keys that were read, as a new process has. For tests. */
export function forgetKeys(): void {
  keys.clear()
  handedOver.clear()
}

/** A key for this purpose alone, made from the home's: the same each time. Throws SECRETS_KEY_UNAVAILABLE. */
export const keyFor = (home: Root, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', keyOf(home), '', purpose, KEY_BYTES))

/** A secret as it may be stored. It opens only for the same purpose (`social-token:ID`), so rows cannot be swapped. */
export function sealSecret(home: Root, purpose: string, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(home), nonce).setAAD(Buffer.from(purpose))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return `${FORM}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`
}

/** What was sealed; null: by another key, for another purpose, or altered. Throws SECRETS_KEY_UNAVAILABLE. */
export function openSecret(home: Root, purpose: string, stored: string): string | null {
  if (bytesOf(stored) === null) return null
  const key = findKey(home)
  if (key === null) throw missing()
  return unseal(key, purpose, stored)
}

function bytesOf(stored: string): Buffer | null {
  const [form, data = ''] = stored.split('.')
  const bytes = Buffer.from(data, 'base64url')
  return form === FORM && bytes.length >= NONCE_BYTES + TAG_BYTES ? bytes : null
}

function unseal(key: Buffer, purpose: string, stored: string): string | null {
  const bytes = bytesOf(stored)
  if (bytes === null) return null
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
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
