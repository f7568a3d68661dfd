/**
 * What lists of clips filter, sort and show, so that no list has to read documents. `listed_clips` has one row for each
 * published clip, written by triggers on clips, posts and renders (listed-clips.ts). The other tables are indexes of it,
 * written by triggers on `listed_clips` (clip-lists/index-sql.ts) in the same transaction, so no list can fall behind.
 */
import { index, integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { ofCompany } from './schema-companies.ts'

export const listedClips = sqliteTable(
  'listed_clips',
  {
    row: integer('row').primaryKey(),
    clipId: text('clip_id').notNull().unique(),
    companyId: ofCompany(),
    /** Rises with every change within the company: answers that were cached before are out of date. */
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

/** The companies that have had clips. Their numbers keep the entries of the indexes apart, and short. */
export const clipLists = sqliteTable('clip_lists', {
  number: integer('number').primaryKey(),
  companyId: text('company_id').notNull().unique(),
  /** How many clips the company has. */
  clips: integer('clips').notNull().default(0),
})

/** What each clip is sorted by and counted by: narrow rows, which a filter or a facet reads by the thousand. */
export const clipKeys = sqliteTable(
  'clip_keys',
  {
    /** `clip_lists.number` in the upper bits, `listed_clips.row` in the lower 32: also the rowid in `clip_words`. */
    doc: integer('doc').primaryKey(),
    list: integer('list').notNull(),
    clipId: text('clip_id').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    duration: real('duration').notNull(),
    viralityScore: real('virality_score').notNull(),
    /** Without accents and case, its first 100 letters. */
    title: text('title').notNull(),
    /** Ids of its `clip_terms`, each with a space before and after. */
    terms: text('terms').notNull(),
  },
  (table) => [
    index('clip_keys_by_created').on(table.list, table.createdAt, table.clipId),
    // Clips of a short range are most often shown by their creation: these two need no other look-up for that.
    index('clip_keys_by_updated').on(table.list, table.updatedAt, table.clipId, table.createdAt),
    index('clip_keys_by_duration').on(table.list, table.duration, table.clipId, table.createdAt),
    index('clip_keys_by_virality').on(table.list, table.viralityScore, table.clipId),
    index('clip_keys_by_title').on(table.list, table.title, table.clipId),
  ],
)

/** Every tag, person, keyword, status, aspect ratio and workflow that clips of a company have, and how many have it. */
export const clipTerms = sqliteTable(
  'clip_terms',
  {
    id: integer('id').primaryKey(),
    list: integer('list').notNull(),
    /** One of clip-lists/index-sql.ts TERM_KINDS. */
    kind: text('kind').notNull(),
    /** Without case. */
    key: text('key').notNull(),
    /** As it was first written. */
    label: text('label').notNull(),
    clips: integer('clips').notNull(),
  },
  (table) => [uniqueIndex('clip_terms_by_key').on(table.list, table.kind, table.key)],
)

/** How letters beyond ASCII are compared (clip-lists/letters.ts). */
export const clipLetters = sqliteTable('clip_letters', {
  letter: text('letter').primaryKey(),
  plain: text('plain').notNull(),
  word: text('word').notNull(),
  lower: text('lower').notNull(),
})
