/** Tables of publishing: connected accounts, and the outbox of what is to be done on platforms. Posts are in schema.ts. */
import { sql } from 'drizzle-orm'
import { index, integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Failure } from '../contract/errors.ts'
import type { Platform } from '../contract/post.ts'
import type { ActionKind, ActionState } from '../domain/publishing/action-rules.ts'
import { ofCompany } from './schema-companies.ts'
import { posts } from './schema-posts.ts'

/** A company's account on a platform. */
export const socialAccounts = sqliteTable(
  'social_accounts',
  {
    id: text('id').primaryKey(),
    companyId: ofCompany(),
    platform: text('platform').$type<Platform>().notNull(),
    /** Its id on the platform. */
    nativeId: text('native_id').notNull(),
    handle: text('handle').notNull(),
    /** SocialTokens as JSON, sealed (server/secrets.ts) for `social-account:ID`; empty when disconnected. */
    sealedTokens: text('sealed_tokens').notNull(),
    scopes: text('scopes', { mode: 'json' }).$type<string[]>().notNull(),
    /** What the platform needs besides; nothing secret. */
    settings: text('settings', { mode: 'json' }).$type<Record<string, string>>().notNull(),
    /** `expired`: must be connected again. */
    state: text('state').$type<'connected' | 'expired' | 'disconnected'>().notNull(),
    /** When its access ends, where that is known; most are renewed before. */
    expiresAt: integer('expires_at'),
    /** What the platform last refused, as a sentence, and when; null once a call went well. */
    lastError: text('last_error'),
    lastErrorAt: integer('last_error_at'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('social_accounts_by_native').on(table.companyId, table.platform, table.nativeId),
    index('social_accounts_by_company').on(table.companyId, table.createdAt, table.id),
  ],
)

/** The outbox: one row for each publishing or taking back of a post. Its id is the id of the operation that callers see. */
export const socialActions = sqliteTable(
  'social_actions',
  {
    id: text('id').primaryKey(),
    companyId: text('company_id').notNull(),
    postId: text('post_id')
      .notNull()
      .references(() => posts.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<ActionKind>().notNull(),
    state: text('state').$type<ActionState>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Not before this moment: its schedule, then its backoff. */
    availableAt: integer('available_at').notNull(),
    leaseOwner: text('lease_owner'),
    leaseUntil: integer('lease_until'),
    cancelRequested: integer('cancel_requested', { mode: 'boolean' }).notNull().default(false),
    /** What platforms are given so that the same post is not taken twice: the same for every try of a post. */
    key: text('key').notNull(),
    /** What was approved: the confirmation's payload. */
    approved: text('approved', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** What the adapter noted between its steps. */
    memo: text('memo', { mode: 'json' }).$type<Record<string, string | number | boolean | null>>().notNull(),
    /** When the request that makes the post public was begun; null: it was not. */
    sendingAt: integer('sending_at'),
    startedAt: integer('started_at'),
    progress: real('progress').notNull().default(0),
    result: text('result', { mode: 'json' }),
    failure: text('failure', { mode: 'json' }).$type<Failure | null>(),
    confirmationId: text('confirmation_id').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    index('social_actions_by_state').on(table.state, table.availableAt),
    index('social_actions_by_post').on(table.postId, table.createdAt),
    // Never two at once for a post: not even by a fault of ours is it published twice at the same time.
    uniqueIndex('social_actions_open')
      .on(table.postId, table.kind)
      .where(sql`state in ('queued', 'running')`),
  ],
)
