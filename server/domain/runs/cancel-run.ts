/** Stops a run that goes on. What it has finished stays, so that it can be resumed. */
import { AppError } from '../../contract/errors.ts'
import { findOpenOperation } from '../../db/operations.ts'
import { requireRun } from './get-workflow-results.ts'
import type { Services } from '../services.ts'

/** Throws TRIGGER_NOT_FOUND for no such run, INVALID_STATE for one that has ended. */
export function cancelRun(services: Services, input: { companyId: string; triggerId: string }): void {
  const run = requireRun(services, input)
  const operation = findOpenOperation(services.db, 'run', run.id)
  if (operation === null)
    throw new AppError('INVALID_STATE', {
      message: `This run has ended (${run.status}); there is nothing to stop.`,
      details: { triggerId: run.id, status: run.status },
    })
  services.jobs.cancel(operation.id)
}
