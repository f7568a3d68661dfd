/** What worker nodes read from the store and write there, by addresses for the files of their own task and for nothing else. */
import type { WorkerInputs } from '../../contract/tenant-api/worker.ts'
import { refuse } from '../../contract/errors.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { artefactFolder, sha256Of, sourcePath } from '../../../workers/artefacts.ts'
import type { StageName } from '../../../workers/stages/catalog.ts'
import type { HeldTask } from '../../jobs/jobs.ts'
import type { Services } from '../services.ts'
import type { MediaStore } from '../store/media-store.ts'

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
