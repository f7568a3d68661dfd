/**
 * What happened: a row for each change of state of a run, a render, a clip, a post or a confirmation, and a delivery for
 * each webhook of its type, written by triggers of the migration in the transaction of the change. Progress is no event.
 * Two more put the metadata of clients into the data of what was written (0031).
 * A migration that rebuilds one of these tables must make its triggers again (test/contract/events.test.ts).
 */
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Delivery, EventType, Webhook } from '../contract/events.ts'
import { ofCompany } from './schema-companies.ts'

export const events = sqliteTable(
  'events',
  {
    /** Order of the stream, and what Last-Event-ID names. Never given twice. */
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    id: text('id').notNull().unique(),
    companyId: text('company_id').notNull(),
    type: text('type').$type<EventType>().notNull(),
    subjectId: text('subject_id').notNull(),
    data: text('data', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** Epoch milliseconds. */
    at: integer('at').notNull(),
  },
  (table) => [index('events_by_age').on(table.at)],
)

/** Where a company wants to be told of events. */
export const webhooks = sqliteTable(
  'webhooks',
  {
    id: text('id').primaryKey(),
    companyId: ofCompany(),
    url: text('url').notNull(),
    /** Sealed (server/secrets.ts) for `webhook:ID`. */
    sealedSecret: text('sealed_secret').notNull(),
    /** Types; `run.*` is all that begin so, `*` all. */
    events: text('events', { mode: 'json' }).$type<string[]>().notNull(),
    /** `paused`: it answered that it is gone. */
    state: text('state').$type<Webhook['state']>().notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [index('webhooks_by_company').on(table.companyId, table.createdAt)],
)

/** One event for one webhook. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: text('id').primaryKey(),
    webhookId: text('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    eventId: text('event_id')
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    /** `dead`: not tried again without a request. */
    state: text('state').$type<Delivery['state']>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Not before this moment. */
    availableAt: integer('available_at').notNull(),
    /** HTTP status of the last answer; null: there was none. */
    responseStatus: integer('response_status'),
    /** One sentence about the last failure. */
    error: text('error'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    index('webhook_deliveries_by_webhook').on(table.webhookId, table.createdAt),
    // What is due to each webhook, however many wait.
    index('webhook_deliveries_due')
      .on(table.webhookId, table.availableAt)
      .where(sql`state = 'queued'`),
    index('webhook_deliveries_by_event').on(table.eventId),
  ],
)
