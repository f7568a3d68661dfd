/** Which company a studio request is about. */
import { Type } from '@sinclair/typebox'
import { AppError } from '../../contract/errors.ts'
import { requireCompany, studioCompany } from '../../domain/people/companies.ts'
import type { Services } from '../../domain/services.ts'
import { boundCompany, type Principal } from '../authenticate.ts'
import { noteCompany } from '../call-trace.ts'
import { readQuery } from '../json-body.ts'
import { principalOf } from '../request-context.ts'

/** What routes of the studio take in their query: the company, for whoever has more than one. */
export const CompanyQuery = Type.Object({ companyId: Type.Optional(Type.String({ minLength: 1 })) })

/**
 * The only company of the key or of the person; of who has every one the one that was asked for, else `local`, else the
 * oldest. COMPANY_NOT_FOUND, INVALID_API_KEY for the company of somebody else.
 */
export function companyFor(services: Pick<Services, 'db'>, principal: Principal, given?: string): string {
  const bound = boundCompany(principal)
  if (bound !== null) {
    if (given !== undefined && given !== bound) throw new AppError('INVALID_API_KEY')
    noteCompany(principal, bound)
    return bound
  }
  const company = given === undefined ? studioCompany(services) : requireCompany(services, given)
  if (company === null)
    throw new AppError('COMPANY_NOT_FOUND', {
      message: 'This appliance has no company yet; make one with "cutroom company create".',
    })
  noteCompany(principal, company.id)
  return company.id
}

/** The company of a request that may name it in its query, as companyFor says. INVALID_REQUEST for an empty name. */
export const companyInQuery = (services: Pick<Services, 'db'>, request: Request): string =>
  companyFor(services, principalOf(request), readQuery({ request, params: {} }, CompanyQuery).companyId)
