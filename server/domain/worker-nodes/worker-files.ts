/**
 * Files of worker nodes: what they fetch, what they bring. Everything is named by content; names inside an artefact are
 * held against what an artefact may have, and never lead outside of it. Results are published whole or not at all.
 */
import { createHash } from 'node:crypto'
import { copyFile, link, mkdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ArtefactFile, ArtefactManifest, WorkerResult } from '../../contract/tenant-api/worker.ts'
import { AppError, invalidField, refuse } from '../../contract/errors.ts'
import { storeSource } from '../../../workers/stages/ingest/keep.ts'
import {
  artefactFolder,
  isSummed,
  makeAttemptFolder,
  publishResult,
  readResult,
  readStoredResult,
  RESULT_FILE,
  sha256Of,
  sourcePath,
  type StoredResult,
} from '../../../workers/artefacts.ts'
import { STAGES, type StageName } from '../../../workers/stages/catalog.ts'
import { sha256OfFile } from '../../../models/installed.ts'
import { blobPath, dropBlob, holdingBlobs } from './worker-blobs.ts'
import type { Services } from '../services.ts'

type Deps = Pick<Services, 'config' | 'home' | 'log' | 'store'>

/** A file to send. */
export interface FileToSend {
  readonly path: string
  readonly bytes: number
}

const notThere = (what: string): AppError => new AppError('NOT_FOUND', `There is no such ${what} here.`)

function stageOf(name: string): StageName {
  if (!Object.hasOwn(STAGES, name)) throw notThere('stage')
  return name as StageName
}

const isDigest = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** The stored file with this content. Throws NOT_FOUND. */
export async function sourceToSend({ home }: Deps, digest: string): Promise<FileToSend> {
  if (!isDigest(digest)) throw notThere('file')
  const path = sourcePath(home.sources, digest)
  const found = await stat(path).catch(() => null)
  if (found?.isFile() !== true) throw notThere('file')
  return { path, bytes: found.size }
}

/**
 * Hashing a large result takes seconds, and several nodes request the same one. Keyed by the file's identity, because a
 * result that is made again has other files.
 */
const known = new Map<string, Promise<ArtefactManifest>>()
const MAX_KNOWN = 2000

/** What a result consists of. NOT_FOUND. */
export async function artefactManifest(
  { home }: Deps,
  address: { stage: string; key: string },
): Promise<ArtefactManifest> {
  const stage = stageOf(address.stage)
  const { key } = address
  if (!isDigest(key)) throw notThere('result')
  const folder = artefactFolder(home.artefacts, stage, key)
  // Before it is read, so that a result that is replaced meanwhile is cached under a key that is not used again.
  const standing = await standingOf(folder)
  const stored = await readResult(home.artefacts, { stage, version: STAGES[stage].version, key })
  if (stored === null) throw notThere('result')
  if (standing === null) return describe(folder, stored)
  const hashed = known.get(standing) ?? describe(folder, stored)
  known.set(standing, hashed)
  hashed.catch(() => known.delete(standing))
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value ?? '')
  return hashed
}

