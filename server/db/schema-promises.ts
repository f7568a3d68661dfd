/** What was promised of runs and renders, and when they were done: what new promises are made from. */
import { index, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { PromisedKind } from '../domain/promises/predict.ts'

export const promises = sqliteTable(
  'promises',
  {
    operationId: text('operation_id').primaryKey(),
    kind: text('kind').$type<PromisedKind>().notNull(),
    companyId: text('company_id').notNull(),
    subjectId: text('subject_id').notNull(),
    workflowId: text('workflow_id'),
    /** Length of the source or the clip; null: not known yet. */
    mediaSeconds: real('media_seconds'),
    /** When it was seen to run. */
    startedAt: integer('started_at'),
    /** When the promise was made: as soon as its length was known, and such work had been measured here. */
    promisedAt: integer('promised_at'),
    /** What was predicted then, without a margin. */
    predictedMs: integer('predicted_ms'),
    /** When it was to be done. */
    readyAt: integer('ready_at'),
    /** When it will be done, as it is seen now; null: nobody can tell, or it has ended. */
    expectedAt: integer('expected_at'),
    endedAt: integer('ended_at'),
    /** It ended well, in one attempt, and most of its results were made and not found: others are judged by it. */
    measured: integer('measured', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    index('promises_by_end').on(table.endedAt),
    index('promises_by_subject').on(table.kind, table.subjectId),
  ],
)
