/**
 * Files of worker nodes: what they fetch, what they bring. Everything is named by content; names inside an artefact are
 * held against what an artefact may have, and never lead outside of it. Results are published whole or not at all.
 */
import { createHash } from 'node:crypto'
import { copyFile, link, mkdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ArtefactFile, ArtefactManifest, WorkerResult } from '../../contract/tenant-api/worker.ts'
import { AppError } from '../../contract/errors.ts'
import { storeSource } from '../../../workers/stages/ingest/keep.ts'
import {
  artefactFolder,
  isStoredResult,
  makeAttemptFolder,
  publishResult,
  readResult,
  RESULT_FILE,
  sourcePath,
  type StoredResult,
} from '../../../workers/artefacts.ts'
import { STAGES, type StageName } from '../../../workers/stages/catalog.ts'
import { sha256OfFile } from '../../../models/installed.ts'
import { blobPath, dropBlob, holdingBlobs } from './worker-blobs.ts'
import type { Services } from '../services.ts'

type Deps = Pick<Services, 'config' | 'home' | 'log'>

/** A file to send. */
export interface FileToSend {
  readonly path: string
  readonly bytes: number
}

const notThere = (what: string): AppError =>
  new AppError('NOT_FOUND', { message: `There is no such ${what} here.` })

function refuse(field: string, message: string): AppError {
  return new AppError('VALIDATION_FAILED', { message, details: { field } })
}

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
 * Hashing a large result takes seconds, and several nodes ask for the same one. By what stands there now: one that was
 * removed and made anew has other files, be it only in how long it took.
 */
const known = new Map<string, Promise<ArtefactManifest>>()
const MAX_KNOWN = 2000

/** What a result consists of. NOT_FOUND. */
export async function artefactManifest(
  { home }: Deps,
  asked: { stage: string; key: string },
): Promise<ArtefactManifest> {
  const stage = stageOf(asked.stage)
  const { key } = asked
  if (!isDigest(key)) throw notThere('result')
  const folder = artefactFolder(home.artefacts, stage, key)
  // Before it is read: one that is exchanged meanwhile is then kept under a name that nobody asks for again.
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

/** The result that lies in this folder now, told from any other that lay there; null: none. */
async function standingOf(folder: string): Promise<string | null> {
  const found = await stat(join(folder, RESULT_FILE), { bigint: true }).catch(() => null)
  return found === null ? null : [folder, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ')
}

async function describe(folder: string, { stage, key, files }: StoredResult): Promise<ArtefactManifest> {
  const described: ArtefactFile[] = []
  for (const path of [...files.map((file) => file.path), RESULT_FILE]) {
    const file = join(folder, path)
    described.push({ path, bytes: (await stat(file)).size, sha256: await sha256OfFile(file) })
  }
  return { stage, key, files: described }
}

/** The file at this place in the manifest. NOT_FOUND. */
export async function artefactFileToSend(
  services: Deps,
  asked: { stage: string; key: string; index: string },
): Promise<FileToSend> {
  const { stage, key, files } = await artefactManifest(services, asked)
  const file = /^\d{1,6}$/.test(asked.index) ? files[Number(asked.index)] : undefined
  if (file === undefined) throw notThere('file')
  return {
    path: join(artefactFolder(services.home.artefacts, stageOf(stage), key), file.path),
    bytes: file.bytes,
  }
}

/** A name that lies inside its folder on every system: plain parts, no way up, nothing absolute. */
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
    if (odd !== undefined) throw refuse('files', `A result cannot have a file "${odd}".`)
    if (new Set(paths).size < paths.length) throw refuse('files', 'A file is named twice.')
    const result = await readBrought(services, given, identity)
    for (const { sha256, bytes } of given.sources) await storeDeliveredFile(services, sha256, bytes)
    const folder = await assemble(services, given.files)
    try {
      await publishResult(home.artefacts, folder, result)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    log.info('a result of a worker node was published', { stage, content: given.key, node: given.node })
  }
  for (const { sha256 } of [...given.files, ...given.sources]) await dropBlob(services, sha256)
  return { published: before === null }
}

/** The node's own result.json, held against what is published. */
async function readBrought(
  services: Deps,
  given: WorkerResult,
  identity: { stage: StageName; version: number; key: string },
): Promise<Omit<StoredResult, 'files'>> {
  const file = given.files.find(({ path }) => path === RESULT_FILE)
  if (file === undefined) throw refuse('files', `${RESULT_FILE} is missing.`)
  const text = await readFile(await blobPath(services, file.sha256), 'utf8')
  if (createHash('sha256').update(text).digest('hex') !== file.sha256)
    throw refuse('files', `${RESULT_FILE} is damaged.`)
  let stored: unknown
  try {
    stored = JSON.parse(text)
  } catch (cause) {
    throw new AppError('VALIDATION_FAILED', { message: `${RESULT_FILE} is not JSON.`, cause })
  }
  if (!isStoredResult(stored)) throw refuse('files', `${RESULT_FILE} is not the result of a stage.`)
  const same = (['stage', 'version', 'key'] as const).every((name) => stored[name] === identity[name])
  if (!same) throw refuse('files', `${RESULT_FILE} is of another task.`)
  const sizes = new Map(given.files.map(({ path, bytes }) => [path, bytes]))
  const complete =
    stored.files.length === given.files.length - 1 &&
    stored.files.every(({ path, bytes }) => sizes.get(path) === bytes)
  if (!complete) throw refuse('files', `The files are not those of ${RESULT_FILE}.`)
  const { output, warnings, milliseconds } = stored
  const named = JSON.stringify(output)
  if (!given.sources.every(({ sha256 }) => named.includes(`"${sha256}"`)))
    throw refuse('sources', 'A kept file is none that the result names.')
  return { ...identity, output, warnings, milliseconds }
}

/** A temporary folder with the files in their places; the publisher writes result.json by itself. */
async function assemble(services: Deps, files: readonly ArtefactFile[]): Promise<string> {
  const folder = await makeAttemptFolder(services.home.temporary)
  try {
    for (const { path, sha256, bytes } of files) {
      if (path === RESULT_FILE) continue
      const from = await blobPath(services, sha256)
      if ((await stat(from)).size !== bytes) throw refuse('files', `"${path}" has another size than it says.`)
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
  if ((await stat(from)).size !== bytes) throw refuse('sources', 'A kept file has another size than it says.')
  const copy = join(home.temporary, `source-${sha256}-${process.pid}`)
  await rm(copy, { force: true })
  await link(from, copy).catch(() => copyFile(from, copy))
  try {
    await storeSource(home.sources, copy, sha256, bytes)
  } finally {
    await rm(copy, { force: true })
  }
}
