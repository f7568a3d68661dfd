/**
 * When each published post is to be asked for on its platform next. A row appears by trigger (in the migration) when a
 * post is out by a connected account, in the transaction that makes it so; test/contract/analytics.test.ts fails where a
 * migration that rebuilds `posts` has dropped the trigger.
 */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { posts } from './schema-posts.ts'

export const postRefreshes = sqliteTable(
  'post_refreshes',
  {
    postId: text('post_id')
      .primaryKey()
      .references(() => posts.id, { onDelete: 'cascade' }),
    companyId: text('company_id').notNull(),
    accountId: text('account_id').notNull(),
    /** Not before this moment; null: never again (the platform does not know the post any more). */
    nextAt: integer('next_at'),
    /** When the platform answered last. */
    askedAt: integer('asked_at'),
    /** Failures since the last answer. */
    failures: integer('failures').notNull().default(0),
    /** Answers in a row in which the post was not there. */
    missing: integer('missing').notNull().default(0),
    /** One sentence about the last failure. */
    error: text('error'),
  },
  (table) => [
    index('post_refreshes_by_time').on(table.nextAt),
    index('post_refreshes_by_account').on(table.accountId, table.nextAt),
  ],
)
