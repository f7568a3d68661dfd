/** Tables of who uses the studio, and of what everybody did. */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Actor } from '../contract/audit.ts'
import { companies } from './schema-companies.ts'

/** A person who uses the studio. One-time links and sessions belong to one; both end with it. */
export const people = sqliteTable('people', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  role: text('role').$type<'owner' | 'editor' | 'viewer'>().notNull(),
  /** The only company that they work for; null: every one. Owners have every one. */
  companyId: text('company_id').references(() => companies.id),
  createdAt: integer('created_at').notNull(),
  /** When a session of theirs was seen last, to a few minutes. */
  lastSeenAt: integer('last_seen_at'),
})

/** One row for each call that changes something. It refers to nothing: rows outlive what they name. */
export const auditLog = sqliteTable(
  'audit_log',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    at: integer('at').notNull(),
    actorKind: text('actor_kind').$type<Actor['kind']>().notNull(),
    /** Id of the person, key or client; subject of a service; user of the machine; address of nobody. */
    actorId: text('actor_id').notNull(),
    /** Name of the person, or subject of a delegation; null where there is none. */
    actorName: text('actor_name'),
    companyId: text('company_id'),
    /** `POST`; `CLI` for a command. */
    method: text('method').notNull(),
    /** Template of the route, never the address: `/studio/clips/:clipId`. */
    route: text('route').notNull(),
    resourceId: text('resource_id'),
    /** HTTP status of the answer; 499: who asked had gone. Of a command its exit code. */
    status: integer('status').notNull(),
    requestId: text('request_id').notNull(),
  },
  (table) => [index('audit_log_by_age').on(table.at)],
)
