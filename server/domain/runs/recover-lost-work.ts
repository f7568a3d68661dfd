/** Recovers work whose process died: queues it again, or ends it together with its run. */
import { ERRORS, type Failure } from '../../contract/errors.ts'
import { recoverOperation, type Operation } from '../../db/operations.ts'
import { advanceRun } from '../../db/runs.ts'
import type { Services } from '../services.ts'

/** The failure of a cancelled operation. */
export const cancelledFailure = (): Failure => ({ code: 'CANCELLED', message: ERRORS.CANCELLED.message })

/** Queues again the operations of a process that died; a run that is not tried again ends. Returns the changed operations. */
export function recoverLost(
  { db, log, now }: Pick<Services, 'db' | 'log' | 'now'>,
  operations: readonly Pick<Operation, 'id'>[],
): Operation[] {
  return operations.flatMap(({ id }) =>
    db.orm.transaction(
      () => {
        const recovered = recoverOperation(db, id, now())
        if (recovered === null) return []
        const { kind, state, subjectId, failure } = recovered
        log.info('found work that nobody holds any more', { operation: id, kind, state })
        if (kind === 'run' && state !== 'queued')
          advanceRun(db, subjectId, 'Error', now(), failure ?? cancelledFailure())
        return [recovered]
      },
      { behavior: 'immediate' },
    ),
  )
}
