/**
 * Secrets at rest: AES-256-GCM with a key that lies beside the database, readable by its owner only. A copy of the
 * database alone gives nothing away; a home without its key must ask for the secrets again.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from './home.ts'

const FORM = 'v1'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const keys = new Map<string, Buffer>()

/** The home's key, made at its first use. Whole or not there at all, whoever else makes it at the same moment. */
function keyOf({ root }: Pick<Home, 'root'>): Buffer {
  const known = keys.get(root)
  if (known !== undefined) return known
  const path = join(root, 'secret.key')
  const made = join(root, `secret.key.${randomBytes(8).toString('hex')}`)
  let key = readKey(path)
  if (key === null) {
    writeFileSync(made, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx', flush: true })
    try {
      linkSync(made, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(made, { force: true })
    }
    key = readKey(path)
  }
  if (key?.length !== KEY_BYTES) throw new Error(`${path} is not a key; remove it to have a new one made`)
  keys.set(root, key)
  return key
}

function readKey(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** A secret as it may be stored. It opens only for the same purpose (`social-token:ID`), so rows cannot be swapped. */
export function sealSecret(home: Pick<Home, 'root'>, purpose: string, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(home), nonce).setAAD(Buffer.from(purpose))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return `${FORM}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`
}

/** What was sealed, or null: another key, another purpose, or altered. */
export function openSecret(home: Pick<Home, 'root'>, purpose: string, stored: string): string | null {
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
