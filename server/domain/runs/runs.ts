/** Runs that exist: how they are polled, stopped, resumed, and recovered after their process died. */
import { AppError, ERRORS, type Failure, refuse } from '../../contract/errors.ts'
import type { RunsQuery, RunsResponse } from '../../contract/run-list.ts'
import type { WorkflowResults } from '../../contract/workflow.ts'
import { listClipsOfRun } from '../../db/clips.ts'
import { settleOpenPicks } from '../../db/picks.ts'
import { getRun, type Run, deleteRun, listRunsAfter, reopenRun, advanceRun } from '../../db/runs.ts'
import { decodeCursor, encodeCursor } from '../cursors.ts'
import { presentBasicClips } from '../clips/present-clip.ts'
import type { DbServices, Services } from '../services.ts'
import { readyField } from '../promises/promised-times.ts'
import { waitingField } from './waiting.ts'
import { findOpenOperation, recoverOperation, type Operation } from '../../db/operations.ts'
import { inTransaction } from '../../db/prepared.ts'

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())

/** The company's run. Throws TRIGGER_NOT_FOUND, also for another company's run. `companyId` null: any company's. */
export function requireRun(
  services: DbServices,
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
  services: DbServices,
  input: { companyId: string | null; triggerId: string; baseUrl: string },
): WorkflowResults {
  const run = requireRun(services, input)
  const clips = run.status === 'Completed' ? listClipsOfRun(services.db, run.id) : []
  const failed = run.status === 'Error'
  return {
    status: run.status,
    clips: presentBasicClips(services, clips, input.baseUrl),
    ...(failed ? { error: run.error ?? 'The run failed.', code: run.errorCode ?? 'INTERNAL' } : {}),
    ...waitingField(run, Date.now()),
    ...readyField(services, 'run', run.id),
    progress: run.progress,
    stage: run.stage,
    warnings: run.warnings,
    startedAt: iso(run.startedAt),
    finishedAt: iso(run.finishedAt),
    metadata: run.metadata,
  }
}

const DEFAULT_LIMIT = 25

/** The company's runs, newest first, so many at a time. INVALID_CURSOR. */
export function pageRuns(
  services: DbServices,
  { companyId, limit = DEFAULT_LIMIT, cursor, metadata = {} }: RunsQuery,
): RunsResponse {
  const bound = { list: 'runs', companyId, ...(Object.keys(metadata).length === 0 ? {} : { metadata }) }
  const [createdAt, id] = cursor === undefined ? [] : decodeCursor(bound, cursor, 2)
  const after = createdAt === undefined ? null : { createdAt: Number(createdAt), id: String(id) }
  const found = listRunsAfter(services.db, companyId, { after, limit: limit + 1, metadata })
  const shown = found.slice(0, limit)
  const last = found.length > limit ? shown.at(-1) : undefined
  return {
    runs: shown.map((run) => ({
      triggerId: run.id,
      workflowId: run.workflowId,
      url: run.snapshot.originalUrl,
      status: run.status,
      progress: run.progress,
      stage: run.stage,
      ...(run.status === 'Error'
        ? { error: run.error ?? 'The run failed.', code: run.errorCode ?? 'INTERNAL' }
        : {}),
      ...waitingField(run, Date.now()),
      ...readyField(services, 'run', run.id),
      createdAt: new Date(run.createdAt).toISOString(),
      startedAt: iso(run.startedAt),
      finishedAt: iso(run.finishedAt),
      metadata: run.metadata,
    })),
    cursor: last === undefined ? null : encodeCursor(bound, [last.createdAt, last.id]),
  }
}

/**
 * Stops a run and what is picked from it; clips that are listed stay. Throws TRIGGER_NOT_FOUND for no such run,
 * INVALID_STATE for one that has ended.
 */
export function cancelRun(services: Services, input: { companyId: string; triggerId: string }): void {
  const { db, jobs, now } = services
  const run = requireRun(services, input)
  const open = (['run', 'pick'] as const).flatMap((kind) => findOpenOperation(db, kind, run.id)?.id ?? [])
  if (open.length === 0)
    throw new AppError('INVALID_STATE', {
      message: `This run has ended (${run.status}); there is nothing to stop.`,
      details: { triggerId: run.id, status: run.status },
    })
  settleOpenPicks(db, run.id, cancelledFailure(), now())
  for (const id of open) jobs.cancel(id)
}

/**
 * Queues the run again; its finished stages stay finished. `companyId` null (the command line): any company's run. Throws
 * TRIGGER_NOT_FOUND for no such run and INVALID_REQUEST for one that is not in Error.
 */
export function resumeRun(
  services: Services,
  input: { companyId: string | null; triggerId: string },
): { operationId: string } {
  const run = requireRun(services, input)
  const reopened =
    reopenRun(services.db, run.id, services.now()) ??
    refuse('INVALID_REQUEST', `Only a run in Error can be resumed; this one is ${run.status}.`)
  services.jobs.wake()
  return reopened
}

/**
 * Forgets a run that failed without a clip; what its stages have made is cached and stays. Throws TRIGGER_NOT_FOUND, and
 * INVALID_STATE for one that has clips or has not failed.
 */
export function removeRun(services: DbServices, input: { companyId: string; triggerId: string }): void {
  const { id, status } = requireRun(services, input)
  if (status !== 'Error' || listClipsOfRun(services.db, id).length > 0)
    refuse('INVALID_STATE', {
      message: 'Only a run that failed without a clip can be removed; delete the clips of others.',
      details: { triggerId: id, status },
    })
  deleteRun(services.db, id)
}

/** The failure of a cancelled operation. */
export const cancelledFailure = (): Failure => ({ code: 'CANCELLED', message: ERRORS.CANCELLED.message })

/**
 * Queues again the operations that nobody holds any more (`by`: see `lost` in jobs/queue.ts); a run that is not tried again
 * ends. Returns the changed operations.
 */
export function recoverLost(
  { db, log, now }: Pick<Services, 'db' | 'log' | 'now'>,
  operations: readonly Pick<Operation, 'id'>[],
  by: 'death' | 'lease',
): Operation[] {
  return operations.flatMap(({ id }) =>
    inTransaction(db, () => {
      const recovered = recoverOperation(db, id, by, now())
      if (recovered === null) return []
      const { kind, state, subjectId, failure } = recovered
      log.info('found work that nobody holds any more', { operation: id, kind, state })
      const ended = failure ?? cancelledFailure()
      if (kind === 'run' && state !== 'queued') advanceRun(db, subjectId, 'Error', now(), ended)
      if (kind === 'pick' && state !== 'queued') settleOpenPicks(db, subjectId, ended, now())
      return [recovered]
    }),
  )
}
