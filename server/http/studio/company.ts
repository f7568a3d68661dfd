/** Which company a studio request is about. */
import { Type } from '@sinclair/typebox'
import { AppError } from '../../contract/errors.ts'
import { companyUnknown, requireCompany, studioCompany } from '../../domain/people/companies.ts'
import type { Services } from '../../domain/services.ts'
import { boundCompany, shownCompany, type Principal } from '../authenticate.ts'
import { noteCompany } from '../call-trace.ts'
import { readQuery } from '../json-body.ts'
import { principalOf } from '../request-context.ts'

const CompanyQuery = Type.Object({ companyId: Type.Optional(Type.String({ minLength: 1 })) })

/**
 * The caller's only company, else the one named, else the one that the window shows, else `local`, else the oldest.
 * Throws where there is none, or where the caller may not open the one that is named or shown.
 */
export function companyFor(services: Pick<Services, 'db'>, principal: Principal, given?: string): string {
  const bound = boundCompany(principal)
  const shown = shownCompany(principal)
  if (bound !== null) {
    if (given !== undefined && given !== bound) throw new AppError('INVALID_API_KEY')
    if (shown !== null && shown !== bound) throw companyUnknown(shown)
    noteCompany(principal, bound)
    return bound
  }
  const named = given ?? shown
  const company = named === null ? studioCompany(services) : requireCompany(services, named)
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

/**
 * Whether a thing is of the caller's only company, else of the one that the window shows; of every company where there is
 * neither.
 */
export const isShown = ({ request }: { readonly request: Request }): ((companyId: string) => boolean) => {
  const principal = principalOf(request)
  const shown = boundCompany(principal) ?? shownCompany(principal)
  return (companyId) => shown === null || shown === companyId
}
