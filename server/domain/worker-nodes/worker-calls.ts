/**
 * What a worker node asks for and brings: each call is answered only where the node holds a task that has to do with it
 * (worker-holds.ts). All of them throw INVALID_STATE where it does not, before anything is looked at.
 */
import type { ArtefactManifest, BlobState, WorkerResult } from '../../contract/tenant-api/worker.ts'
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
import { requireAnyTask, requireResult, requireSource, requireTask } from './worker-holds.ts'

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
