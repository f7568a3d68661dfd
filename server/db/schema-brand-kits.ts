/** Brand kits of companies. */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { BrandKitLook } from '../contract/branding.ts'
import { ofCompany } from './schema-companies.ts'

export const brandKits = sqliteTable(
  'brand_kits',
  {
    id: text('id').primaryKey(),
    companyId: ofCompany(),
    name: text('name').notNull(),
    look: text('look', { mode: 'json' }).$type<BrandKitLook>().notNull(),
    revision: integer('revision').notNull().default(1),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [index('brand_kits_by_company').on(table.companyId, table.createdAt, table.id)],
)
