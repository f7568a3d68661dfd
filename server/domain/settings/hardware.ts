/** What the machine can do, as `cutroom doctor` finds it. Measured once at a time, and cached until it is requested anew. */
import { runDoctor } from '../../adapters/doctor-process.ts'
import type { Hardware } from '../../contract/settings.ts'
import { oncePerConnection } from '../../db/prepared.ts'
import type { Services } from '../services.ts'

const lookOf = oncePerConnection((): { looked: Promise<Hardware> | null } => ({ looked: null }))

/** `again`: whatever was found before. Takes seconds the first time. */
export function describeHardware(
  services: Pick<Services, 'config' | 'db' | 'now'>,
  again: boolean,
): Promise<Hardware> {
  const kept = lookOf(services.db)
  if (kept.looked !== null && !again) return kept.looked
  const looked = runDoctor(services.config.home).then((checks) => ({
    checks: [...checks],
    lookedAt: new Date(services.now()).toISOString(),
  }))
  kept.looked = looked
  looked.catch(() => {
    if (kept.looked === looked) kept.looked = null
  })
  return looked
}
