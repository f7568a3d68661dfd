/** Whether a caller may act for its tenant: the feature, the plan and an unexpired grant, each with its own refusal. */
import { DOMAIN_API_VERSION, type DomainContext } from '../../contract/tenant-api/envelope.ts'
import { AppError, refuse } from '../../contract/errors.ts'
import type { Scopes } from '../../contract/scopes.ts'
import { getGrant } from '../../db/clients.ts'
import { getCompany } from '../../db/companies.ts'
import { getPerson } from '../../db/people.ts'
import type { Feature, Plan } from '../../contract/company.ts'
import { companyUnknown, requireCompany, studioCompany } from '../people/companies.ts'
import type { ClockServices, DbServices } from '../services.ts'
import type { Delegation } from './delegations.ts'

/** The caller of a tenant route. Everything that it reaches belongs to this company. */
export interface Caller {
  readonly companyId: string
  /** Answers and confirmations are stored for this OAuth client, or the studio. */
  readonly clientId: string
  readonly principalId: string
  readonly via: 'delegation' | 'session'
  /** Of the grant; null: everything, and in the studio, where roles decide. */
  readonly scopes: Scopes
}

/** The studio's own client id: no registered client can have it. */
export const STUDIO_CLIENT = '@studio'

const ELIGIBLE_PLANS: ReadonlySet<Plan> = new Set(['business', 'enterprise'])
const FEATURE: Feature = 'domain_api'

/** Throws UNAUTHENTICATED, FEATURE_DISABLED, PLAN_NOT_ELIGIBLE, GRANT_MISSING or GRANT_EXPIRED, in this order. */
export function authoriseDelegation(
  services: ClockServices,
  delegation: Delegation,
  feature = FEATURE,
): Caller {
  const { companyId, clientId, subject } = delegation
  const company =
    getCompany(services.db, companyId) ??
    refuse('UNAUTHENTICATED', 'The delegation names no organization of this appliance.')
  if (!company.features.includes(feature)) throw new AppError('FEATURE_DISABLED', { details: { feature } })
  if (!ELIGIBLE_PLANS.has(company.plan))
    throw new AppError('PLAN_NOT_ELIGIBLE', { details: { plan: company.plan } })
  const grant =
    getGrant(services.db, clientId, companyId) ?? refuse('GRANT_MISSING', { details: { clientId } })
  if (grant.expiresAt <= services.now()) throw new AppError('GRANT_EXPIRED', { details: { clientId } })
  return { companyId, clientId, principalId: subject, via: 'delegation', scopes: grant.scopes }
}

/**
 * A person in the studio acts for their own company, else the one that their window shows, else the studio's, and needs
 * no grant. COMPANY_NOT_FOUND where the window shows one that they may not open.
 */
export function authoriseSession(
  services: DbServices,
  person: { id: string; companyId: string | null },
  shown: string | null = null,
): Caller {
  if (shown !== null && person.companyId !== null && shown !== person.companyId) throw companyUnknown(shown)
  const named = person.companyId ?? (shown === null ? null : requireCompany(services, shown).id)
  const companyId = named ?? studioCompany(services)?.id ?? refuse('COMPANY_NOT_FOUND')
  return { companyId, clientId: STUDIO_CLIENT, principalId: person.id, via: 'session', scopes: null }
}

/** Name of the person in the studio; undefined: the caller is a program. */
export const personOf = ({ db }: DbServices, { via, principalId }: Caller): string | undefined =>
  via === 'session' ? getPerson(db, principalId)?.name : undefined

/** The response of GET /context; `delegation` null: a request from the studio. */
export function describeCaller(
  services: ClockServices,
  caller: Caller,
  delegation: Delegation | null,
): DomainContext {
  const { id, name, plan, features, renderConcurrency } = requireCompany(services, caller.companyId)
  const iso = (time: number): string => new Date(time).toISOString()
  const grant = delegation === null ? null : getGrant(services.db, caller.clientId, caller.companyId)
  return {
    apiVersion: DOMAIN_API_VERSION,
    organization: { id, name, plan, features: [...features], renderConcurrency },
    principal: { id: caller.principalId, kind: delegation === null ? 'session' : 'delegated' },
    client: { id: caller.clientId, name: grant?.clientName ?? 'Studio' },
    scopes: [...(delegation?.scopes ?? [])],
    grant:
      grant === null
        ? null
        : { expiresAt: iso(grant.expiresAt), scopes: grant.scopes === null ? null : [...grant.scopes] },
    delegation:
      delegation === null ? null : { issuer: delegation.issuer, expiresAt: iso(delegation.expiresAt) },
  }
}
