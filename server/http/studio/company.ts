/** Which company a studio request is about. */
import { Type } from '@sinclair/typebox'
import { AppError } from '../../contract/errors.ts'
import { requireCompany, studioCompany } from '../../domain/people/companies.ts'
import type { Services } from '../../domain/services.ts'
import { boundCompany, type Principal } from '../authenticate.ts'
import { noteCompany } from '../call-trace.ts'
import { readQuery } from '../json-body.ts'
import { principalOf } from '../request-context.ts'

const CompanyQuery = Type.Object({ companyId: Type.Optional(Type.String({ minLength: 1 })) })

/** The caller's only company, else the one named, else `local`, else the oldest. Throws where there is none. */
export function companyFor(services: Pick<Services, 'db'>, principal: Principal, given?: string): string {
  const bound = boundCompany(principal)
  if (bound !== null) {
    if (given !== undefined && given !== bound) throw new AppError('INVALID_API_KEY')
    noteCompany(principal, bound)
    return bound
  }
  const company = given === undefined ? studioCompany(services) : requireCompany(services, given)
  if (company === null)
    throw new AppError(
      'COMPANY_NOT_FOUND',
      'This appliance has no company yet; make one with "cutroom company create".',
    )
  noteCompany(principal, company.id)
  return company.id
}

/** Makes a resolver of companies that requests name in their query. It throws INVALID_REQUEST for an empty name. */
export const companyInQuery =
  (services: Pick<Services, 'db'>) =>
  ({ request }: { readonly request: Request }): string =>
    companyFor(services, principalOf(request), readQuery({ request, params: {} }, CompanyQuery).companyId)

/** The same of companies that requests name in their body. */
export const companyInBody =
  (services: Pick<Services, 'db'>) =>
  ({ request, body }: { readonly request: Request; readonly body: { companyId?: string } }): string =>
    companyFor(services, principalOf(request), body.companyId)
