/** How many days each kind is stored: as whoever runs the appliance has set, else as an owner has, else indefinitely. */
import { refuse } from '../../contract/errors.ts'
import type { RetentionItem, RetentionKind, RetentionRequest } from '../../contract/settings.ts'
import type { Config } from '../../config/config.ts'
import { getSetting, setSetting } from '../../db/settings.ts'
import type { Services } from '../services.ts'

type Deps = Pick<Services, 'config' | 'db'>

const SETTING = 'retention-days'

const MEMBERS: Readonly<Record<RetentionKind, keyof Config['storage']>> = {
  sources: 'sourceDays',
  results: 'resultDays',
  uploads: 'uploadDays',
}

const readChosen = ({ db }: Pick<Deps, 'db'>): RetentionRequest =>
  JSON.parse(getSetting(db, SETTING) ?? '{}') as RetentionRequest

/** The days that hold now; null: indefinitely. Read anew for each use, so that a change holds without a restart. */
export function retentionDays(services: Deps, kind: RetentionKind): Pick<RetentionItem, 'days' | 'setBy'> {
  const fixed = services.config.storage[MEMBERS[kind]]
  if (fixed !== null) return { days: fixed, setBy: 'machine' }
  const chosen = readChosen(services)[kind] ?? 0
  return chosen === 0 ? { days: null, setBy: null } : { days: chosen, setBy: 'studio' }
}

/** Stores days for the kinds that are named. INVALID_STATE for one that whoever runs the appliance has set. */
export function saveRetentionDays(services: Deps, request: RetentionRequest): void {
  for (const kind of Object.keys(request) as RetentionKind[])
    if (retentionDays(services, kind).setBy === 'machine')
      refuse('INVALID_STATE', 'How long this is stored is set by whoever runs the appliance.')
  setSetting(services.db, SETTING, JSON.stringify({ ...readChosen(services), ...request }))
}
