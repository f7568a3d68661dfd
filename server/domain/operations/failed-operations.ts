/** Operations for a person to see, above all those that were given up, and another try for what failed. */
import type { ListedOperation, OperationFilter } from '../../contract/settings.ts'
import { AppError } from '../../contract/errors.ts'
import {
  applyToDispatch,
  getDispatchOfOperation,
  listOpenDispatches,
  QUEUE_STATES,
  type Dispatch,
} from '../../db/dispatches.ts'
import type { DispatchState } from '../../contract/tenant-api/workflow.ts'
import { getOperation, insertOperation } from '../../db/operations.ts'
import { latestOperationId, listOperations as list } from '../../db/operation-list.ts'
import { reopenRun } from '../../db/runs.ts'
import { iso } from '../moments.ts'
import type { ClockServices, DbServices, Services } from '../services.ts'
import { inTransaction } from '../../db/prepared.ts'

const MOST = 200

function present(operation: Omit<ListedOperation, 'createdAt' | 'updatedAt'> & Times): ListedOperation {
  const { id, companyId, kind, subjectId, state, attempts, progress, failure } = operation
  return {
    id,
    companyId,
    kind,
    subjectId,
    state,
    attempts,
    progress,
    failure: failure && { code: failure.code, message: failure.message },
    createdAt: iso(operation.createdAt),
    updatedAt: iso(operation.updatedAt),
  }
}

type Times = Pick<Dispatch, 'createdAt' | 'updatedAt'>

/** A confirmed run that has not started has the id of its future operation. */
const presentDispatch = (dispatch: Dispatch): ListedOperation =>
  present({
    ...dispatch,
    id: dispatch.operationId,
    kind: 'dispatch',
    subjectId: dispatch.runId,
    state: QUEUE_STATES[dispatch.state],
    progress: 0,
  })

/** A failed dispatch is not retried until a person requests it. */
const LISTED: Readonly<Record<OperationFilter, readonly DispatchState[]>> = {
  dead: ['failed'],
  failed: ['failed'],
  queued: ['queued'],
  running: ['leased'],
  succeeded: [],
  cancelled: [],
}

/**
 * The newest 200, in one state or in any; confirmed runs that are not started among them. `companyId` null (the command
 * line): of every company.
 */
export function listOperations(
  { db }: DbServices,
  input: { companyId: string | null; state: OperationFilter | null },
): ListedOperation[] {
  const { companyId, state } = input
  const states = state === null ? (['queued', 'leased', 'failed'] as const) : LISTED[state]
  const dispatches = listOpenDispatches(db, { companyId, states, limit: MOST }).map(presentDispatch)
  return [...list(db, { ...input, limit: MOST }).map(present), ...dispatches]
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0))
    .slice(0, MOST)
}

/**
 * Queues a failed operation again as a new one; a run continues with its finished stages; a confirmed run that could
 * not be started keeps its id. NOT_FOUND; INVALID_STATE for one that did not fail, or was queued again already.
 */
export function retryOperation(
  services: Pick<Services, 'db' | 'jobs' | 'now'>,
  input: { companyId: string | null; operationId: string },
): { operationId: string } {
  const { db, jobs, now } = services
  const operationId = inTransaction(db, () => {
    const operation = getOperation(db, input.operationId)
    const dispatch = operation === null ? getDispatchOfOperation(db, input.operationId) : null
    if (dispatch !== null && (input.companyId === null || input.companyId === dispatch.companyId))
      return reviveDispatch(services, dispatch)
    if (operation === null || (input.companyId !== null && operation.companyId !== input.companyId))
      throw new AppError('NOT_FOUND', 'There is no such operation.')
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
  })
  jobs.wake()
  return { operationId }
}

function reviveDispatch({ db, now }: ClockServices, dispatch: Dispatch): string {
  const revived = applyToDispatch(db, dispatch.id, { kind: 'revive', now: now() }, now())
  if (revived !== null) return revived.operationId
  const state = QUEUE_STATES[dispatch.state]
  throw new AppError('INVALID_STATE', {
    message: `Only what failed can be tried again; this one is ${state}.`,
    details: { state },
  })
}
