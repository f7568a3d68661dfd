/**
 * Bundles for computers without internet: a folder with the application, models, a list of checksums and, if signed, a
 * signature of that list. The packager writes them (resources/package/air-gap.ts); installing models reads them.
 */
import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../server/contract/errors.ts'
import { sha256OfFile } from './installed.ts'

export const CHECKSUMS_FILE = 'SHA256SUMS'
/** 64 bytes: Ed25519 over the bytes of CHECKSUMS_FILE. */
export const SIGNATURE_FILE = 'SHA256SUMS.sig'
export const MODELS_FOLDER = 'models'

/** Parses a checksum list into a map from path inside the bundle (with slashes) to SHA-256. Throws Error on a bad line. */
export function parseChecksums(text: string): ReadonlyMap<string, string> {
  const sums = new Map<string, string>()
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, sha256, path] = /^([0-9a-f]{64}) {2}((?!\/)[^\0\\]+)$/.exec(line) ?? []
    if (sha256 === undefined || path === undefined || path.split('/').some((part) => /^\.{0,2}$/.test(part)))
      throw new Error(`${CHECKSUMS_FILE} has a line that is no checksum: ${line.slice(0, 80)}`)
    sums.set(path, sha256)
  }
  return sums
}

/** Formats a sorted checksum list that `sha256sum -c` can read. */
export function formatChecksums(sums: ReadonlyMap<string, string>): string {
  return [...sums.keys()]
    .sort()
    .map((path) => `${sums.get(path) ?? ''}  ${path}\n`)
    .join('')
}

/** The folder that holds the bundle: `root` itself, or the only folder in it; null when neither does. */
export async function findBundleFolder(root: string): Promise<string | null> {
  const inner = (await readdir(root, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const only = inner.length === 1 ? inner[0]?.name : undefined
  for (const folder of [root, ...(only === undefined ? [] : [join(root, only)])]) {
    const there = await Promise.all(
      [CHECKSUMS_FILE, MODELS_FOLDER].map((name) => stat(join(folder, name)).catch(() => null)),
    )
    if (there[0]?.isFile() === true && there[1]?.isDirectory() === true) return folder
  }
  return null
}

/**
 * Verifies the models of a bundle by its checksum list, and the list by its signature when a key is given. Throws
 * MODEL_NOT_INSTALLED when the signature does not fit or a file is changed, missing or not listed; throws CANCELLED.
 */
export async function verifyBundle(
  folder: string,
  publicKey: KeyObject | null,
  signal?: AbortSignal,
): Promise<void> {
  const list = await readFile(join(folder, CHECKSUMS_FILE))
  if (publicKey !== null) await checkSignature(folder, list, publicKey)
  const sums = read(list)
  const expected = [...sums].filter(([path]) => path.startsWith(`${MODELS_FOLDER}/`))
  for (const [path, sha256] of expected) {
    const found = await sha256OfFile(join(folder, ...path.split('/')), signal).catch(() => null)
    if (signal?.aborted === true) throw new AppError('CANCELLED')
    if (found === null) throw refused(`${path} is missing from the bundle`)
    if (found !== sha256) throw refused(`${path} does not match ${CHECKSUMS_FILE}: it was damaged or changed`)
  }
  for (const entry of await readdir(join(folder, MODELS_FOLDER), { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue
    const path = join(entry.parentPath, entry.name)
      .slice(folder.length + 1)
      .split('\\')
      .join('/')
    if (!sums.has(path)) throw refused(`${path} is in the bundle but not in ${CHECKSUMS_FILE}`)
  }
}

function read(list: Buffer): ReadonlyMap<string, string> {
  try {
    return parseChecksums(list.toString('utf8'))
  } catch (cause) {
    throw refused(cause instanceof Error ? cause.message : `${CHECKSUMS_FILE} cannot be read`, cause)
  }
}

async function checkSignature(folder: string, list: Buffer, publicKey: KeyObject): Promise<void> {
  const signature = await readFile(join(folder, SIGNATURE_FILE)).catch(() => null)
  if (signature === null) throw refused(`it is not signed: there is no ${SIGNATURE_FILE}`)
  if (!verify(null, list, publicKey, signature)) {
    const print = createHash('sha256')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest('hex')
    throw refused(`it is not signed by the key given (SHA-256 of the key: ${print.slice(0, 16)})`)
  }
}

/** Reads an Ed25519 public key from a PEM file. Throws INVALID_CONFIGURATION when the file holds none. */
export async function readPublicKey(file: string): Promise<KeyObject> {
  try {
    const key = createPublicKey(await readFile(file))
    if (key.asymmetricKeyType === 'ed25519') return key
    throw new Error(`the key is of the type ${key.asymmetricKeyType ?? 'unknown'}`)
  } catch (cause) {
    throw new AppError('INVALID_CONFIGURATION', {
      message: `${file} is not an Ed25519 public key (PEM): ${cause instanceof Error ? cause.message : 'it cannot be read'}.`,
      cause,
    })
  }
}

function refused(why: string, cause?: unknown): AppError {
  return new AppError('MODEL_NOT_INSTALLED', { message: `Nothing was installed: ${why}.`, cause })
}
