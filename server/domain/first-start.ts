/** What an empty home gets at its first start, so that the appliance can be used at once. */
import { getCompany } from '../db/companies.ts'
import { getSetting, setSetting } from '../db/settings.ts'
import { DEFAULT_WORKFLOWS } from '../nodes/index.ts'
import { createApiKey } from './people/api-keys.ts'
import { createCompany } from './people/companies.ts'
import { awaitSetUp } from './settings/set-up.ts'
import type { ClockServices } from './services.ts'
import { importWorkflow } from './workflows/workflows.ts'

/** Set once it was done: a home with companies from before its first start still gets its `local` one. */
const DONE = 'first-start'

/**
 * On a home that was never started: makes company `local`, its three workflows and one API key, all in one transaction,
 * has the set-up wait for its owner, and answers the key (shown once). On any other home: does nothing and answers null.
 */
export function firstStart(services: ClockServices): Promise<{ key: string | null }> {
  const make = services.db.sqlite.transaction((): string | null => {
    if (getSetting(services.db, DONE) !== null || getCompany(services.db, 'local') !== null) return null
    setSetting(services.db, DONE, new Date(services.now()).toISOString())
    awaitSetUp(services)
    createCompany(services, {
      id: 'local',
      name: 'Local',
      plan: 'enterprise',
      features: ['domain_api', 'mcp'],
    })
    const begun = services.now()
    DEFAULT_WORKFLOWS.forEach((file, place) => {
      // A millisecond apart: lists are in order of creation, and the usual one comes first.
      importWorkflow({ ...services, now: () => begun + place }, { companyId: 'local', file })
    })
    return createApiKey(services, { companyId: 'local', name: 'First key' }).key
  })
  return Promise.resolve({ key: make.immediate() })
}
