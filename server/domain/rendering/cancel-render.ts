/** Stops a render that nobody wants any more; whoever else waits for it is told that it was cancelled. */
import { AppError } from '../../contract/errors.ts'
import { getOperation } from '../../db/operations.ts'
import type { Services } from '../services.ts'

/** NOT_FOUND for what is no render of the company; INVALID_STATE for one that has ended. */
export function cancelRender(
  { db, jobs }: Pick<Services, 'db' | 'jobs'>,
  { companyId, operationId }: { companyId: string; operationId: string },
): { operationId: string } {
  const operation = getOperation(db, operationId)
  if (operation?.companyId !== companyId || operation.kind !== 'render')
    throw new AppError('NOT_FOUND', { message: 'There is no such render.' })
  const { state } = operation
  if (state !== 'queued' && state !== 'running')
    throw new AppError('INVALID_STATE', {
      message: `This render has ended (${state}); there is nothing to stop.`,
      details: { state },
    })
  jobs.cancel(operationId)
  return { operationId }
}
