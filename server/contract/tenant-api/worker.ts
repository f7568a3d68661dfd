/** Messages between the appliance and its worker nodes over HTTP; files use /internal/worker/files/. */
import { Type, type Static } from '@sinclair/typebox'
import { Moment } from './envelope.ts'

/** Where files go over HTTP; they are no JSON and in no description. */
export const WORKER_FILES_PATH = '/internal/worker/files/'

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Bytes = Type.Integer({ minimum: 0 })

/** GET /internal/worker: what a node must be like, and where the queue is. */
export const WorkerWelcome = Type.Object(
  {
    applianceId: Type.String(),
    redisUrl: Type.String({ description: 'As the appliance reaches it' }),
    /** Of ffmpeg and ffprobe: a node with another build would make other results. */
    toolsFingerprint: Type.String(),
    /** Stage to version. */
    stages: Type.Record(Type.String(), Type.Integer()),
  },
  { additionalProperties: false },
)
export type WorkerWelcome = Static<typeof WorkerWelcome>

export const WorkerToken = Type.Object(
  { token: Type.String(), expiresAt: Moment },
  { additionalProperties: false },
)
export type WorkerToken = Static<typeof WorkerToken>

/** POST /internal/worker/tasks: a node has taken this task from the queue, under this lock. */
export const WorkerTake = Type.Object(
  { key: Sha256, lock: Type.String({ minLength: 1, maxLength: 300 }) },
  { additionalProperties: false },
)
export type WorkerTake = Static<typeof WorkerTake>

export const WorkerLeaseState = Type.Object({ held: Type.Literal(true) }, { additionalProperties: false })

/** A file of an artefact. `path` is relative, with forward slashes; `result.json` is one of them. */
export const ArtefactFile = Type.Object(
  { path: Type.String({ minLength: 1, maxLength: 300 }), bytes: Bytes, sha256: Sha256 },
  { additionalProperties: false },
)
export type ArtefactFile = Static<typeof ArtefactFile>

export const ArtefactManifest = Type.Object(
  { stage: Type.String(), key: Sha256, files: Type.Array(ArtefactFile) },
  { additionalProperties: false },
)
export type ArtefactManifest = Static<typeof ArtefactManifest>

/** POST /internal/worker/results: publishes files that were brought before. */
export const WorkerResult = Type.Object(
  {
    stage: Type.String({ minLength: 1, maxLength: 100 }),
    key: Sha256,
    files: Type.Array(ArtefactFile, { minItems: 1, maxItems: 20_000 }),
    /** Files that the stage stored in addition to its result: a cover, a fetched picture. */
    sources: Type.Array(Type.Object({ sha256: Sha256, bytes: Bytes }, { additionalProperties: false }), {
      maxItems: 1000,
    }),
    node: Type.String({ minLength: 1, maxLength: 200 }),
  },
  { additionalProperties: false },
)
export type WorkerResult = Static<typeof WorkerResult>

export const WorkerPublished = Type.Object(
  { published: Type.Boolean({ description: 'False: the same result was there already' }) },
  { additionalProperties: false },
)

/** Bytes of a file that have been received: the upload resumes there. */
export const BlobState = Type.Object({ have: Bytes, whole: Type.Boolean() }, { additionalProperties: false })
export type BlobState = Static<typeof BlobState>
