/** Queries of companies: the tenants of an appliance. */
import { findBy, insertNewInto, listBy, updateBy } from './rows.ts'
import { companies } from './schema.ts'

export type CompanyRow = typeof companies.$inferSelect

export const getCompany = findBy(companies, 'id')

/** Oldest first. */
export const listCompanies = listBy(companies, [], 'createdAt', 'id')

/** False when there is a company with this id already. */
export const insertCompany = insertNewInto(companies)

export const updateCompany = updateBy(companies, 'id')
