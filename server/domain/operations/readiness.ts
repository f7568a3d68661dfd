/** Whether the appliance can work, for load balancers and service managers. */
import { queryWorkCounts } from '../../db/operation-list.ts'
import { freeBytes } from '../../../workers/media/disk.ts'
import type { Services } from '../services.ts'
import type { Charge } from '../standby/shipping.ts'

/** A store that takes longer than this for a change is away. */
const LATE_MS = 5000

export const READINESS_CHECKS = ['database', 'disk', 'work', 'standby'] as const

export interface ReadinessCheck {
  readonly name: (typeof READINESS_CHECKS)[number]
  readonly ok: boolean
  /** What to do about it; empty when there is nothing. */
  readonly message: string
}

/** Contains no paths and no names, because the request needs no sign-in. */
export async function readiness(services: Services): Promise<ReadinessCheck[]> {
  const { charge, config, db, home, jobs } = services
  return await Promise.all([
    check('database', () => {
      queryWorkCounts(db)
      return db.isInPlace()
        ? ''
        : 'Its file was taken away or exchanged: what is stored now is lost with this process. Put it back, or restart.'
    }),
    check('disk', async () =>
      (await freeBytes(home.root)) >= config.minFreeBytes ? '' : 'The disk is nearly full; make room.',
    ),
    check('work', () => (jobs.takesWork?.() === false ? 'The appliance is stopping.' : '')),
    ...(charge === undefined ? [] : [check('standby', () => whyNotShipped(charge))]),
  ])
}

/** Where nothing reaches the store, nothing is answered either. */
function whyNotShipped(charge: Charge): string {
  const isLate = charge.facts().lagMs > LATE_MS
  return isLate || !charge.isCertain()
    ? 'Changes do not reach the store, so that a standby lacks them and nothing is acknowledged. See why it is away.'
    : ''
}

async function check(
  name: ReadinessCheck['name'],
  look: () => string | Promise<string>,
): Promise<ReadinessCheck> {
  try {
    const message = await look()
    return { name, ok: message === '', message }
  } catch {
    // The cause is logged where it occurs; here it would be visible to everyone.
    return { name, ok: false, message: 'It does not answer; see the log.' }
  }
}
