/** GET /operations/{operationId}: durable work, of whatever kind. */
import { Type, type Static } from '@sinclair/typebox'
import { Moment } from './envelope.ts'
import { closedObject } from '../config-fields.ts'

/** States of every kind of work, in the order in which they come; the last three are ends. */
export const WORK_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const

/** A new kind is one more name here and one more reader in domain/read-operation.ts. */
export const WORK_KINDS = ['run', 'render', 'thumbnail', 'social_publish', 'social_cancel'] as const

export const DomainOperation = closedObject({
  id: Type.String(),
  kind: Type.String({ enum: [...WORK_KINDS] }),
  state: Type.String({ enum: [...WORK_STATES] }),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  attempts: Type.Integer({ minimum: 0 }),
  createdAt: Moment,
  updatedAt: Moment,
  result: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Once succeeded; of a render clipId and renderUrl, of a run runId and clipIds, of a post what the platform said',
    }),
  ),
  error: Type.Optional(
    closedObject(
      { code: Type.String(), message: Type.String(), details: Type.Optional(Type.Unknown()) },
      { description: 'Why it failed or was cancelled' },
    ),
  ),
})
export type DomainOperation = Omit<Static<typeof DomainOperation>, 'kind' | 'state'> & {
  kind: (typeof WORK_KINDS)[number]
  state: (typeof WORK_STATES)[number]
}
