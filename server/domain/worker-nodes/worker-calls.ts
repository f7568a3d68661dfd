/**
 * What a worker node fetches and delivers: the inputs of the tasks that it holds, and their results. Every call throws
 * INVALID_STATE, always with the same message, where the node holds no such task.
 */
import type {
  ArtefactManifest,
  BlobState,
  WorkerResult,
  WorkerTake,
} from '../../contract/tenant-api/worker.ts'
import type { ServiceIdentity } from '../access/service-tokens.ts'
import type { Services } from '../services.ts'
import { blobState, receiveBlob, type BlobPiece } from './worker-blobs.ts'
import {
  artefactFileToSend,
  artefactManifest,
  publishFromNode,
  sourceToSend,
  type FileToSend,
} from './worker-files.ts'
import { AppError } from '../../contract/errors.ts'
import type { HeldTask } from '../../jobs/jobs.ts'

/** The stored file with this content. Throws NOT_FOUND. */
export async function sourceForNode(
  services: Services,
  service: ServiceIdentity,
  digest: string,
): Promise<FileToSend> {
  await requireSource(services, service, digest)
  return await sourceToSend(services, digest)
}

/** What a result consists of. NOT_FOUND. */
export async function manifestForNode(
  services: Services,
  service: ServiceIdentity,
  asked: { readonly stage: string; readonly key: string },
): Promise<ArtefactManifest> {
  await requireResult(services, service, asked)
  return await artefactManifest(services, asked)
}

/** The file at a place in the list of a result. NOT_FOUND. */
export async function artefactFileForNode(
  services: Services,
  service: ServiceIdentity,
  asked: { readonly stage: string; readonly key: string; readonly index: string },
): Promise<FileToSend> {
  await requireResult(services, service, asked)
  return await artefactFileToSend(services, asked)
}

/** How much of a file was brought. VALIDATION_FAILED for what is no digest. */
export async function blobStateForNode(
  services: Services,
  service: ServiceIdentity,
  sha256: string,
): Promise<BlobState> {
  await requireAnyTask(services, service)
  return await blobState(services, sha256)
}

/** Takes a piece of a file. Throws what receiveBlob does. */
export async function receiveFromNode(
  services: Services,
  service: ServiceIdentity,
  piece: BlobPiece,
): Promise<BlobState> {
  await requireAnyTask(services, service)
  return await receiveBlob(services, piece)
}

/** Publishes the result of the task from files that were brought. Throws what publishFromNode does. */
export async function publishForNode(
  services: Services,
  service: ServiceIdentity,
  result: WorkerResult,
): Promise<{ published: boolean }> {
  await requireTask(services, service, result)
  return await publishFromNode(services, result)
}

type Deps = Pick<Services, 'jobs'>

/** One node, as its token says; nodes of an outside provider are told apart by their subjects. */
const holderOf = ({ issuer, subject, node }: ServiceIdentity): string =>
  JSON.stringify([issuer, subject, node?.id ?? null])

const notHeld = (): AppError =>
  new AppError('INVALID_STATE', { message: 'No task that you hold now has anything to do with this.' })

/** INVALID_STATE when the task is not out (yet, after a restart), or the queue does not know that lock. */
export async function takeTask(
  { jobs }: Deps,
  service: ServiceIdentity,
  asked: WorkerTake,
): Promise<{ held: true }> {
  if ((await jobs.nodes?.take(holderOf(service), asked)) === true) return { held: true }
  throw new AppError('INVALID_STATE', {
    message: 'This task is not out now, or you do not hold it in the queue.',
  })
}

async function requireHeld(
  { jobs }: Deps,
  service: ServiceIdentity,
  fits: (task: HeldTask) => boolean,
): Promise<void> {
  const held = (await jobs.nodes?.heldBy(holderOf(service))) ?? []
  if (!held.some(fits)) throw notHeld()
}

/** Throws INVALID_STATE unless the stored file is an input of a task that this node holds. */
export const requireSource = (services: Deps, service: ServiceIdentity, digest: string): Promise<void> =>
  requireHeld(services, service, ({ sources }) => sources.has(digest))

/** INVALID_STATE unless a task that this node holds works on that result, or makes it. */
export const requireResult = (
  services: Deps,
  service: ServiceIdentity,
  { stage, key }: { readonly stage: string; readonly key: string },
): Promise<void> => requireHeld(services, service, ({ results }) => results.has(`${stage}/${key}`))

/** Throws INVALID_STATE unless this node holds the task with this result. */
export const requireTask = (
  services: Deps,
  service: ServiceIdentity,
  { stage, key }: { readonly stage: string; readonly key: string },
): Promise<void> => requireHeld(services, service, (task) => task.stage === stage && task.key === key)

/** INVALID_STATE unless this node holds any task: files come before the result that names them. */
export const requireAnyTask = (services: Deps, service: ServiceIdentity): Promise<void> =>
  requireHeld(services, service, () => true)
