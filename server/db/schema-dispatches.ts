/** Table of workflow dispatches: runs that were confirmed and are not started yet, or were. */
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Failure } from '../contract/errors.ts'
import type { RunSnapshot } from '../contract/run.ts'
import type { DispatchState } from '../contract/tenant-api/workflow.ts'
import { ofCompany } from './schema-companies.ts'

export const workflowDispatches = sqliteTable(
  'workflow_dispatches',
  {
    id: text('id').primaryKey(),
    companyId: ofCompany(),
    clientId: text('client_id').notNull(),
    workflowId: text('workflow_id').notNull(),
    /** Of the workflow, as it was confirmed. */
    workflowRevision: integer('workflow_revision').notNull(),
    /** Ids that the run and its operation will have: given out before they are there. */
    runId: text('run_id').notNull(),
    operationId: text('operation_id').notNull(),
    /** What runs: frozen when it was confirmed. */
    snapshot: text('snapshot', { mode: 'json' }).$type<RunSnapshot>().notNull(),
    warnings: text('warnings', { mode: 'json' }).$type<string[]>().notNull(),
    state: text('state').$type<DispatchState>().notNull(),
    failure: text('failure', { mode: 'json' }).$type<Failure | null>(),
    attempts: integer('attempts').notNull().default(0),
    availableAt: integer('available_at').notNull(),
    leaseOwner: text('lease_owner'),
    leaseUntil: integer('lease_until'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    index('workflow_dispatches_by_state').on(table.state, table.availableAt),
    uniqueIndex('workflow_dispatches_by_run').on(table.runId),
    uniqueIndex('workflow_dispatches_by_operation').on(table.operationId),
  ],
)
