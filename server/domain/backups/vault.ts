/**
 * Pieces of backups, named by their content: what is there already is not written again, and what was damaged is noticed
 * when it is read. With a key they are sealed (AES-256-GCM), and their names tell nothing of their content (HMAC).
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  scryptSync,
} from 'node:crypto'
import { readFileSync } from 'node:fs'
import { AppError } from '../../contract/errors.ts'
import type { BackupStore } from './store.ts'
import { damaged, readHead, writeHead, type Head } from './vault-head.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

interface Keys {
  readonly name: Buffer
  readonly seal: Buffer
}

export interface Vault {
  readonly id: string
  readonly sealed: boolean
  readonly store: BackupStore
  /** Stores a piece unless it is there; answers its name. */
  readonly save: (bytes: Uint8Array) => Promise<{ readonly name: string; readonly isNew: boolean }>
  /** A piece of `save`. Throws INVALID_STATE where it is missing or damaged. */
  readonly load: (name: string) => Promise<Buffer>
  /** Under a name of one's own; replaced where it is there. */
  readonly saveAs: (name: string, bytes: Uint8Array) => Promise<void>
  readonly loadFrom: (name: string) => Promise<Buffer>
  /** Removes a piece of `save`. */
  readonly forget: (name: string) => Promise<void>
  /** The name that a piece has, whether it is there or not. */
  readonly nameOf: (bytes: Uint8Array) => string
  /** Notes that a piece is missing or damaged, so that the next backup stores it anew. */
  readonly suspect: (name: string) => Promise<void>
  /** Looks at what is there. Answers whether a piece is, and none that was suspected; `save` stores those anew. */
  readonly survey: () => Promise<(name: string) => boolean>
  /** Writes what says whose backups these are where it is missing or was changed. */
  readonly renewHead: () => Promise<void>
}

/** Folder of the pieces in the store. */
export const PIECES = 'pieces'
/** Folder of notes: a name here is that of a piece which was found missing or damaged. */
const SUSPECTS = 'suspects'
export const pieceName = (digest: string): string => `${PIECES}/${digest.slice(0, 2)}/${digest}`

const keyTrouble = (message: string, cause?: unknown): AppError =>
  new AppError('INVALID_CONFIGURATION', { message, cause })

function deriveKeys(keyFile: string, salt: string): Keys {
  let secret: Buffer
  try {
    secret = readFileSync(keyFile)
  } catch (cause) {
    throw keyTrouble(
      `The key of the backups, ${keyFile}, cannot be read: ${(cause as Error).message}.`,
      cause,
    )
  }
  const text = secret.toString('latin1').trim()
  if (text.length < 16)
    throw keyTrouble(`The key of the backups, ${keyFile}, has to have 16 characters at least.`)
  const bytes = scryptSync(text, Buffer.from(salt, 'base64'), 2 * KEY_BYTES, {
    N: 2 ** 15,
    r: 8,
    p: 1,
    maxmem: 2 ** 26,
  })
  return { name: bytes.subarray(0, KEY_BYTES), seal: bytes.subarray(KEY_BYTES) }
}

