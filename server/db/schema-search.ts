/**
 * What is searched: one row for each workflow, run, published clip, post and section of the guide, in plain text, and
 * full-text indexes over all of them. `search_index` (FTS5, its rowid is `seq` here), the views that say what is searched of
 * each thing, and the triggers that keep both in step in the transaction of every change are in the migration: drizzle
 * does not know such things. So:
 *
 * - Nobody writes here but the triggers (and domain/guide.ts, the sections of the guide).
 * - A migration that rebuilds `workflows`, `runs`, `clips`, `clip_transcripts` or `posts` drops their triggers and must
 *   create them again; test/contract/search-index.test.ts fails where one is missing.
 * - `search_index` has the columns scope, title, tags, body. `scope` holds the words `c{HEX}` and `c{HEX}k{kind}`, where
 *   HEX is the company id in hexadecimal (`all` for the guide): every MATCH begins with one of them. domain/search-terms.ts
 *   makes the expression from what a person typed; nothing else may reach MATCH.
 * - `search_names` is the same of scope, title and tags alone.
 * - The clips that a text matches, newest first:
 *   `select e.subject_id from search_index(?) f join search_entries e on e.seq = f.rowid and e.company_id = ?
 *    order by f.rowid desc`.
 * - Chinese and Japanese are indexed as pairs of characters, since they are written without spaces.
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
