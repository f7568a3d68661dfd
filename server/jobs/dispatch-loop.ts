/** The loop's part for workflow dispatches: each takes a moment, so they are carried out as they are found. */
import { applyToDispatch, listReadyDispatches, listStaleDispatches } from '../db/dispatches.ts'
import type { Services } from '../domain/services.ts'
import { executeDispatch } from '../domain/runs/workflow-dispatches.ts'

type Deps = Pick<Services, 'db' | 'log' | 'now'>

/** In one look at the queue. */
const AT_ONCE = 50

/** Starts the runs that were confirmed. */
export function startReadyDispatches(services: Deps, owner: string): void {
  const { db, now } = services
  for (const id of listReadyDispatches(db, now(), AT_ONCE)) executeDispatch(services, { id, owner })
}

/** Queues again what a dead process held. `before` null: whatever the lease, for the process with the home's lock. */
export function recoverDispatches({ db, log, now }: Deps, before: number | null): void {
  for (const id of listStaleDispatches(db, 'leased', before ?? Number.MAX_SAFE_INTEGER, AT_ONCE)) {
    const recovered = applyToDispatch(db, id, { kind: 'lost', now: now() }, now())
    if (recovered !== null)
      log.info('found a confirmed run that nobody starts', { dispatch: id, state: recovered.state })
  }
}
