/** What an empty home gets at its first start, so that the appliance can be used at once. */
import { listCompanies } from '../db/companies.ts'
import { DEFAULT_WORKFLOWS } from '../nodes/index.ts'
import { createApiKey } from './api-keys.ts'
import { createCompany } from './companies.ts'
import type { Services } from './services.ts'
import { importWorkflow } from './workflows.ts'

/**
 * On a home without any company: makes company `local`, its three workflows and one API key, all in one transaction, and
 * answers the key (shown once). On any other home: does nothing and answers null.
 */
export function firstStart(services: Pick<Services, 'db' | 'now'>): Promise<{ key: string | null }> {
  const make = services.db.sqlite.transaction((): string | null => {
    if (listCompanies(services.db).length > 0) return null
    createCompany(services, {
      id: 'local',
      name: 'Local',
      plan: 'enterprise',
      features: ['domain_api', 'mcp'],
    })
    for (const file of DEFAULT_WORKFLOWS) importWorkflow(services, { companyId: 'local', file })
    return createApiKey(services, { companyId: 'local', name: 'First key' }).key
  })
  return Promise.resolve({ key: make.immediate() })
}
