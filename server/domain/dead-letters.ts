/** Operations for a person to see, above all those that were given up, and another try for what failed. */
import type { ListedOperation, OperationFilter } from '../contract/dead-letter.ts'
import { AppError } from '../contract/errors.ts'
import { getOperation, insertOperation, type Operation } from '../db/operations.ts'
import { latestOperationId, listOperations as list } from '../db/operation-list.ts'
import { reopenRun } from '../db/runs.ts'
import type { Services } from './services.ts'

const MOST = 200

function present(operation: Operation): ListedOperation {
  const { id, companyId, kind, subjectId, state, attempts, progress, failure } = operation
  return {
    ...{ id, companyId, kind, subjectId, state, attempts, progress },
    failure: failure === null ? null : { code: failure.code, message: failure.message },
    createdAt: new Date(operation.createdAt).toISOString(),
    updatedAt: new Date(operation.updatedAt).toISOString(),
  }
}

/** The newest 200, in one state or in any. `companyId` null (the command line): of every company. */
export function listOperations(
  { db }: Pick<Services, 'db'>,
  input: { companyId: string | null; state: OperationFilter | null },
): ListedOperation[] {
  return list(db, { ...input, limit: MOST }).map(present)
}

/**
 * Queues what failed once more, as a new operation; a run goes on with what it has. NOT_FOUND; INVALID_STATE for one that
 * did not fail, or that something was queued after.
 */
export function retryOperation(
  services: Pick<Services, 'db' | 'jobs' | 'now'>,
  input: { companyId: string | null; operationId: string },
): { operationId: string } {
  const { db, jobs, now } = services
  const operationId = db.orm.transaction(
    () => {
      const operation = getOperation(db, input.operationId)
      if (operation === null || (input.companyId !== null && operation.companyId !== input.companyId))
        throw new AppError('NOT_FOUND', { message: 'There is no such operation.' })
      const { companyId, kind, subjectId, state } = operation
      const refuse = (message: string): AppError =>
        new AppError('INVALID_STATE', { message, details: { state } })
      if (state !== 'failed') throw refuse(`Only what failed can be tried again; this one is ${state}.`)
      if (latestOperationId(db, kind, subjectId) !== operation.id)
        throw refuse('It was tried again already: see the newer operation of the same subject.')
      if (kind !== 'run')
        return insertOperation(db, { companyId, kind, subjectId, input: operation.input, now: now() })
      const reopened = reopenRun(db, subjectId, now())
      if (reopened === null) throw refuse('Its run is not in Error any more.')
      return reopened.operationId
    },
    { behavior: 'immediate' },
  )
  jobs.wake()
  return { operationId }
}
