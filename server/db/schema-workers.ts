/** Worker nodes that have joined: each has a token of its own, which ends with its row's `revokedAt`. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const workerNodes = sqliteTable('worker_nodes', {
  /** The claim `node_id` of its token. */
  id: text('id').primaryKey(),
  /** Whom the token that it joined with was made for. */
  name: text('name').notNull(),
  joinedAt: integer('joined_at').notNull(),
  /** When it renewed its token last. */
  seenAt: integer('seen_at').notNull(),
  /** Null: it may work. */
  revokedAt: integer('revoked_at'),
})
