/** GET /runs/{runId}. Its clips are at GET /clips?workflowRunId=. */
import { Type, type Static } from '@sinclair/typebox'
import { RUN_STATUSES, type RunStatus } from '../run.ts'
import { Moment, NullableMoment } from './envelope.ts'
import { closedObject, nullable } from '../config-fields.ts'

export const DomainRun = closedObject({
  id: Type.String(),
  workflowId: Type.String(),
  workflowName: Type.String(),
  status: Type.String({ enum: [...RUN_STATUSES] }),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  /** What it is doing, for people; empty when it does nothing. */
  stage: Type.String(),
  warnings: Type.Array(Type.String()),
  /** Only of a run in Error. */
  error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  /** The address as it was given; a file's name where it came from a file. */
  source: Type.String(),
  /** Clips that it made; 0 until it is Completed. */
  clipCount: Type.Integer({ minimum: 0 }),
  channel: Type.String(),
  pipelineVersion: Type.String(),
  createdAt: Moment,
  updatedAt: Moment,
  startedAt: NullableMoment,
  finishedAt: NullableMoment,
})
export type DomainRun = Omit<Static<typeof DomainRun>, 'status'> & { status: RunStatus }
