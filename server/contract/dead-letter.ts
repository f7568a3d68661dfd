/** Operations of the queue as a person sees them: GET /studio/operations and `cutroom operations list`. */
import { Type, type Static } from '@sinclair/typebox'
import { nullable } from './config-fields.ts'

/** `dead`: failed, worth another try, and nothing was queued after it. The others are the queue's own states. */
export const OPERATION_FILTERS = ['dead', 'queued', 'running', 'succeeded', 'failed', 'cancelled'] as const
export type OperationFilter = (typeof OPERATION_FILTERS)[number]

export const ListedOperation = Type.Object({
  id: Type.String(),
  companyId: Type.String(),
  kind: Type.String({ description: 'run, render, thumbnail; dispatch: a confirmed run that is not started' }),
  /** The run or clip that it is about. */
  subjectId: Type.String(),
  state: Type.String(),
  /** How often it was begun. */
  attempts: Type.Integer(),
  progress: Type.Number(),
  /** Why it failed; null where it did not. */
  failure: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  createdAt: Type.String(),
  updatedAt: Type.String(),
})
export type ListedOperation = Static<typeof ListedOperation>

export const ListedOperations = Type.Object({ operations: Type.Array(ListedOperation) })
export const OperationRetried = Type.Object({
  /** The new operation: the one that failed stays as it is. */
  operationId: Type.String(),
})
export const OperationCancelled = Type.Object({ operationId: Type.String() })