/** Identifies the result that is in this folder now; null: there is none. */
async function standingOf(folder: string): Promise<string | null> {
  const found = await stat(join(folder, RESULT_FILE), { bigint: true }).catch(() => null)
  return found === null ? null : [folder, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ')
}

async function describe(folder: string, { stage, key, files }: StoredResult): Promise<ArtefactManifest> {
  const described: ArtefactFile[] = []
  for (const listed of [...files, { path: RESULT_FILE, bytes: 0 }]) {
    const file = join(folder, listed.path)
    const found = await stat(file).catch(() => null)
    // In the store alone: nobody fetches it from here.
    const sha256 = found === null ? sha256Of(listed) : await sha256OfFile(file)
    described.push({
      path: listed.path,
      bytes: found?.size ?? listed.bytes,
      sha256: sha256 ?? '0'.repeat(64),
    })
  }
  return { stage, key, files: described }
}

/** The file at this place in the manifest. NOT_FOUND. */
export async function artefactFileToSend(
  services: Deps,
  address: { stage: string; key: string; index: string },
): Promise<FileToSend> {
  const { stage, key, files } = await artefactManifest(services, address)
  const file = /^\d{1,6}$/.test(address.index) ? files[Number(address.index)] : undefined
  if (file === undefined) throw notThere('file')
  return {
    path: join(artefactFolder(services.home.artefacts, stageOf(stage), key), file.path),
    bytes: file.bytes,
  }
}

/** Whether a name stays inside its folder on every system: plain parts, no `..`, not absolute. */
export function isPlainPath(path: string): boolean {
  const parts = path.split('/')
  return (
    parts.length <= 8 &&
    parts.every((part) => /^[\w][\w.@+-]{0,127}$/.test(part) && !part.endsWith('.')) &&
    !/[\\:\0]/.test(path)
  )
}

/**
 * Publishes a result of a node, from files that it has brought (worker-blobs.ts). False: the same result was here
 * already. VALIDATION_FAILED for anything that is not as it should be; nothing is published then.
 */
export function publishFromNode(services: Deps, given: WorkerResult): Promise<{ published: boolean }> {
  const brought = [...given.files, ...given.sources].map(({ sha256 }) => sha256)
  return holdingBlobs(brought, () => publish(services, given))
}

async function publish(services: Deps, given: WorkerResult): Promise<{ published: boolean }> {
  const { home, log } = services
  const stage = stageOf(given.stage)
  const identity = { stage, version: STAGES[stage].version, key: given.key }
  const before = await readResult(home.artefacts, identity)
  if (before === null) {
    const paths = given.files.map(({ path }) => path)
    const odd = paths.find((path) => !isPlainPath(path))
    if (odd !== undefined) throw invalidField('files', `A result cannot have a file "${odd}".`)
    if (new Set(paths).size < paths.length) throw invalidField('files', 'A file is named twice.')
    const { text, result } = await readBrought(services, given, identity)
    for (const { sha256, bytes } of given.sources) await storeDeliveredFile(services, sha256, bytes)
    if (given.result === undefined) await publishBrought(services, given, result)
    else await requireStore(services).takeResult({ stored: result, text })
    log.info('a result of a worker node was published', { stage, content: given.key, node: given.node })
  }
  for (const { sha256 } of [...given.files, ...given.sources]) await dropBlob(services, sha256)
  return { published: before === null }
}

async function publishBrought(services: Deps, given: WorkerResult, result: StoredResult): Promise<void> {
  const { stage, version, key, output, warnings, milliseconds } = result
  const folder = await assemble(services, given.files)
  try {
    await publishResult(services.home.artefacts, folder, {
      stage,
      version,
      key,
      output,
      warnings,
      milliseconds,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const requireStore = ({ store }: Deps) =>
  store ?? refuse('INVALID_STATE', 'There is no store here that the files could be in; bring them.')

/** The node's own result.json, held against what is published. */
async function readBrought(
  services: Deps,
  given: WorkerResult,
  identity: { stage: StageName; version: number; key: string },
): Promise<{ text: string; result: StoredResult }> {
  const file = given.files.find(({ path }) => path === RESULT_FILE)
  if (file === undefined) throw invalidField('files', `${RESULT_FILE} is missing.`)
  const text = given.result ?? (await readFile(await blobPath(services, file.sha256), 'utf8'))
  if (createHash('sha256').update(text).digest('hex') !== file.sha256)
    throw invalidField('files', `${RESULT_FILE} is damaged.`)
  const stored = readStoredResult(text)
  if (stored === null || !isSummed(stored))
    throw invalidField('files', `${RESULT_FILE} is not the result of a stage.`)
  const same = (['stage', 'version', 'key'] as const).every((name) => stored[name] === identity[name])
  if (!same) throw invalidField('files', `${RESULT_FILE} is of another task.`)
  const sizes = new Map(given.files.map(({ path, bytes }) => [path, bytes]))
  const complete =
    stored.files.length === given.files.length - 1 &&
    stored.files.every(({ path, bytes }) => sizes.get(path) === bytes)
  if (!complete) throw invalidField('files', `The files are not those of ${RESULT_FILE}.`)
  const named = JSON.stringify(stored.output)
  if (!given.sources.every(({ sha256 }) => named.includes(`"${sha256}"`)))
    throw invalidField('sources', 'A kept file is none that the result names.')
  return { text, result: stored }
}

/** A temporary folder with the files in their places; publishResult writes result.json. */
async function assemble(services: Deps, files: readonly ArtefactFile[]): Promise<string> {
  const folder = await makeAttemptFolder(services.home.temporary)
  try {
    for (const { path, sha256, bytes } of files) {
      if (path === RESULT_FILE) continue
      const from = await blobPath(services, sha256)
      if ((await stat(from)).size !== bytes)
        throw invalidField('files', `"${path}" has another size than it says.`)
      const to = join(folder, ...path.split('/'))
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      // Two names may have the same content, so it is not moved.
      await link(from, to).catch(() => copyFile(from, to))
    }
    return folder
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function storeDeliveredFile(services: Deps, sha256: string, bytes: number): Promise<void> {
  const { home } = services
  const already = await stat(sourcePath(home.sources, sha256)).catch(() => null)
  if (already?.size === bytes) return
  const from = await blobPath(services, sha256)
  if ((await stat(from)).size !== bytes)
    throw invalidField('sources', 'A kept file has another size than it says.')
  const copy = join(home.temporary, `source-${sha256}-${process.pid}`)
  await rm(copy, { force: true })
  await link(from, copy).catch(() => copyFile(from, copy))
  try {
    await storeSource(home.sources, copy, sha256, bytes)
  } finally {
    await rm(copy, { force: true })
  }
}
