/**
 * What lists of clips filter, sort and show, one narrow row for each published clip, so that nobody has to read a
 * million documents. Written by triggers only (listed-clips.ts), so that it cannot fall behind.
 */
import { index, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { companies } from './schema-companies.ts'

export const listedClips = sqliteTable(
  'listed_clips',
  {
    row: integer('row').primaryKey(),
    clipId: text('clip_id').notNull().unique(),
    companyId: text('company_id')
      .notNull()
      .references(() => companies.id),
    /** Rises with every change within the company: what was read before is found by it. */
    seq: integer('seq').notNull(),
    /** The clip was deleted; nothing else is kept of it. */
    gone: integer('gone', { mode: 'boolean' }).notNull().default(false),
    workflowId: text('workflow_id').notNull(),
    runId: text('run_id'),
    title: text('title').notNull(),
    bio: text('bio').notNull(),
    duration: real('duration').notNull(),
    viralityScore: real('virality_score').notNull(),
    aspectRatio: text('aspect_ratio').notNull(),
    /** JSON lists of strings. */
    people: text('people').notNull(),
    keywords: text('keywords').notNull(),
    tags: text('tags').notNull(),
    /** As the public API calls the source: the event of a livestream, else the digest. */
    sourceId: text('source_id').notNull(),
    sourceInputId: text('source_input_id').notNull(),
    thumbnailMedia: text('thumbnail_media'),
    rendered: integer('rendered', { mode: 'boolean' }).notNull(),
    edited: integer('edited', { mode: 'boolean' }).notNull(),
    /** 0 no render is open, 1 one is queued or running, 2 the last one failed. */
    renderState: integer('render_state').notNull().default(0),
    /** Which states its posts have; a bit for each (listed-clips.ts). */
    postStates: integer('post_states').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [index('listed_clips_by_change').on(table.companyId, table.seq)],
)
