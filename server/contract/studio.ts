/** Routes under /studio/: the studio's own, not part of either public contract. */
import { Type, type Static } from '@sinclair/typebox'
import { ScoreReason } from './clip-candidate.ts'
import { RoleSchema } from './people.ts'
import { BasicClip } from './public-clip.ts'
import { RunStatus } from './run.ts'
import { closedObject, nullable } from './config-fields.ts'

export const StudioSession = Type.Object({
  companyId: Type.String(),
  companies: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
  version: Type.String(),
  /** Null for an API key. */
  person: nullable(Type.Object({ id: Type.String(), name: Type.String(), role: RoleSchema })),
})
export type StudioSession = Static<typeof StudioSession>

export const StudioRunRequest = closedObject({
  companyId: Type.Optional(Type.String({ minLength: 1 })),
  workflowId: Type.String({ minLength: 1 }),
  uploadId: Type.Optional(Type.String({ minLength: 1 })),
  url: Type.Optional(Type.String({ minLength: 1, maxLength: 8192 })),
  /** The video that comes with the appliance. */
  sample: Type.Optional(Type.Literal(true)),
  nodeConfigs: Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()))),
})
export type StudioRunRequest = Static<typeof StudioRunRequest>

export const StudioRunStarted = Type.Object({ triggerId: Type.String() })

export const StudioRun = Type.Object({
  id: Type.String(),
  workflowId: Type.String(),
  workflowName: Type.String(),
  /** The address or the file's name, for people. */
  source: Type.String(),
  status: RunStatus,
  progress: Type.Number(),
  stage: Type.String(),
  warnings: Type.Array(Type.String()),
  error: nullable(Type.String()),
  errorCode: nullable(Type.String()),
  clipCount: Type.Integer(),
  createdAt: Type.String(),
  finishedAt: nullable(Type.String()),
})
export type StudioRun = Static<typeof StudioRun>

export const StudioRuns = Type.Object({ runs: Type.Array(StudioRun) })

export const StudioClip = Type.Intersect([
  BasicClip,
  Type.Object({
    runId: nullable(Type.String()),
    whyPicked: Type.String(),
    scoreReasons: Type.Array(ScoreReason),
    createdAt: Type.String(),
  }),
])
export type StudioClip = Static<typeof StudioClip>
export const StudioClips = Type.Object({ clips: Type.Array(StudioClip) })

export const UploadStored = Type.Object({
  uploadId: Type.String(),
  bytes: Type.Integer(),
  name: Type.String(),
})
export type UploadStored = Static<typeof UploadStored>
