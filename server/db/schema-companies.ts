/** Tenants. Every other table that belongs to one refers to this one. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Feature, Plan } from '../contract/company.ts'

export const companies = sqliteTable('companies', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  plan: text('plan').$type<Plan>().notNull(),
  features: text('features', { mode: 'json' }).$type<Feature[]>().notNull(),
  renderConcurrency: integer('render_concurrency').notNull().default(2),
  /** Whether voices may be named, and are recognised by name in later sources. */
  recogniseVoices: integer('recognise_voices', { mode: 'boolean' }).notNull().default(false),
  /** Whether whoever prepares the publication of a post may not approve it. */
  separateApproval: integer('separate_approval', { mode: 'boolean' }).notNull().default(false),
  createdAt: integer('created_at').notNull(),
})

/** The column by which a row belongs to a company. */
export const ofCompany = () =>
  text('company_id')
    .notNull()
    .references(() => companies.id)
