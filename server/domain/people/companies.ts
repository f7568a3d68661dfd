/** Use cases of companies. Domain functions take the services and one input, and throw AppError. */
import { isLonger } from '../../contract/characters.ts'
import { FEATURES, isFeature, isPlan, PLANS } from '../../contract/company.ts'
import { AppError, invalidRequest } from '../../contract/errors.ts'
import {
  getCompany,
  insertCompany,
  listCompanies,
  updateCompany,
  type CompanyRow,
} from '../../db/companies.ts'
import type { ClockServices, DbServices } from '../services.ts'

export interface Company {
  readonly id: string
  readonly name: string
  readonly plan: string
  readonly features: readonly string[]
  readonly renderConcurrency: number
  /** Whether voices may be named and are recognised by name (domain/voices). */
  readonly recogniseVoices: boolean
  /** Whether whoever prepares the publication of a post may not approve it (operations/confirmations.ts). */
  readonly separateApproval: boolean
  readonly createdAt: string
}

export interface NewCompany {
  readonly id: string
  readonly name: string
  readonly plan?: string
  readonly features?: readonly string[]
  /** Renders at the same time, 1 to 64. */
  readonly renderConcurrency?: number
  readonly recogniseVoices?: boolean
  readonly separateApproval?: boolean
}

/** A company as callers see it. */
function presentCompany(row: CompanyRow): Company {
  return { ...row, createdAt: new Date(row.createdAt).toISOString() }
}

/** What is stored of it; throws INVALID_REQUEST for a value that is wrong. */
function readCompany(input: NewCompany): Omit<CompanyRow, 'createdAt'> {
  const { id, plan = 'starter', features = [], renderConcurrency = 2 } = input
  const { recogniseVoices = false, separateApproval = false } = input
  const name = input.name.trim()
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(id))
    throw invalidRequest('id', 'A company id is up to 100 letters, digits, dots, dashes and underscores.')
  if (name === '' || isLonger(input.name, 200))
    throw invalidRequest('name', 'A name has 1 to 200 characters.')
  if (!isPlan(plan)) throw invalidRequest('plan', `A plan is one of ${PLANS.join(', ')}.`)
  const unknown = features.filter((feature) => !isFeature(feature))
  if (unknown.length > 0)
    throw invalidRequest(
      'features',
      `Unknown feature ${unknown.join(', ')}; there are ${FEATURES.join(', ')}.`,
    )
  if (!Number.isInteger(renderConcurrency) || renderConcurrency < 1 || renderConcurrency > 64)
    throw invalidRequest('renderConcurrency', 'Render concurrency is a whole number from 1 to 64.')
  return {
    id,
    name,
    plan,
    features: [...new Set(features.filter(isFeature))],
    renderConcurrency,
    recogniseVoices,
    separateApproval,
  }
}

/** Makes a company. COMPANY_EXISTS when the id is taken, INVALID_REQUEST when a value is wrong. */
export function createCompany(services: ClockServices, input: NewCompany): Company {
  const row: CompanyRow = { ...readCompany(input), createdAt: services.now() }
  if (!insertCompany(services.db, row))
    throw new AppError('COMPANY_EXISTS', { details: { companyId: row.id } })
  return presentCompany(row)
}

/** What may be changed of a company; a member that is left out stays as it is. Features are all that it has from then on. */
export type CompanyChange = Partial<Omit<NewCompany, 'id'>>

/** Changes a company; it holds from the next request on. COMPANY_NOT_FOUND, or INVALID_REQUEST when a value is wrong. */
export function changeCompany(services: DbServices, id: string, change: CompanyChange): Company {
  const { createdAt: _createdAt, ...company } = requireCompany(services, id)
  updateCompany(services.db, id, readCompany({ ...company, ...change }))
  return requireCompany(services, id)
}

/** COMPANY_NOT_FOUND, also for a company that the caller may not open. */
export const companyUnknown = (id: string): AppError =>
  new AppError('COMPANY_NOT_FOUND', {
    message: `There is no company "${id}".`,
    details: { companyId: id },
  })

/** The company, or COMPANY_NOT_FOUND. */
export function requireCompany(services: DbServices, id: string): Company {
  const row = getCompany(services.db, id)
  if (row === null) throw companyUnknown(id)
  return presentCompany(row)
}

/** Every company of the appliance. */
export function allCompanies(services: DbServices): Company[] {
  return listCompanies(services.db).map(presentCompany)
}

/** The company that the studio works for: `local`, or the oldest; null on an appliance without one. */
export function studioCompany(services: DbServices): Company | null {
  const companies = allCompanies(services)
  return companies.find((company) => company.id === 'local') ?? companies[0] ?? null
}
