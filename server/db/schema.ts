/** Tables. Times are integer milliseconds, ids random (ids.ts), JSON columns typed in contract/. */
import { sql } from 'drizzle-orm'
import {
  blob,
  index,
  integer,
  real,
  sqliteTable,
  text,
  uniqueIndex,
  type AnySQLiteColumn,
} from 'drizzle-orm/sqlite-core'
import type { LibraryKind } from '../contract/library.ts'
import type { ClipDocument } from '../contract/clip.ts'
import type { ClipFeatures } from '../contract/clip-candidate.ts'
import type { Failure } from '../contract/errors.ts'
import type { RenderWarning } from '../contract/render-warnings.ts'
import type { ReviewState } from '../contract/review.ts'
import type { Scope } from '../contract/scopes.ts'
import type { TasteModel } from '../contract/learning.ts'
import type { TranscriptWord } from '../contract/transcript.ts'
import type { WorkflowGraph } from '../contract/workflow.ts'
import type { OperationKind, OperationState } from '../jobs/queue.ts'
import { companies, ofCompany } from './schema-companies.ts'
import { people } from './schema-people.ts'
import { runs } from './schema-runs.ts'

const created = () => integer('created_at').notNull()
const updated = () => integer('updated_at').notNull()

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    companyId: ofCompany(),
    name: text('name').notNull(),
    /** SHA-256 of the whole key, hex: a key has 256 random bits, so a slow hash adds nothing. */
    hash: text('hash').notNull(),
    createdAt: created(),
    lastUsedAt: integer('last_used_at'),
    revokedAt: integer('revoked_at'),
    /** Null: from before there were scopes. */
    scopes: text('scopes', { mode: 'json' }).$type<Scope[] | null>(),
    /** Null: it does not end by itself. */
    expiresAt: integer('expires_at'),
  },
  (table) => [index('api_keys_by_company').on(table.companyId)],
)

