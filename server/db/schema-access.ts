/** Tables of the tenant API: who may call for a tenant, stored answers, confirmations, and confirmed runs. */
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { ConfirmationAction, ConfirmationState, DispatchState } from '../contract/tenant-api/workflow.ts'
import { ofCompany } from './schema-companies.ts'
import type { Failure } from '../contract/errors.ts'
import type { RunSnapshot } from '../contract/run.ts'
import type { Scope } from '../contract/scopes.ts'

/** An OAuth client: a service that calls for tenants. */
export const clients = sqliteTable('clients', {
  id: text('id').primaryKey(),
  /** The company that registered it; others may grant to it too. */
  companyId: ofCompany(),
  name: text('name').notNull(),
  createdAt: integer('created_at').notNull(),
})

/** A company's leave to a client, until a moment. */
export const clientGrants = sqliteTable(
  'client_grants',
  {
    clientId: text('client_id')
      .notNull()
      .references(() => clients.id, { onDelete: 'cascade' }),
    companyId: ofCompany(),
    expiresAt: integer('expires_at').notNull(),
    createdAt: integer('created_at').notNull(),
    /** Null: everything, as before there were scopes. */
    scopes: text('scopes', { mode: 'json' }).$type<Scope[] | null>(),
  },
  (table) => [primaryKey({ columns: [table.clientId, table.companyId] })],
)

/** Who else may issue delegations: public keys only. */
export const trustedIssuers = sqliteTable('trusted_issuers', {
  issuer: text('issuer').primaryKey(),
  /** A JSON Web Key Set of public keys. */
  jwks: text('jwks', { mode: 'json' }).notNull(),
  /** The companies that it may speak for; null: every one. */
  companies: text('companies', { mode: 'json' }).$type<string[] | null>(),
  createdAt: integer('created_at').notNull(),
})

/** Answers to requests with an Idempotency-Key, for 24 hours. */
export const idempotentAnswers = sqliteTable(
  'idempotent_answers',
  {
    companyId: text('company_id').notNull(),
    clientId: text('client_id').notNull(),
    /** `POST /social/posts` */
    route: text('route').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of everything that makes two requests the same one. */
    requestDigest: text('request_digest').notNull(),
    /** The process that carries it out; null when it is answered. */
    owner: text('owner'),
    status: integer('status'),
    headers: text('headers', { mode: 'json' }).$type<Record<string, string>>(),
    body: text('body'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.clientId, table.route, table.key] }),
    index('idempotent_answers_by_age').on(table.createdAt),
  ],
)

/** What an agent has prepared and a person decides on. */
export const confirmations = sqliteTable(
  'confirmations',
  {
    id: text('id').primaryKey(),
    companyId: ofCompany(),
    clientId: text('client_id').notNull(),
    /** The principal that prepared it. */
    preparedBy: text('prepared_by').notNull(),
    action: text('action').$type<ConfirmationAction>().notNull(),
    /** What it is about: a post or a workflow, at one revision. */
    subjectId: text('subject_id').notNull(),
    subjectRevision: integer('subject_revision').notNull(),
    /** What the action will be given. */
    payload: text('payload', { mode: 'json' }),
    /** What a person is shown. */
    preview: text('preview', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    state: text('state').$type<Exclude<ConfirmationState, 'expired'>>().notNull(),
    expiresAt: integer('expires_at').notNull(),
    decidedBy: text('decided_by'),
    decidedAt: integer('decided_at'),
    consentText: text('consent_text'),
    consentSource: text('consent_source'),
    consumedAt: integer('consumed_at'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('confirmations_by_company').on(table.companyId, table.createdAt)],
)

/** Runs that were confirmed and are not started yet, or were. */
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
