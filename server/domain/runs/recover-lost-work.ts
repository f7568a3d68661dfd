/** Work whose holder is dead: queued again, or ended together with what it was about. */
import { ERRORS, type Failure } from '../../contract/errors.ts'
import { recoverOperation, type Operation } from '../../db/operations.ts'
import { advanceRun } from '../../db/runs.ts'
import type { Services } from '../services.ts'

/** The failure of what somebody cancelled. */
export const cancelledFailure = (): Failure => ({ code: 'CANCELLED', message: ERRORS.CANCELLED.message })

/** Queues again what a dead holder left; a run that is not tried again has ended. What became of those that it changed. */
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
