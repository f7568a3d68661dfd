/** Watched folders, what was taken from them, and the files that were written for them. */
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Failure } from '../contract/errors.ts'
import type { WATCH_STATES, WatchedFileState, WatchStatus } from '../contract/watch.ts'
import { ofCompany } from './schema-companies.ts'

export const watchFolders = sqliteTable('watch_folders', {
  id: text('id').primaryKey(),
  companyId: ofCompany(),
  workflowId: text('workflow_id').notNull(),
  /** Real paths, without links. */
  folder: text('folder').notNull(),
  output: text('output'),
  /** Whether it was a mount point when it was added: as an ordinary folder it is a share that is away. */
  folderIsMount: integer('folder_is_mount', { mode: 'boolean' }).notNull(),
  outputIsMount: integer('output_is_mount', { mode: 'boolean' }).notNull(),
  settleSeconds: integer('settle_seconds').notNull(),
  /** Until the first look has marked what is there as skipped. */
  skipsExisting: integer('skips_existing', { mode: 'boolean' }).notNull(),
  state: text('state').$type<(typeof WATCH_STATES)[number]>().notNull(),
  status: text('status', { mode: 'json' }).$type<WatchStatus>().notNull(),
  createdAt: integer('created_at').notNull(),
})

/** A content that was met in a folder, under its present path; a later content of the same path is another row. */
export const watchedFiles = sqliteTable(
  'watched_files',
  {
    id: text('id').primaryKey(),
    folderId: text('folder_id')
      .notNull()
      .references(() => watchFolders.id, { onDelete: 'cascade' }),
    /** Below the folder, with forward slashes. */
    path: text('path').notNull(),
    bytes: integer('bytes').notNull(),
    /** Milliseconds, as the file system gives it. */
    modifiedAt: integer('modified_at').notNull(),
    /** Device and file number; they may change when a share is mounted again. */
    fileId: text('file_id').notNull(),
    /** SHA-256; null where it was not read. */
    digest: text('digest'),
    state: text('state').$type<WatchedFileState>().notNull(),
    /** Of what was taken; a run that was removed since is not there any more. */
    runId: text('run_id'),
    failure: text('failure', { mode: 'json' }).$type<Failure | null>(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    index('watched_files_by_path').on(table.folderId, table.path),
    index('watched_files_by_digest').on(table.folderId, table.digest),
    index('watched_files_by_run').on(table.runId),
  ],
)

/** A clip that was written to the output folder. */
export const watchOutputs = sqliteTable(
  'watch_outputs',
  {
    folderId: text('folder_id')
      .notNull()
      .references(() => watchFolders.id, { onDelete: 'cascade' }),
    clipId: text('clip_id').notNull(),
    /** The rendered file that was written, relative to the home: another one replaces it. */
    rendered: text('rendered').notNull(),
    /** Its name in the output folder, without an ending. */
    name: text('name').notNull(),
    writtenAt: integer('written_at').notNull(),
    /** The file of its delivery profile that was written beside it, relative to the home; empty: none. */
    delivered: text('delivered').notNull().default(''),
  },
  (table) => [primaryKey({ columns: [table.folderId, table.clipId] })],
)
