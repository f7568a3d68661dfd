/** What worker nodes read from the store and write there, by addresses for the files of their own task and for nothing else. */
import { sep } from 'node:path'
import type {
  WorkerInputs,
  WorkerUploads,
  WorkerUploadsBegun,
  WorkerUploadsEnd,
  WorkerUploadsEnded,
} from '../../contract/tenant-api/worker.ts'
import { invalidField, refuse } from '../../contract/errors.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { artefactFolder, RESULT_FILE, sha256Of, sourcePath } from '../../../workers/artefacts.ts'
import type { StageName } from '../../../workers/stages/catalog.ts'
import type { HeldTask } from '../../jobs/jobs.ts'
import type { Services } from '../services.ts'
import { ADDRESS_SECONDS, type MediaStore } from '../store/media-store.ts'
import { isPlainPath } from './worker-files.ts'

type Deps = Pick<Services, 'store' | 'home'>

/** What a task works on; with an address for each file where there is a store. Throws NOT_FOUND, STORE_UNAVAILABLE. */
export async function taskInputs({ store }: Deps, _named: unknown, task: HeldTask): Promise<WorkerInputs> {
  if (store?.hasAddresses !== true) return { way: 'appliance', sources: [], results: [] }
  const sources: WorkerInputs['sources'] = []
  for (const sha256 of task.sources)
    sources.push({ sha256, address: await store.addressToRead(sourcePath('sources', sha256)) })
  const results: WorkerInputs['results'] = []
  for (const name of task.results) {
    const [stage = '', key = ''] = name.split('/')
    if (key !== task.key) results.push(await resultInStore(store, stage as StageName, key))
  }
  return { way: 'store', sources, results }
}

async function resultInStore(
  store: MediaStore,
  stage: StageName,
  key: string,
): Promise<WorkerInputs['results'][number]> {
  const found = (await store.describe({ stage, key })) ?? refuse('NOT_FOUND', 'There is no such result here.')
  const folder = artefactFolder('artefacts', stage, key)
  const files: WorkerInputs['results'][number]['files'] = []
  for (const file of found.stored.files) {
    const address = await store.addressToRead(`${folder}/${file.path}`)
    files.push({ path: file.path, bytes: file.bytes, address, ...omitUndefined({ sha256: sha256Of(file) }) })
  }
  return { stage, key, files, result: found.text }
}

const PART_BYTES = 16 * 1024 ** 2
/** Each has an address in the answer. */
const MOST_PARTS = 500

const partBytesOf = (bytes: number): number => Math.max(PART_BYTES, Math.ceil(bytes / MOST_PARTS))

function requireParts({ store }: Deps) {
  if (store?.parts !== undefined) return { store, parts: store.parts }
  return refuse(
    'INVALID_STATE',
    'There is no store here that files are sent to; bring them to the appliance.',
  )
}

/** The name in the store of a file of a result. Throws VALIDATION_FAILED for names that lead elsewhere, and result.json. */
function nameInStore({ stage, key }: { readonly stage: string; readonly key: string }, path: string): string {
  if (!isPlainPath(path) || path === RESULT_FILE)
    throw invalidField('files', `A result cannot be sent a file "${path}".`)
  return [...artefactFolder('artefacts', stage as StageName, key).split(sep), path].join('/')
}

/** Begins files, or goes on with begun ones: addresses for their parts. INVALID_STATE, STORE_UNAVAILABLE. */
export async function beginUploads(services: Deps, given: WorkerUploads): Promise<WorkerUploadsBegun> {
  const { parts } = requireParts(services)
  const files: WorkerUploadsBegun['files'] = []
  for (const { path, bytes, uploadId: begun } of given.files) {
    const name = nameInStore(given, path)
    const uploadId = begun ?? (await parts.begin(name))
    const partBytes = partBytesOf(bytes)
    const addresses: string[] = []
    for (let number = 1; number <= Math.max(1, Math.ceil(bytes / partBytes)); number++)
      addresses.push(await parts.address({ name, uploadId, number, seconds: ADDRESS_SECONDS }))
    files.push({ path, uploadId, partBytes, addresses })
  }
  return { files }
}

/** Puts the parts together, and says where each file is read back. VALIDATION_FAILED where one is not whole. */
export async function endUploads(services: Deps, given: WorkerUploadsEnd): Promise<WorkerUploadsEnded> {
  const { parts, store } = requireParts(services)
  const files: WorkerUploadsEnded['files'] = []
  for (const { path, bytes, uploadId, etags } of given.files) {
    const name = nameInStore(given, path)
    // One that was ended before is there, where the answer was lost.
    const isEnded = await parts.end({ name, uploadId, etags })
    if ((await store.sizeOf(name)) !== bytes)
      throw invalidField(
        'files',
        `"${path}" is not whole in the store${isEnded ? '' : ': its upload is gone'}.`,
      )
    files.push({ path, address: await store.addressToRead(name) })
  }
  return { files }
}
