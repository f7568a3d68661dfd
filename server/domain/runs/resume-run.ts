/** Resumes a run that ended in Error: after a full disk, a missing model, or a source that was unreachable. */
import { AppError } from '../../contract/errors.ts'
import { reopenRun } from '../../db/runs.ts'
import { requireRun } from './get-workflow-results.ts'
import type { Services } from '../services.ts'

/**
 * Queues the run again; its finished stages stay finished. `companyId` null (the command line): any company's run. Throws
 * TRIGGER_NOT_FOUND for no such run and INVALID_REQUEST for one that is not in Error.
 */
export function resumeRun(
  services: Services,
  input: { companyId: string | null; triggerId: string },
): { operationId: string } {
  const run = requireRun(services, input)
  const reopened = reopenRun(services.db, run.id, services.now())
  if (reopened === null) {
    throw new AppError('INVALID_REQUEST', {
      message: `Only a run in Error can be resumed; this one is ${run.status}.`,
    })
  }
  services.jobs.wake()
  return reopened
}
