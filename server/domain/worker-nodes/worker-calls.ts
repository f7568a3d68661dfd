/**
 * What a worker node fetches and delivers: the inputs of the tasks that it holds, and their results. Every call throws
 * INVALID_STATE, always with the same message, where the node holds no such task.
 */
import type {
  WorkerResult,
  WorkerTake,
  WorkerUploads,
  WorkerUploadsEnd,
} from '../../contract/tenant-api/worker.ts'
import type { ServiceIdentity } from '../access/service-tokens.ts'
import type { Services } from '../services.ts'
import { blobState, receiveBlob } from './worker-blobs.ts'
import { artefactFileToSend, artefactManifest, publishFromNode, sourceToSend } from './worker-files.ts'
import { beginUploads, endUploads, taskInputs } from './worker-store.ts'
import { AppError } from '../../contract/errors.ts'
import type { HeldTask } from '../../jobs/jobs.ts'

/** A node as its token identifies it; nodes of an outside provider differ by their subjects. */
export const holderOf = ({
  issuer,
  subject,
  node,
}: Pick<ServiceIdentity, 'issuer' | 'subject' | 'node'>): string =>
  JSON.stringify([issuer, subject, node?.id ?? null])

/** INVALID_STATE when the task is not out (yet, after a restart), or the queue does not know that lock. */
export async function takeTask(
  { jobs }: Pick<Services, 'jobs'>,
  service: ServiceIdentity,
  named: WorkerTake,
): Promise<{ held: true }> {
  if ((await jobs.nodes?.take(holderOf(service), named)) === true) return { held: true }
  throw new AppError('INVALID_STATE', 'This task is not out now, or you do not hold it in the queue.')
}

/** A call that is answered only where the node holds a task that `fits` what it names. */
const whenHeld =
  <Named, Answer>(
    fits: (task: HeldTask, named: Named) => boolean,
    answer: (services: Services, named: Named, task: HeldTask) => Promise<Answer>,
  ) =>
  async (services: Services, service: ServiceIdentity, named: Named): Promise<Answer> => {
    const held = (await services.jobs.nodes?.heldBy(holderOf(service))) ?? []
    const task = held.find((one) => fits(one, named))
    if (task !== undefined) return await answer(services, named, task)
    throw new AppError('INVALID_STATE', 'No task that you hold now has anything to do with this.')
  }

interface ResultAddress {
  readonly stage: string
  readonly key: string
}

/** Whether the task works on that result, or makes it. */
const usesResult = ({ results }: HeldTask, { stage, key }: ResultAddress): boolean =>
  results.has(`${stage}/${key}`)

/** What the task works on, with addresses where there is a store. Throws NOT_FOUND, STORE_UNAVAILABLE. */
export const inputsForNode = whenHeld(
  ({ key }, named: { readonly key: string }) => key === named.key,
  taskInputs,
)

/** The stored file with this content, where a task of the node works on it. Throws NOT_FOUND. */
export const sourceForNode = whenHeld(({ sources }, digest: string) => sources.has(digest), sourceToSend)

/** What a result consists of. NOT_FOUND. */
export const manifestForNode = whenHeld(usesResult, artefactManifest)

/** The file at a place in the list of a result. NOT_FOUND. */
export const artefactFileForNode = whenHeld(usesResult, artefactFileToSend)

/** How much of a file was brought; files come before the result that names them. VALIDATION_FAILED for what is no digest. */
export const blobStateForNode = whenHeld(() => true, blobState)

/** Takes a piece of a file. Throws what receiveBlob does. */
export const receiveFromNode = whenHeld(() => true, receiveBlob)

const makes = (task: HeldTask, { stage, key }: ResultAddress): boolean =>
  task.stage === stage && task.key === key

/** Begins to send files of the task's result to the store. Throws what beginUploads does. */
export const beginUploadsOfNode = whenHeld(makes, (services, given: WorkerUploads) =>
  beginUploads(services, given),
)

/** Ends them. Throws what endUploads does. */
export const endUploadsOfNode = whenHeld(makes, (services, given: WorkerUploadsEnd) =>
  endUploads(services, given),
)

/** Publishes the result of the task from files that were brought. Throws what publishFromNode does. */
export const publishForNode = whenHeld(makes, (services, given: WorkerResult) =>
  publishFromNode(services, given),
)
