/** Edits of many clips, as far as they can be taken back. */
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ofCompany } from './schema-companies.ts'

/** What a clip was before one edit of many clips: enough to make it so again. */
export const clipEditParts = sqliteTable(
  'clip_edit_parts',
  {
    companyId: ofCompany(),
    /** Chosen by who edits; the parts of one edit have the same. */
    editId: text('edit_id').notNull(),
    /** What is of a clip goes with it, by a trigger. */
    clipId: text('clip_id').notNull(),
    /** Fields of the document that the edit changed, as they were; null: absent. */
    before: text('before', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** Of the clip after the edit. */
    revision: integer('revision').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.editId, table.clipId] }),
    index('clip_edit_parts_by_age').on(table.createdAt),
    index('clip_edit_parts_by_clip').on(table.clipId),
  ],
)
