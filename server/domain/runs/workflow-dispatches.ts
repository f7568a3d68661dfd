/** Starts confirmed runs, once each: from the work loop, or from a callback of the platform. */
import { AppError } from '../../contract/errors.ts'
import { applyToDispatch, getDispatch, type Dispatch } from '../../db/dispatches.ts'
import { createRunWithOperation } from '../../db/runs.ts'
import type { Services } from '../services.ts'

type Deps = Pick<Services, 'db' | 'log' | 'now'>

/** `started`: by this call. The others: this call has done nothing, or its try has failed and there will be another. */
export type DispatchOutcome = 'started' | 'finished' | 'leased' | 'waiting'

/**
 * Starts the run of a dispatch. The run's id was assigned with the dispatch and both rows change in one transaction, so
 * there is one run however often this is called and wherever it is interrupted. Throws NOT_FOUND.
 */
export function executeDispatch(
  services: Deps,
  input: { readonly id: string; readonly owner: string },
): { readonly dispatch: Dispatch; readonly outcome: DispatchOutcome } {
  const { db, now } = services
  const { id, owner } = input
  const known = getDispatch(db, id)
  if (known === null) throw new AppError('NOT_FOUND', { message: 'There is no such dispatch.' })
  const claimed = applyToDispatch(db, id, { kind: 'claim', owner, now: now() }, now())
  if (claimed === null) {
    const outcome = known.state === 'queued' ? 'waiting' : known.state === 'leased' ? 'leased' : 'finished'
    return { dispatch: known, outcome }
  }
  try {
    return { dispatch: startClaimed(services, claimed, owner), outcome: 'started' }
  } catch (error) {
    services.log.error('a confirmed run could not be started', { dispatch: id, error })
    const left = applyToDispatch(db, id, { kind: 'lost', now: now() }, now()) ?? claimed
    return { dispatch: left, outcome: left.state === 'failed' ? 'finished' : 'waiting' }
  }
}

function startClaimed({ db, log, now }: Deps, dispatch: Dispatch, owner: string): Dispatch {
  const { id, companyId, snapshot, warnings, runId, operationId } = dispatch
  const done = db.orm.transaction(
    () => {
      const settled = applyToDispatch(db, id, { kind: 'settle', owner, state: 'succeeded' }, now())
      if (settled === null) throw new Error('the lease of a dispatch was lost')
      createRunWithOperation(db, { companyId, snapshot, warnings, now: now(), ids: { runId, operationId } })
      return settled
    },
    { behavior: 'immediate' },
  )
  log.info('a confirmed run was started', { dispatch: id, run: runId })
  return done
}
