/** Whether the appliance can do what it is for: what load balancers and service managers ask. */
import { statfsSync } from 'node:fs'
import { askDatabase } from '../db/work-counts.ts'
import type { Services } from './services.ts'

export const READINESS_CHECKS = ['database', 'disk', 'work'] as const

export interface ReadinessCheck {
  readonly name: (typeof READINESS_CHECKS)[number]
  readonly ok: boolean
  /** What to do about it; empty when there is nothing. */
  readonly message: string
}

/** Free bytes where the home lies. */
export function freeBytes({ home }: Pick<Services, 'home'>): number {
  const { bavail, bsize } = statfsSync(home.root)
  return bavail * bsize
}

/** Tells no paths and no names: anybody may ask. */
export function readiness(services: Services): ReadinessCheck[] {
  return [
    check('database', () => {
      askDatabase(services.db)
      return ''
    }),
    check('disk', () =>
      freeBytes(services) >= services.config.minFreeBytes ? '' : 'The disk is nearly full; make room.',
    ),
    check('work', () => (services.jobs.takesWork?.() === false ? 'The appliance is stopping.' : '')),
  ]
}

function check(name: ReadinessCheck['name'], look: () => string): ReadinessCheck {
  try {
    const message = look()
    return { name, ok: message === '', message }
  } catch {
    // What exactly went wrong is in the log of whoever uses it; here it would tell strangers of the inside.
    return { name, ok: false, message: 'It does not answer; see the log.' }
  }
}
