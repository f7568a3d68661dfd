/** What worker nodes call: what they must be like, a token that lives on, results to publish. */
import { single } from '../../contract/tenant-api/envelope.ts'
import {
  ArtefactManifest,
  BlobState,
  WorkerInputs,
  WorkerLeaseState,
  WorkerPublished,
  WorkerResult,
  WorkerTake,
  WorkerToken,
  WorkerUploads,
  WorkerUploadsBegun,
  WorkerUploadsEnd,
  WorkerUploadsEnded,
  WorkerWelcome,
} from '../../contract/tenant-api/worker.ts'
import {
  beginUploadsOfNode,
  blobStateForNode,
  endUploadsOfNode,
  inputsForNode,
  manifestForNode,
  publishForNode,
  takeTask,
} from '../../domain/worker-nodes/worker-calls.ts'
import { renewWorkerToken, welcomeNode } from '../../domain/worker-nodes/worker-nodes.ts'
import { serviceRoute } from './declare.ts'

export const workerRoutes = [
  serviceRoute('GET /internal/worker', {
    operationId: 'welcomeWorkerNode',
    summary: 'What a worker node must be like, and where the queue is',
    answer: single(WorkerWelcome),
    success: 'The appliance takes worker nodes',
    errors: ['INVALID_STATE'],
    handle: async (services) => ({ data: await welcomeNode(services) }),
  }),
  serviceRoute('POST /internal/worker/token', {
    operationId: 'renewWorkerToken',
    summary: 'A node’s own token for an hour, and for another one',
    description: 'It opens /internal/worker only, and is renewed for 30 days.',
    answer: single(WorkerToken),
    success: 'A token of the same subject',
    errors: ['INVALID_STATE'],
    handle: async (services, { service }) => ({ data: await renewWorkerToken(services, service) }),
  }),
  serviceRoute('POST /internal/worker/tasks', {
    operationId: 'takeWorkerTask',
    summary: 'Say which task was taken from the queue',
    description:
      'While a node holds a task it may fetch the files that the task works on, and bring its result. For 12 hours at most.',
    body: WorkerTake,
    answer: single(WorkerLeaseState),
    success: 'The task is held',
    errors: ['INVALID_STATE'],
    handle: async (services, { service, body }) => ({ data: await takeTask(services, service, body) }),
  }),
  serviceRoute('GET /internal/worker/tasks/{key}/inputs', {
    operationId: 'getWorkerInputs',
    summary: 'What a task works on, and where it is',
    description:
      'With a store that signs addresses: one for each file, for a quarter of an hour. Asked again, it gives new ones.',
    answer: single(WorkerInputs),
    success: 'The inputs',
    errors: ['NOT_FOUND', 'INVALID_STATE', 'STORE_UNAVAILABLE'],
    handle: async (services, { service, params }) => ({
      data: await inputsForNode(services, service, params),
    }),
  }),
  serviceRoute('GET /internal/worker/artefacts/{stage}/{key}', {
    operationId: 'getArtefact',
    summary: 'The files of a stage’s result',
    description:
      'Each is at /internal/worker/files/artefacts/{stage}/{key}/{index}, by its place in the list.',
    answer: single(ArtefactManifest),
    success: 'The files',
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    handle: async (services, { params, service }) => ({
      data: await manifestForNode(services, service, params),
    }),
  }),
  serviceRoute('GET /internal/worker/blobs/{sha256}', {
    operationId: 'getBlobState',
    summary: 'How much of a file was brought',
    description: 'PUT /internal/worker/files/blobs/{sha256} with Content-Range goes on from there.',
    answer: single(BlobState),
    success: 'How much is here',
    errors: ['VALIDATION_FAILED', 'INVALID_STATE'],
    handle: async (services, { params, service }) => ({
      data: await blobStateForNode(services, service, params.sha256),
    }),
  }),
  serviceRoute('POST /internal/worker/uploads', {
    operationId: 'beginWorkerUploads',
    summary: 'Send files of a result to the store',
    description:
      'Answers an address for each part of each file, for a quarter of an hour. Asked again with the ids, it gives new ones.',
    body: WorkerUploads,
    answer: single(WorkerUploadsBegun),
    success: 'Where the parts go',
    errors: ['VALIDATION_FAILED', 'INVALID_STATE', 'STORE_UNAVAILABLE'],
    handle: async (services, { body, service }) => ({
      data: await beginUploadsOfNode(services, service, body),
    }),
  }),
  serviceRoute('POST /internal/worker/uploads/end', {
    operationId: 'endWorkerUploads',
    summary: 'All parts are in the store',
    description: 'Answers where each file is read back: a result is published once that is what was made.',
    body: WorkerUploadsEnd,
    answer: single(WorkerUploadsEnded),
    success: 'The files are in the store',
    errors: ['VALIDATION_FAILED', 'INVALID_STATE', 'STORE_UNAVAILABLE'],
    handle: async (services, { body, service }) => ({
      data: await endUploadsOfNode(services, service, body),
    }),
  }),
  serviceRoute('POST /internal/worker/results', {
    operationId: 'publishWorkerResult',
    summary: 'Publish the result of a stage from files that were brought, or put in the store',
    body: WorkerResult,
    answer: single(WorkerPublished),
    success: 'The result is published',
    errors: ['NOT_FOUND', 'INVALID_STATE', 'STORE_UNAVAILABLE'],
    handle: async (services, { body, service }) => ({ data: await publishForNode(services, service, body) }),
  }),
]
