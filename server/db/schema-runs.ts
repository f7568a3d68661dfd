/** Runs, their stages, and their picks: what people had found besides what the workflow finds (contract/review.ts). */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Failure } from '../contract/errors.ts'
import type { KnownRange, PickRequest, PickState } from '../contract/review.ts'
import type { RunSnapshot, RunStatus } from '../contract/run.ts'
import type { Metadata } from '../contract/metadata.ts'
import type { StageName } from '../../workers/stages/catalog.ts'
import { ofCompany } from './schema-companies.ts'

const created = () => integer('created_at').notNull()
const updated = () => integer('updated_at').notNull()

export const runs = sqliteTable(
  'runs',
  {
    id: text('id').primaryKey(),
    companyId: ofCompany(),
    workflowId: text('workflow_id').notNull(),
    /** Moves forward only. */
    status: text('status').$type<RunStatus>().notNull(),
    /** Frozen: workflow, merged node configs, source, channel, pipeline version. */
    snapshot: text('snapshot', { mode: 'json' }).$type<RunSnapshot>().notNull(),
    channel: text('channel').notNull(),
    pipelineVersion: text('pipeline_version').notNull(),
    sourceDigest: text('source_digest'),
    /** That of the snapshot, where lists and events find it. */
    metadata: text('metadata', { mode: 'json' })
      .$type<Metadata>()
      .notNull()
      .default(sql`'{}'`),
    progress: real('progress').notNull().default(0),
    stage: text('stage').notNull().default(''),
    warnings: text('warnings', { mode: 'json' })
      .$type<string[]>()
      .notNull()
      .default(sql`'[]'`),
    errorCode: text('error_code'),
    error: text('error'),
    createdAt: created(),
    updatedAt: updated(),
    startedAt: integer('started_at'),
    finishedAt: integer('finished_at'),
  },
  (table) => [index('runs_by_company').on(table.companyId, table.createdAt, table.id)],
)

/** One row per stage of a run: what progress, resume and the run page read. */
export const runStages = sqliteTable(
  'run_stages',
  {
    runId: text('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    /** Place in the plan: `probe`, `clip:3:cut`. */
    slot: text('slot').notNull(),
    stage: text('stage').$type<StageName>().notNull(),
    key: text('key').notNull(),
    state: text('state').$type<'running' | 'finished' | 'failed'>().notNull(),
    reused: integer('reused', { mode: 'boolean' }).notNull().default(false),
    /** How many times it was started: a finished stage is never started again. */
    attempts: integer('attempts').notNull().default(0),
    /** Starts since the run last made progress: a stage finished, or a checkpoint reached further. These are limited. */
    attemptsSinceProgress: integer('attempts_since_progress').notNull().default(0),
    /** How far the stage's checkpoints have reached under this key, as the stage counts it. */
    checkpoint: integer('checkpoint').notNull().default(0),
    output: text('output', { mode: 'json' }),
    failure: text('failure', { mode: 'json' }).$type<Failure | null>(),
    milliseconds: integer('milliseconds'),
    startedAt: integer('started_at').notNull(),
    finishedAt: integer('finished_at'),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.slot] }),
    /** The metrics read what has ended since they were read before. */
    index('run_stages_by_end').on(table.finishedAt),
  ],
)

export const runPicks = sqliteTable(
  'run_picks',
  {
    id: text('id').primaryKey(),
    runId: text('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    /** From 1 within the run: in `clips.pick`, and in the slots of its stages, such as `pick:2:find-clips`. */
    number: integer('number').notNull(),
    request: text('request', { mode: 'json' }).$type<PickRequest>().notNull(),
    state: text('state').$type<PickState>().notNull(),
    /** Ranges that clips of the run had when its candidates were found; null until then. */
    known: text('known', { mode: 'json' }).$type<KnownRange[] | null>(),
    failure: text('failure', { mode: 'json' }).$type<Failure | null>(),
    createdAt: created(),
    updatedAt: updated(),
  },
  (table) => [uniqueIndex('run_picks_by_number').on(table.runId, table.number)],
)
