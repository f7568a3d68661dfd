/** Posts on social platforms, what their refreshes brought, and when the next one is due. */
import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Failure } from '../contract/errors.ts'
import type { Visibility } from '../contract/platforms/platform.ts'
import type { Platform } from '../contract/post.ts'
import type { PostState } from '../domain/publishing/action-rules.ts'
import { ofCompany } from './schema-companies.ts'

/**
 * A post on a social platform. Its counters are those of the newest refresh. The lists show what was published and what
 * failed at it, so their indexes hold only that; every list is a walk along one of them.
 */
export const posts = sqliteTable(
  'posts',
  {
    id: text('id').primaryKey(),
    companyId: ofCompany(),
    /** The clip it was made from, which may be gone. */
    clipId: text('clip_id'),
    /** Who wrote it last: the person or the delegation's subject; null: not known. */
    editedBy: text('edited_by'),
    platform: text('platform').$type<Platform>().notNull(),
    text: text('text').notNull(),
    status: text('status').$type<PostState>().notNull(),
    postUrl: text('post_url'),
    nativeId: text('native_id'),
    /** What was published: a path (`/media/...`) of this appliance, or a whole address. */
    mediaUrl: text('media_url'),
    thumbnailUrl: text('thumbnail_url'),
    /** When it was published, or failed to be; null before. */
    publishedAt: integer('published_at'),
    /** The account that it goes out by; null: a package is written instead. */
    accountId: text('account_id'),
    title: text('title'),
    visibility: text('visibility').$type<Visibility>().notNull().default('public'),
    firstComment: text('first_comment'),
    /** The moment of the clip that is its cover; null: the usual one. */
    coverSeconds: real('cover_seconds'),
    /** When it is to go out; null: as soon as it is approved. */
    scheduledAt: integer('scheduled_at'),
    failure: text('failure', { mode: 'json' }).$type<Failure | null>(),
    /** One sentence about how it went out. */
    note: text('note'),
    /** Where it stands in the lists and in the calendar. */
    momentAt: integer('moment_at')
      .notNull()
      .generatedAlwaysAs(sql`(coalesce(published_at, scheduled_at, created_at))`, { mode: 'virtual' }),
    views: integer('views').notNull().default(0),
    likes: integer('likes').notNull().default(0),
    comments: integer('comments').notNull().default(0),
    shares: integer('shares').notNull().default(0),
    /** Null before the first refresh. */
    engagementScore: real('engagement_score'),
    /** Percent between the two newest refreshes; null before the second. */
    growthRate: real('growth_rate'),
    analyticsAt: integer('analytics_at'),
    revision: integer('revision').notNull().default(1),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => {
    const listed = sql`status in ('success', 'error')`
    const { companyId, publishedAt, id } = table
    return [
      check('posts_listed_have_time', sql`status not in ('success', 'error') or published_at is not null`),
      index('posts_by_date').on(companyId, publishedAt, id).where(listed),
      index('posts_by_views').on(companyId, table.views, publishedAt, id).where(listed),
      index('posts_by_likes').on(companyId, table.likes, publishedAt, id).where(listed),
      index('posts_by_comments').on(companyId, table.comments, publishedAt, id).where(listed),
      index('posts_by_clip').on(companyId, table.clipId, publishedAt, id).where(listed),
      index('posts_by_moment').on(companyId, table.momentAt, id),
      index('posts_by_state').on(companyId, table.status, table.momentAt, id),
      index('posts_of_clip').on(table.clipId),
    ]
  },
)

/** What a platform said of a post, refresh by refresh. */
export const postAnalytics = sqliteTable(
  'post_analytics',
  {
    postId: text('post_id')
      .notNull()
      .references(() => posts.id, { onDelete: 'cascade' }),
    refreshedAt: integer('refreshed_at').notNull(),
    views: integer('views').notNull(),
    likes: integer('likes').notNull(),
    comments: integer('comments').notNull(),
    shares: integer('shares').notNull(),
    engagementScore: real('engagement_score').notNull(),
    /** The platform's own metrics, as it names them. */
    platformMetrics: text('platform_metrics', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.postId, table.refreshedAt] })],
)

/**
 * When the counters of each published post are refreshed next. Rows come by a trigger of the migration; a migration that
 * rebuilds `posts` must make it again (test/contract/analytics.test.ts).
 */
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
