/** Messages between the appliance and its worker nodes over HTTP; files use /internal/worker/files/. */
import { Type, type Static } from '@sinclair/typebox'
import { Moment } from './envelope.ts'
import { closedObject } from '../config-fields.ts'

/** Where files go over HTTP; they are no JSON and in no description. */
export const WORKER_FILES_PATH = '/internal/worker/files/'

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Bytes = Type.Integer({ minimum: 0 })

/** GET /internal/worker: what a node must be like, and where the queue is. */
export const WorkerWelcome = closedObject({
  applianceId: Type.String(),
  redisUrl: Type.String({ description: 'As the appliance reaches it' }),
  /** Of ffmpeg and ffprobe: a node with another build would make other results. */
  toolsFingerprint: Type.String(),
  /** Stage to version. */
  stages: Type.Record(Type.String(), Type.Integer()),
})
export type WorkerWelcome = Static<typeof WorkerWelcome>

export const WorkerToken = closedObject({ token: Type.String(), expiresAt: Moment })
export type WorkerToken = Static<typeof WorkerToken>

/** POST /internal/worker/tasks: a node has taken this task from the queue, under this lock. */
export const WorkerTake = closedObject({ key: Sha256, lock: Type.String({ minLength: 1, maxLength: 300 }) })
export type WorkerTake = Static<typeof WorkerTake>

export const WorkerLeaseState = closedObject({ held: Type.Literal(true) })

/** A file of an artefact. `path` is relative, with forward slashes; `result.json` is one of them. */
export const ArtefactFile = closedObject({
  path: Type.String({ minLength: 1, maxLength: 300 }),
  bytes: Bytes,
  sha256: Sha256,
})
export type ArtefactFile = Static<typeof ArtefactFile>

export const ArtefactManifest = closedObject({
  stage: Type.String(),
  key: Sha256,
  files: Type.Array(ArtefactFile),
})
export type ArtefactManifest = Static<typeof ArtefactManifest>

/** An address opens one object for a quarter of an hour. It is never logged. */
const Address = Type.String({ minLength: 1, maxLength: 4000 })

const InputFile = closedObject({
  path: Type.String({ minLength: 1, maxLength: 300 }),
  bytes: Bytes,
  /** Absent: a large file of an earlier version, which is held against the checks of its result. */
  sha256: Type.Optional(Sha256),
  address: Address,
})

/** GET /internal/worker/tasks/{key}/inputs: what a task that the node holds works on, and where it is. */
export const WorkerInputs = closedObject({
  way: Type.Union([Type.Literal('store'), Type.Literal('appliance')], {
    description: 'From the store by these addresses, or over /internal/worker/files/',
  }),
  sources: Type.Array(closedObject({ sha256: Sha256, address: Address })),
  results: Type.Array(
    closedObject({
      stage: Type.String(),
      key: Sha256,
      files: Type.Array(InputFile),
      result: Type.String({ description: 'The text of its result.json' }),
    }),
  ),
})
export type WorkerInputs = Static<typeof WorkerInputs>

const Uploaded = {
  stage: Type.String({ minLength: 1, maxLength: 100 }),
  key: Sha256,
}
const FilePath = Type.String({ minLength: 1, maxLength: 300 })
const UploadId = Type.String({ minLength: 1, maxLength: 2000 })

/** POST /internal/worker/uploads: files of the result of a task go to the store in parts. */
export const WorkerUploads = closedObject({
  ...Uploaded,
  files: Type.Array(
    closedObject({
      path: FilePath,
      bytes: Bytes,
      /** Of one that was begun, for new addresses. */
      uploadId: Type.Optional(UploadId),
    }),
    { minItems: 1, maxItems: 20_000 },
  ),
})
export type WorkerUploads = Static<typeof WorkerUploads>

export const WorkerUploadsBegun = closedObject({
  files: Type.Array(
    closedObject({
      path: FilePath,
      uploadId: UploadId,
      partBytes: Type.Integer({ minimum: 1 }),
      /** Of its parts in order; one of an empty file. */
      addresses: Type.Array(Address),
    }),
  ),
})
export type WorkerUploadsBegun = Static<typeof WorkerUploadsBegun>

/** POST /internal/worker/uploads/end: all parts are there. */
export const WorkerUploadsEnd = closedObject({
  ...Uploaded,
  files: Type.Array(
    closedObject({
      path: FilePath,
      bytes: Bytes,
      uploadId: UploadId,
      etags: Type.Array(Type.String({ minLength: 1, maxLength: 300, pattern: '^[^<>&]+$' }), { minItems: 1 }),
    }),
    { minItems: 1, maxItems: 20_000 },
  ),
})
export type WorkerUploadsEnd = Static<typeof WorkerUploadsEnd>

export const WorkerUploadsEnded = closedObject({
  /** To read each back: what was put there must be what was made. */
  files: Type.Array(closedObject({ path: FilePath, address: Address })),
})
export type WorkerUploadsEnded = Static<typeof WorkerUploadsEnded>

/** POST /internal/worker/results: publishes files that were brought before. */
export const WorkerResult = closedObject({
  stage: Type.String({ minLength: 1, maxLength: 100 }),
  key: Sha256,
  files: Type.Array(ArtefactFile, { minItems: 1, maxItems: 20_000 }),
  /** Files that the stage stored in addition to its result: a cover, a fetched picture. */
  sources: Type.Array(closedObject({ sha256: Sha256, bytes: Bytes }), { maxItems: 1000 }),
  node: Type.String({ minLength: 1, maxLength: 200 }),
  /** The text of its result.json, where the other files were put in the store. */
  result: Type.Optional(Type.String()),
})
export type WorkerResult = Static<typeof WorkerResult>

export const WorkerPublished = closedObject({
  published: Type.Boolean({ description: 'False: the same result was there already' }),
})

/** Bytes of a file that have been received: the upload resumes there. */
export const BlobState = closedObject({ have: Bytes, whole: Type.Boolean() })
export type BlobState = Static<typeof BlobState>
