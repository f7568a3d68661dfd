/** Voices that a company has named. A voice is biometric data of a person: only its number and model are readable here. */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { companies } from './schema-companies.ts'

export const namedVoices = sqliteTable(
  'named_voices',
  {
    id: text('id').primaryKey(),
    companyId: text('company_id')
      .notNull()
      .references(() => companies.id, { onDelete: 'cascade' }),
    /** The embedding model, by its name in the manifest. */
    model: text('model').notNull(),
    /** Name and voice as JSON, sealed (server/secrets.ts) for `named-voice:ID`. */
    sealedVoice: text('sealed_voice').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [index('named_voices_by_company').on(table.companyId, table.createdAt)],
)
