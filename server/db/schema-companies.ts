/** Tenants. Every other table that belongs to one refers to this one. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const companies = sqliteTable('companies', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  plan: text('plan').notNull(),
  features: text('features', { mode: 'json' }).$type<string[]>().notNull(),
  renderConcurrency: integer('render_concurrency').notNull().default(2),
  createdAt: integer('created_at').notNull(),
})

/** The column by which a row belongs to a company. */
export const ofCompany = () =>
  text('company_id')
    .notNull()
    .references(() => companies.id)