export const workflows = sqliteTable(
  'workflows',
  {
    id: text('id').primaryKey(),
    companyId: ofCompany(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    /** { nodes, edges } as in contract/workflow.ts. */
    graph: text('graph', { mode: 'json' }).$type<WorkflowGraph>().notNull(),
    revision: integer('revision').notNull().default(1),
    createdAt: created(),
    updatedAt: updated(),
  },
  (table) => [index('workflows_by_company').on(table.companyId, table.createdAt, table.id)],
)

/** A kept source file, once per content. */
export const sources = sqliteTable('sources', {
  digest: text('digest').primaryKey(),
  bytes: integer('bytes').notNull(),
  mediaType: text('media_type').notNull(),
  createdAt: created(),
})

/** What is known of an address from earlier fetches, so that an unchanged source is not fetched again. */
export const sourceAddresses = sqliteTable('source_addresses', {
  url: text('url').primaryKey(),
  digest: text('digest')
    .notNull()
    .references(() => sources.digest),
  etag: text('etag'),
  lastModified: text('last_modified'),
  fetchedAt: integer('fetched_at').notNull(),
})

export const clips = sqliteTable(
  'clips',
  {
    id: text('id').primaryKey(),
    companyId: ofCompany(),
    workflowId: text('workflow_id').notNull(),
    runId: text('run_id').references(() => runs.id, { onDelete: 'cascade' }),
    /** Order in which the run found it. */
    ordinal: integer('ordinal').notNull(),
    sourceDigest: text('source_digest').notNull(),
    /** Number of the pick that found it (schema-runs.ts); 0: the run itself. Ordinals begin anew in each. */
    pick: integer('pick').notNull().default(0),
    /** Listed: its own stages are finished. */
    published: integer('published', { mode: 'boolean' }).notNull().default(false),
    title: text('title').notNull(),
    duration: real('duration').notNull(),
    viralityScore: real('virality_score').notNull(),
    /** The saved document (contract/clip.ts), without media addresses: those are made when it is read. */
    document: text('document', { mode: 'json' }).$type<ClipDocument>().notNull(),
    /** Render key of the composition that `renderedMedia` shows; null: edited since, or never rendered. */
    renderKey: text('render_key'),
    renderedMedia: text('rendered_media'),
    renderedThumbnailMedia: text('rendered_thumbnail_media'),
    /** What the render of `renderedMedia` lost; null as that is, and of renders before this was kept. */
    renderWarnings: text('render_warnings', { mode: 'json' }).$type<RenderWarning[]>(),
    review: text('review').$type<ReviewState>().notNull().default('undecided'),
    /** Rises with every keeping within the run; null: not kept. */
    keptOrder: integer('kept_order'),
    revision: integer('revision').notNull().default(1),
    createdAt: created(),
    updatedAt: updated(),
  },
  (table) => [
    index('clips_by_company').on(table.companyId, table.createdAt, table.id),
    index('clips_by_run').on(table.runId, table.ordinal),
  ],
)

/** What a clip's score was computed from, for learning. Numbers only, so that it may outlive the clip. */
export const clipExamples = sqliteTable(
  'clip_examples',
  {
    clipId: text('clip_id').primaryKey(),
    companyId: ofCompany(),
    /** Clips of one run were chosen from, so they are compared with each other. */
    runId: text('run_id').notNull(),
    /** FEATURES_VERSION in contract/clip-candidate.ts. */
    version: integer('version').notNull(),
    features: text('features', { mode: 'json' }).$type<ClipFeatures>().notNull(),
    /** 0 to 100, as the scorer gave it: before anything learned. */
    score: real('score').notNull(),
    createdAt: created(),
    /** When somebody deleted the clip; null while nobody did. */
    deletedAt: integer('deleted_at'),
  },
  (table) => [index('clip_examples_by_company').on(table.companyId, table.createdAt)],
)

/** What was learned from a company's own results, the newest only. */
export const tasteModels = sqliteTable('taste_models', {
  companyId: text('company_id')
    .primaryKey()
    .references(() => companies.id),
  /** 1 for the first, then one more each time that it is learned anew. */
  version: integer('version').notNull(),
  /** SHA-256 of the examples: learned anew when they are others. */
  digest: text('digest').notNull(),
  examples: integer('examples').notNull(),
  model: text('model', { mode: 'json' }).$type<TasteModel>().notNull(),
  trainedAt: integer('trained_at').notNull(),
})

/** A clip's own words, padding included; edited apart from the document. */
export const clipTranscripts = sqliteTable('clip_transcripts', {
  clipId: text('clip_id')
    .primaryKey()
    .references(() => clips.id, { onDelete: 'cascade' }),
  origin: text('origin').notNull(),
  language: text('language').notNull(),
  words: text('words', { mode: 'json' }).$type<TranscriptWord[]>().notNull(),
  revision: integer('revision').notNull().default(1),
  updatedAt: updated(),
})

/**
 * A file that anyone who holds its unguessable token may fetch: /media/{token}/{name}. Of one stored file each clip has a row of its
 * own, so that its addresses end with it.
 */
export const media = sqliteTable(
  'media',
  {
    id: text('id').primaryKey(),
    /** What its address holds: 160 random bits, URL-safe, and others once its addresses were revoked. */
    token: text('token').notNull().default(''),
    companyId: text('company_id').notNull(),
    /** The clip that it is of; null: of the company (library, run), or from before clips had rows of their own. */
    clipId: text('clip_id').references(() => clips.id, { onDelete: 'cascade' }),
    /** Relative to the home: `artefacts/...` or `sources/...`; made by us, never from input. */
    path: text('path').notNull(),
    /** Name at the end of the address and in downloads: `clip.mp4`. */
    name: text('name').notNull(),
    mediaType: text('media_type').notNull(),
    bytes: integer('bytes').notNull(),
    etag: text('etag').notNull(),
    createdAt: created(),
  },
  (table) => [
    uniqueIndex('media_by_company_path')
      .on(table.companyId, table.path, table.name)
      .where(sql`clip_id is null`),
    uniqueIndex('media_by_clip_path').on(table.clipId, table.path, table.name),
    uniqueIndex('media_by_token').on(table.token),
  ],
)

/** The durable queue: one row per long piece of work. */
export const operations = sqliteTable(
  'operations',
  {
    id: text('id').primaryKey(),
    companyId: text('company_id').notNull(),
    kind: text('kind').$type<OperationKind>().notNull(),
    subjectId: text('subject_id').notNull(),
    state: text('state').$type<OperationState>().notNull(),
    input: text('input', { mode: 'json' }),
    result: text('result', { mode: 'json' }),
    failure: text('failure', { mode: 'json' }).$type<Failure | null>(),
    progress: real('progress').notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    /** Not before this time, for backoff. */
    availableAt: integer('available_at').notNull(),
    leaseOwner: text('lease_owner'),
    leaseUntil: integer('lease_until'),
    cancelRequested: integer('cancel_requested', { mode: 'boolean' }).notNull().default(false),
    createdAt: created(),
    updatedAt: updated(),
  },
  (table) => [
    index('operations_by_state').on(table.state, table.availableAt),
    index('operations_by_subject').on(table.kind, table.subjectId),
  ],
)

/** Folders of a company's library of pictures and videos. */
export const libraryFolders = sqliteTable(
  'library_folders',
  {
    id: text('id').primaryKey(),
    companyId: ofCompany(),
    name: text('name').notNull(),
    createdAt: created(),
  },
  (table) => [uniqueIndex('library_folders_by_name').on(table.companyId, table.name)],
)

/** A picture or video of a company's library, once per content; its file lies in the sources folder. */
export const libraryItems = sqliteTable(
  'library_items',
  {
    id: text('id').primaryKey(),
    companyId: ofCompany(),
    /** Null: in no folder. */
    folderId: text('folder_id').references(() => libraryFolders.id, { onDelete: 'set null' }),
    name: text('name').notNull(),
    /** Lower case, sorted. */
    tags: text('tags', { mode: 'json' }).$type<string[]>().notNull(),
    kind: text('kind').$type<LibraryKind>().notNull(),
    /** SHA-256 of the kept file. */
    digest: text('digest').notNull(),
    mediaType: text('media_type').notNull(),
    bytes: integer('bytes').notNull(),
    /** Pixels, as shown. */
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** Of a video; null for a picture. */
    durationMs: integer('duration_ms'),
    createdAt: created(),
  },
  (table) => [
    uniqueIndex('library_items_by_content').on(table.companyId, table.digest),
    index('library_items_by_company').on(table.companyId, table.createdAt, table.id),
    index('library_items_by_digest').on(table.digest),
  ],
)

export const uploads = sqliteTable('uploads', {
  id: text('id').primaryKey(),
  companyId: text('company_id').notNull(),
  displayName: text('display_name').notNull(),
  /** Of the whole file, however much of it is there. */
  bytes: integer('bytes').notNull(),
  createdAt: created(),
  /** Whether all bytes are there: one that comes in pieces has its row before them. */
  complete: integer('complete', { mode: 'boolean' }).notNull().default(true),
  /** When a piece came last; null: it came at once. */
  writtenAt: integer('written_at'),
  /** Upload-Metadata of the tus protocol, as the client sent it. */
  tusMetadata: text('tus_metadata'),
})

/** Studio sessions, and one-time links that become one. Hashes only. */
export const sessions = sqliteTable('sessions', {
  hash: text('hash').primaryKey(),
  kind: text('kind').notNull(),
  /** How a session was signed in; null: by a link, before there were other ways. */
  way: text('way').$type<'link' | 'password' | 'passkey' | 'provider' | 'invitation'>(),
  /** What the browser calls itself, and the address that it was seen at last. */
  userAgent: text('user_agent'),
  address: text('address'),
  /** To a few minutes. */
  lastUsedAt: integer('last_used_at'),
  /** Null only for those of before there were people; the first owner takes them over. */
  personId: text('person_id').references((): AnySQLiteColumn => people.id, { onDelete: 'cascade' }),
  createdAt: created(),
  expiresAt: integer('expires_at').notNull(),
})

/**
 * What search by meaning reads: for each run with a transcript the passages of it, their words, and their vectors. All of
 * it goes with the run and with the company. The words are in the full-text index `passage_words` (scope, words; its rowid
 * is the id of the passage), which the migration makes together with the trigger that removes from it; `scope` holds
 * `c{HEX}`, HEX being the company id, as in schema-search.ts.
 */
export const passageIndexes = sqliteTable(
  'passage_indexes',
  {
    runId: text('run_id')
      .primaryKey()
      .references(() => runs.id, { onDelete: 'cascade' }),
    companyId: text('company_id')
      .notNull()
      .references(() => companies.id, { onDelete: 'cascade' }),
    /** Name and content of the model that was installed; `none` where none was. */
    model: text('model').notNull(),
    /** Version of the stage that split the transcript. */
    version: integer('version').notNull(),
    /** When the run had ended then, milliseconds; a run that was resumed ends again. */
    endedAt: integer('ended_at'),
    /** `stage/key` of the transcripts, JSON: the rows go when one of them does. */
    transcripts: text('transcripts', { mode: 'json' }).$type<readonly string[]>().notNull(),
    passages: integer('passages').notNull(),
    /** Numbers in a vector. */
    size: integer('size').notNull(),
    /** Why there are no vectors although a model is installed; one sentence. */
    problem: text('problem'),
    indexedAt: integer('indexed_at').notNull(),
    /**
     * Packed vectors in the order of the passages (contract/passages.ts); null: words only. The last column, because
     * SQLite reads through it to whatever comes after.
     */
    vectors: blob('vectors', { mode: 'buffer' }),
  },
  (table) => [index('passage_indexes_by_company').on(table.companyId, table.model)],
)

export const passages = sqliteTable(
  'passages',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    runId: text('run_id')
      .notNull()
      .references(() => passageIndexes.runId, { onDelete: 'cascade' }),
    companyId: text('company_id').notNull(),
    /** Place among the passages of the run, and among its vectors. */
    place: integer('place').notNull(),
    /** Of a livestream: which part; null: the source is one file. */
    chunk: integer('chunk'),
    /** Seconds of the source, or of its part. */
    start: real('start').notNull(),
    end: real('end').notNull(),
    text: text('text').notNull(),
  },
  (table) => [uniqueIndex('passages_by_place').on(table.runId, table.place)],
)

/** Appliance-wide values: its id, signing keys, first-start marks. */
export const settings = sqliteTable('settings', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
})

export * from './schema-companies.ts'
export * from './schema-posts.ts'
export * from './schema-promises.ts'
export * from './schema-access.ts'
export * from './schema-people.ts'
export * from './schema-social.ts'
export * from './schema-search.ts'
export * from './schema-listed-clips.ts'
export * from './schema-events.ts'
export * from './schema-voices.ts'
export * from './schema-runs.ts'
export * from './schema-watch.ts'
export * from './schema-workers.ts'
export * from './schema-shares.ts'
export * from './schema-clip-edits.ts'
export * from './schema-brand-kits.ts'