function seal(keys: Keys | null, bytes: Uint8Array): Uint8Array {
  if (keys === null) return bytes
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keys.seal, nonce)
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Throws where the bytes are not what was sealed with this key. */
function unseal(keys: Keys | null, bytes: Buffer): Buffer {
  if (keys === null) return bytes
  const decipher = createDecipheriv('aes-256-gcm', keys.seal, bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
}

const digestOf = (keys: Keys | null, bytes: Uint8Array): string =>
  (keys === null ? createHash('sha256') : createHmac('sha256', keys.name)).update(bytes).digest('hex')

const PROOF = Buffer.from('cutroom backups')

function keysOf(store: BackupStore, head: Head, keyFile: string | null): Keys | null {
  if (head.salt === null || head.proof === null) {
    if (keyFile === null) return null
    throw keyTrouble(
      `The backups at ${store.place} were begun without a key. Begin others in an empty folder, or take CUTROOM_BACKUP_KEY_FILE away.`,
    )
  }
  if (keyFile === null)
    throw keyTrouble(`The backups at ${store.place} are sealed: name their key by CUTROOM_BACKUP_KEY_FILE.`)
  const keys = deriveKeys(keyFile, head.salt)
  try {
    unseal(keys, Buffer.from(head.proof, 'base64'))
  } catch (cause) {
    throw keyTrouble(`${keyFile} is not the key of the backups at ${store.place}.`, cause)
  }
  return keys
}

/** Begins backups at a place that has none. */
export async function beginVault(
  store: BackupStore,
  { id, keyFile }: { readonly id: string; readonly keyFile: string | null },
): Promise<Vault> {
  const salt = keyFile === null ? null : randomBytes(16).toString('base64')
  const keys = keyFile === null || salt === null ? null : deriveKeys(keyFile, salt)
  const proof = keys === null ? null : Buffer.from(seal(keys, PROOF)).toString('base64')
  const head: Head = { version: 1, id, salt, proof }
  await writeHead(store, head)
  return vaultOf(store, head, keys)
}

/**
 * The backups that lie at a place; null: none were begun there. Throws INVALID_CONFIGURATION for a key that does not fit,
 * INVALID_STATE, BACKUP_UNAVAILABLE.
 */
export async function openVault(store: BackupStore, keyFile: string | null): Promise<Vault | null> {
  const head = await readHead(store)
  if (head === null) return null
  return vaultOf(store, head, keysOf(store, head, keyFile))
}

function vaultOf(store: BackupStore, head: Head, keys: Keys | null): Vault {
  /** Pieces that this process has seen here, and has not removed. */
  const known = new Set<string>()
  let suspects = new Set<string>()
  return {
    id: head.id,
    sealed: keys !== null,
    store,
    save: async (bytes) => {
      const name = digestOf(keys, bytes)
      if (known.has(name) && !suspects.has(name)) return { name, isNew: false }
      const isNew = suspects.has(name) || !(await store.keep(pieceName(name)))
      if (isNew) await store.put(pieceName(name), seal(keys, bytes))
      if (suspects.has(name)) {
        await store.remove(`${SUSPECTS}/${name}`)
        suspects.delete(name)
      }
      known.add(name)
      return { name, isNew }
    },
    load: async (name) => {
      const bytes = await opened(store, keys, pieceName(name))
      if (digestOf(keys, bytes) !== name) throw damaged(store, `piece ${name.slice(0, 12)} was changed`)
      return bytes
    },
    saveAs: (name, bytes) => store.put(name, seal(keys, bytes)),
    loadFrom: (name) => opened(store, keys, name),
    forget: async (name) => {
      known.delete(name)
      await store.remove(pieceName(name))
      await store.remove(`${SUSPECTS}/${name}`)
    },
    nameOf: (bytes) => digestOf(keys, bytes),
    suspect: (name) => store.put(`${SUSPECTS}/${name}`, new Uint8Array()),
    survey: async () => {
      const lastParts = async (folder: string): Promise<Set<string>> =>
        new Set((await store.list(folder)).map((path) => path.slice(path.lastIndexOf('/') + 1)))
      suspects = await lastParts(SUSPECTS)
      const there = await lastParts(PIECES)
      known.clear()
      return (name) => there.has(name) && !suspects.has(name)
    },
    renewHead: () => writeHead(store, head),
  }
}

async function opened(store: BackupStore, keys: Keys | null, name: string): Promise<Buffer> {
  const bytes = await store.get(name)
  if (bytes === null) throw damaged(store, `${name} is missing`)
  try {
    return unseal(keys, bytes)
  } catch (cause) {
    throw damaged(store, `${name} was changed`, cause)
  }
}
