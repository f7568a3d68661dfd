/** Queries of posts with their plan: drafts, what is on its way, what went out. The public lists are in posts.ts. */
import { and, count, eq, sql, inArray, ne } from 'drizzle-orm'
import type { Platform } from '../contract/post.ts'
import type { Db } from './client.ts'
import { deleteBy, findBy, listWhere, saveInto, updateBy, type Orm } from './rows.ts'
import { posts, socialAccounts } from './schema.ts'

export type SocialPostRow = typeof posts.$inferSelect

export const getSocialPost = findBy(posts, 'companyId', 'id')

/** Changes a post under a new revision. May be called inside a transaction. */
export function updateSocialPost(
  db: Orm,
  id: string,
  changes: Partial<typeof posts.$inferInsert> & { readonly updatedAt: number },
): void {
  db.orm
    .update(posts)
    .set({ ...changes, revision: sql`${posts.revision} + 1` })
    .where(eq(posts.id, id))
    .run()
}

export const deleteSocialPost = deleteBy(posts, 'id')

export interface SocialPostPage {
  readonly companyId: string
  readonly statuses: readonly string[]
  readonly platforms: readonly string[]
  /** Of `momentAt`, epoch milliseconds, both inclusive. */
  readonly from: number | null
  readonly to: number | null
  /** Only what has a date of its own: scheduled or out. */
  readonly dated: boolean
  readonly order: 'asc' | 'desc'
  readonly after: readonly [number, string] | null
  readonly limit: number
}

/** The statement of a page; tests check its query plan. */
export function socialPageStatement(page: SocialPostPage): { text: string; values: (string | number)[] } {
  const conditions = ['company_id = ?']
  const values: (string | number)[] = [page.companyId]
  const where = (condition: string, ...bound: (string | number)[]): void => {
    conditions.push(condition)
    values.push(...bound)
  }
  const [status, ...more] = page.statuses
  // One status is a walk along its own index; several are picked out along the index of all.
  const one = status !== undefined && more.length === 0
  if (one) where('status = ?', status)
  if (more.length > 0) where('+status in (select value from json_each(?))', JSON.stringify(page.statuses))
  if (page.platforms.length > 0)
    where('+platform in (select value from json_each(?))', JSON.stringify(page.platforms))
  if (page.dated) where('(published_at is not null or scheduled_at is not null)')
  const down = page.order === 'desc'
  // A position is inside the bound that it was reached from: with both, SQLite might seek by the weaker one.
  if (page.after !== null) where(`(moment_at, id) ${down ? '<' : '>'} (?, ?)`, ...page.after)
  if (page.from !== null && (down || page.after === null)) where('moment_at >= ?', page.from)
  if (page.to !== null && (!down || page.after === null)) where('moment_at <= ?', page.to)
  const index = one ? 'posts_by_state' : 'posts_by_moment'
  const text = `select id from posts indexed by ${index} where ${conditions.join(' and ')}
    order by moment_at ${page.order}, id ${page.order} limit ?`
  return { text, values: [...values, page.limit] }
}

/** A page along the calendar. */
export function listSocialPosts(db: Db, page: SocialPostPage): SocialPostRow[] {
  const { text, values } = socialPageStatement(page)
  const ids = db.sqlite
    .prepare<(string | number)[], { id: string }>(text)
    .all(...values)
    .map(({ id }) => id)
  const rows = db.orm
    .select()
    .from(posts)
    .where(sql`${posts.id} in (select value from json_each(${JSON.stringify(ids)}))`)
    .all()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export type SocialAccountRow = typeof socialAccounts.$inferSelect
const present = ne(socialAccounts.state, 'disconnected')

/** The company's accounts that are not disconnected, oldest first. */
export function listAccounts(db: Orm, companyId: string): SocialAccountRow[] {
  const { createdAt, id } = socialAccounts
  return listWhere(db, socialAccounts, {
    where: and(eq(socialAccounts.companyId, companyId), present),
    order: [createdAt, id],
  })
}

/** Every company's accounts that are let in. */
export const connectedAccounts = (db: Orm): SocialAccountRow[] =>
  listWhere(db, socialAccounts, { where: eq(socialAccounts.state, 'connected') })

/** Accounts of these ids, disconnected ones included: posts refer to them. */
export function accountsById(db: Orm, companyId: string, ids: readonly string[]): SocialAccountRow[] {
  if (ids.length === 0) return []
  const own = and(eq(socialAccounts.companyId, companyId), inArray(socialAccounts.id, [...new Set(ids)]))
  return db.orm.select().from(socialAccounts).where(own).all()
}

/** Null: not there, another company's, or disconnected. */
export function getAccount(db: Orm, companyId: string, id: string): SocialAccountRow | null {
  const own = and(eq(socialAccounts.id, id), eq(socialAccounts.companyId, companyId), present)
  return db.orm.select().from(socialAccounts).where(own).get() ?? null
}

/** Also a disconnected one: an account that is connected again keeps its id. */
export function findAccountByNative(
  db: Orm,
  of: { readonly companyId: string; readonly platform: Platform; readonly nativeId: string },
): SocialAccountRow | null {
  const same = and(
    eq(socialAccounts.companyId, of.companyId),
    eq(socialAccounts.platform, of.platform),
    eq(socialAccounts.nativeId, of.nativeId),
  )
  return db.orm.select().from(socialAccounts).where(same).get() ?? null
}

export const saveAccount = saveInto(socialAccounts, ['id'], ['createdAt'])

export const updateAccount = updateBy(socialAccounts, 'id')

/** How many posts wait for their moment, by the account that they would go out by. */
export function countScheduledByAccount(db: Orm, companyId: string): ReadonlyMap<string, number> {
  const rows = db.orm
    .select({ accountId: posts.accountId, waiting: count() })
    .from(posts)
    .where(and(eq(posts.companyId, companyId), eq(posts.status, 'scheduled')))
    .groupBy(posts.accountId)
    .all()
  return new Map(rows.flatMap(({ accountId, waiting }) => (accountId === null ? [] : [[accountId, waiting]])))
}
