/** Lets a run that ended in Error go on where it stopped: after a full disk, a missing model, a source that was away. */
import { AppError } from '../contract/errors.ts'
import { getRun, reopenRun } from '../db/runs.ts'
import type { Services } from './services.ts'

/**
 * Queues the run again; its finished stages stay finished. Throws TRIGGER_NOT_FOUND for no such run and INVALID_REQUEST
 * for one that is not in Error.
 */
export function resumeRun(services: Services, runId: string): { operationId: string } {
  const run = getRun(services.db, runId)
  if (run === null) throw new AppError('TRIGGER_NOT_FOUND')
  const reopened = reopenRun(services.db, runId, services.now())
  if (reopened === null) {
    throw new AppError('INVALID_REQUEST', {
      message: `Only a run in Error can be resumed; this one is ${run.status}.`,
    })
  }
  services.jobs.wake()
  return reopened
}
