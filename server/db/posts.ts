/**
 * Queries of posts and their analytics. Lists are walks along an index from a row's values on (`(a, b) < (?, ?)`, which
 * drizzle would write as ORs that SQLite cannot seek by), so that page ten thousand costs what the first one does.
 */
import { and, desc, eq } from 'drizzle-orm'
import type { PostSort } from '../contract/post.ts'
import type { Db } from './client.ts'
import { prepareOnce } from './prepared.ts'
import { insertInto, listWhere, saveInto, type Orm } from './rows.ts'
import { postAnalytics, posts } from './schema.ts'

/** Without `failure`, which only publishing reads (social-posts.ts). */
export type PostRow = Omit<typeof posts.$inferSelect, 'editedBy' | 'failure'>
export type NewPost = typeof posts.$inferInsert
export type PostAnalyticsRow = typeof postAnalytics.$inferSelect

/** What the lists show: published, or failed at it. The indexes hold this condition word by word. */
const LISTED = `status in ('success', 'error')`

const COLUMNS = `id, company_id as companyId, clip_id as clipId, platform, text, status, post_url as postUrl,
  native_id as nativeId, media_url as mediaUrl, thumbnail_url as thumbnailUrl, published_at as publishedAt,
  account_id as accountId, title, visibility, first_comment as firstComment, scheduled_at as scheduledAt,
  note, moment_at as momentAt,
  views, likes, comments, shares, engagement_score as engagementScore, growth_rate as growthRate,
  analytics_at as analyticsAt, revision, created_at as createdAt, updated_at as updatedAt`

/** Leading columns of the order; publish time and id decide between equals. */
const ORDER: Readonly<Record<PostSort, readonly string[]>> = {
  date: ['published_at', 'id'],
  views: ['views', 'published_at', 'id'],
  likes: ['likes', 'published_at', 'id'],
  comments: ['comments', 'published_at', 'id'],
}

/** Values of a row in the order's columns. */
export type PostPosition = readonly (string | number)[]

export function positionOf(post: PostRow, sortBy: PostSort): PostPosition {
  const tail = [post.publishedAt ?? 0, post.id]
  return sortBy === 'date' ? tail : [post[sortBy], ...tail]
}

export const positionLength = (sortBy: PostSort): number => ORDER[sortBy].length

export interface PostPage {
  readonly companyId: string
  readonly sortBy: PostSort
  /** Publish time, epoch milliseconds, both inclusive. */
  readonly from: number | null
  readonly to: number | null
  /** The row after which the page starts; null: the first page. */
  readonly after: PostPosition | null
  readonly limit: number
}

const list = (names: readonly string[]): string => names.join(', ')

/** The statement of a page; tests check its query plan. */
export function pageStatement(page: PostPage): { text: string; values: (string | number)[] } {
  const order = ORDER[page.sortBy]
  const conditions = ['company_id = ?', LISTED]
  const values: (string | number)[] = [page.companyId]
  const where = (condition: string, ...bound: (string | number)[]): void => {
    conditions.push(condition)
    values.push(...bound)
  }
  if (page.from !== null) where('published_at >= ?', page.from)
  // A position is inside the bounds already: with both, SQLite might seek by the weaker one.
  if (page.after !== null) where(`(${list(order)}) < (${list(order.map(() => '?'))})`, ...page.after)
  else if (page.to !== null) where('published_at <= ?', page.to)
  const text = `select ${COLUMNS} from posts where ${conditions.join(' and ')}
    order by ${list(order.map((column) => `${column} desc`))} limit ?`
  return { text, values: [...values, page.limit] }
}

/** A page of the posts that the lists show. */
export function listPosts(db: Db, page: PostPage): PostRow[] {
  const { text, values } = pageStatement(page)
  return prepareOnce<PostRow>(db, text).all(...values)
}

/** Every listed post made from a clip, newest first. */
export function listPostsOfClip(
  db: Db,
  clip: { companyId: string; clipId: string; from: number | null; to: number | null },
): PostRow[] {
  const text = `select ${COLUMNS} from posts where company_id = ? and clip_id = ? and ${LISTED}
    and published_at between ? and ? order by published_at desc, id desc`
  const { companyId, clipId, from, to } = clip
  return prepareOnce<PostRow>(db, text).all(
    companyId,
    clipId,
    from ?? Number.MIN_SAFE_INTEGER,
    to ?? Number.MAX_SAFE_INTEGER,
  )
}

/** The company's post, if the lists show it. */
export function getListedPost(db: Db, companyId: string, id: string): PostRow | null {
  const text = `select ${COLUMNS} from posts where id = ? and company_id = ? and ${LISTED}`
  return prepareOnce<PostRow>(db, text).get(id, companyId) ?? null
}

export const insertPost = insertInto(posts)

/** Stores what a refresh brought; the same moment again is replaced. May be called inside a transaction. */
export const savePostAnalytics = saveInto(postAnalytics, ['postId', 'refreshedAt'])

/** The newest refreshes of a post, newest first. */
export function listPostAnalytics(db: Orm, postId: string, limit: number): PostAnalyticsRow[] {
  const order = [desc(postAnalytics.refreshedAt)]
  return listWhere(db, postAnalytics, { where: eq(postAnalytics.postId, postId), order, limit })
}

/** Stores the counters that lists sort by; false when there is no such post. May be called inside a transaction. */
export function savePostRollup(
  db: Orm,
  post: { readonly id: string; readonly companyId: string },
  rollup: Pick<
    PostRow,
    'views' | 'likes' | 'comments' | 'shares' | 'engagementScore' | 'growthRate' | 'analyticsAt' | 'updatedAt'
  >,
): boolean {
  const { changes } = db.orm
    .update(posts)
    // No new revision: counters are no edit, and what was approved stays approved.
    .set({ ...rollup })
    .where(and(eq(posts.id, post.id), eq(posts.companyId, post.companyId)))
    .run()
  return changes > 0
}

/** Records a refresh that brought nothing new. May be called inside a transaction. */
export function savePostRefresh(db: Orm, postId: string, analyticsAt: number): void {
  db.orm.update(posts).set({ analyticsAt }).where(eq(posts.id, postId)).run()
}
