/** GET /operations/{operationId}: durable work, of whatever kind. GET /runs/{runId}: one run. */
import { ReadyAt } from '../promises.ts'
import { Metadata } from '../metadata.ts'
import { Type, type Static } from '@sinclair/typebox'
import { Moment, NullableMoment } from './envelope.ts'
import { closedObject, describedObject, nullable, oneOf } from '../config-fields.ts'
import { RUN_STATUSES } from '../run.ts'

/** States of every kind of work, in the order in which they come; the last three are ends. */
const WORK_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const

/** A new kind is one more name here and one more reader in domain/read-operation.ts. */
const WORK_KINDS = [
  'run',
  'render',
  'thumbnail',
  'pick',
  'review_copy',
  'export',
  'social_publish',
  'social_cancel',
] as const

export const DomainOperation = closedObject({
  id: Type.String(),
  kind: oneOf(WORK_KINDS),
  state: oneOf(WORK_STATES),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  attempts: Type.Integer({ minimum: 0 }),
  readyAt: Type.Optional(ReadyAt),
  createdAt: Moment,
  updatedAt: Moment,
  result: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Once succeeded; of a render clipId, renderUrl and the warnings of what it lost, of an export clipId, profile, exportUrl and warnings, of a run runId and clipIds, of a post what the platform said',
    }),
  ),
  error: Type.Optional(
    describedObject('Why it failed or was cancelled', {
      code: Type.String(),
      message: Type.String(),
      details: Type.Optional(Type.Unknown()),
    }),
  ),
})
export type DomainOperation = Static<typeof DomainOperation>

export const DomainRun = closedObject({
  id: Type.String(),
  workflowId: Type.String(),
  workflowName: Type.String(),
  status: oneOf(RUN_STATUSES),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  /** What it is doing, for people; empty when it does nothing. */
  stage: Type.String(),
  readyAt: Type.Optional(ReadyAt),
  warnings: Type.Array(Type.String()),
  /** Only of a run in Error. */
  error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  /** The address as it was given; a file's name where it came from a file. */
  source: Type.String(),
  /** The client's own, as the run was started with it. */
  metadata: Metadata,
  /** Clips that it made; 0 until it is Completed. */
  clipCount: Type.Integer({ minimum: 0 }),
  channel: Type.String(),
  pipelineVersion: Type.String(),
  createdAt: Moment,
  updatedAt: Moment,
  startedAt: NullableMoment,
  finishedAt: NullableMoment,
})
export type DomainRun = Static<typeof DomainRun>
