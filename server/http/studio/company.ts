/** Which company a studio request is about. */
import { AppError } from '../../contract/errors.ts'
import { requireCompany, studioCompany } from '../../domain/companies.ts'
import type { Services } from '../../domain/services.ts'
import type { Principal } from '../authenticate.ts'

/**
 * The key's own company; for a session the one that was asked for, else `local`, else the oldest. COMPANY_NOT_FOUND,
 * INVALID_API_KEY for a key of another company.
 */
export function companyFor(services: Pick<Services, 'db'>, principal: Principal, given?: string): string {
  if (principal.kind === 'key') {
    if (given !== undefined && given !== principal.companyId) throw new AppError('INVALID_API_KEY')
    return principal.companyId
  }
  if (given !== undefined) return requireCompany(services, given).id
  const company = studioCompany(services)
  if (company === null)
    throw new AppError('COMPANY_NOT_FOUND', {
      message: 'This appliance has no company yet; make one with "cutroom company create".',
    })
  return company.id
}
