/** The response to polling a run. */
import { AppError } from '../../contract/errors.ts'
import type { WorkflowResults } from '../../contract/workflow.ts'
import { listClipsOfRun } from '../../db/clips.ts'
import { getRun, type Run } from '../../db/runs.ts'
import { presentBasicClips } from '../clips/present-clip.ts'
import type { Services } from '../services.ts'

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())

/** The company's run. Throws TRIGGER_NOT_FOUND, also for another company's run. `companyId` null: any company's. */
export function requireRun(
  services: Pick<Services, 'db'>,
  input: { companyId: string | null; triggerId: string },
): Run {
  const run = getRun(services.db, input.triggerId)
  if (run === null || (input.companyId !== null && run.companyId !== input.companyId))
    throw new AppError('TRIGGER_NOT_FOUND', { details: { triggerId: input.triggerId } })
  return run
}

/**
 * Status, progress and, once Completed, the clips by falling score. `companyId` null (the studio): any company's run.
 * TRIGGER_NOT_FOUND.
 */
export function getWorkflowResults(
  services: Pick<Services, 'db'>,
  input: { companyId: string | null; triggerId: string; baseUrl: string },
): WorkflowResults {
  const run = requireRun(services, input)
  const clips = run.status === 'Completed' ? listClipsOfRun(services.db, run.id) : []
  const failed = run.status === 'Error'
  return {
    status: run.status,
    clips: presentBasicClips(services, clips, input.baseUrl),
    ...(failed ? { error: run.error ?? 'The run failed.', code: run.errorCode ?? 'INTERNAL' } : {}),
    progress: run.progress,
    stage: run.stage,
    warnings: run.warnings,
    startedAt: iso(run.startedAt),
    finishedAt: iso(run.finishedAt),
  }
}
