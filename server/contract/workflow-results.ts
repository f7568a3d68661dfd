/** GET /workflow-results/{triggerId}: what a client polls. */
import { Type, type Static } from '@sinclair/typebox'
import { BasicClip } from './public-clip.ts'
import { RunStatus } from './run.ts'
import { nullable } from './config-fields.ts'

const Moment = nullable(Type.String({ description: 'ISO-8601 UTC' }))

export const WorkflowResults = Type.Object({
  status: RunStatus,
  /** Empty until Completed; highest viralityScore first. */
  clips: Type.Array(BasicClip),
  /** Only when the status is Error: a sentence for a person, and the code for a program. */
  error: Type.Optional(Type.String()),
  code: Type.Optional(Type.String()),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  /** What it is doing, for people; empty when it does nothing. */
  stage: Type.String(),
  warnings: Type.Array(Type.String()),
  startedAt: Moment,
  finishedAt: Moment,
})
export type WorkflowResults = Static<typeof WorkflowResults>
