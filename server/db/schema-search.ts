/**
 * What is searched: a row for each workflow, run, published clip, post and section of the guide. The full-text indexes
 * `search_index` (scope, title, tags, body; its rowid is `seq`) and `search_names` (without body), and the triggers that
 * alone write here, are in the migration, as drizzle does not know them. A migration that rebuilds a table drops its
 * triggers and must make them again (test/contract/search-index.test.ts).
 *
 * `scope` holds `c{HEX}` and `c{HEX}k{kind}`, HEX being the company id (`all` for the guide). Every MATCH begins with one
 * of them, and comes from domain/search-terms.ts. Chinese and Japanese are indexed as pairs of characters.
 */
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { SearchType } from '../contract/tenant-api/search.ts'

export const searchEntries = sqliteTable(
  'search_entries',
  {
    /** Newer things have higher numbers. */
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    /** Null: for every company. */
    companyId: text('company_id'),
    kind: text('kind').$type<SearchType>().notNull(),
    subjectId: text('subject_id').notNull(),
    title: text('title').notNull(),
    /** Keywords, people, names: words that count more than those of the body. */
    tags: text('tags').notNull(),
    body: text('body').notNull(),
    /** Epoch milliseconds of the change. */
    at: integer('at').notNull(),
  },
  (table) => [
    uniqueIndex('search_entries_by_subject').on(table.kind, table.subjectId),
    index('search_entries_by_company').on(table.companyId, table.kind),
  ],
)
