/** Queries of which posts are asked for on their platforms, and when (schema-analytics.ts). */
import { and, asc, eq, inArray, isNotNull, lt, lte, sql } from 'drizzle-orm'
import type { Db } from './client.ts'
import { postRefreshes, posts, socialAccounts } from './schema.ts'

type Orm = Pick<Db, 'orm'>

export interface DueRefresh {
  readonly postId: string
  readonly companyId: string
  readonly accountId: string
  readonly platform: string
  readonly nativeId: string
  readonly publishedAt: number
  readonly failures: number
  readonly missing: number
}

/** The account whose turn it is: one that is connected and has a post that is due, the longest waiting first. */
export function nextDueAccount(db: Orm, now: number): { companyId: string; accountId: string } | null {
  return (
    db.orm
      .select({ companyId: postRefreshes.companyId, accountId: postRefreshes.accountId })
      .from(postRefreshes)
      .innerJoin(
        socialAccounts,
        and(eq(socialAccounts.id, postRefreshes.accountId), eq(socialAccounts.state, 'connected')),
      )
      .where(lte(postRefreshes.nextAt, now))
      .orderBy(asc(postRefreshes.nextAt))
      .limit(1)
      .get() ?? null
  )
}

/** Posts of an account that are due. */
export function listDueRefreshes(db: Orm, accountId: string, now: number, limit: number): DueRefresh[] {
  return db.orm
    .select({
      postId: posts.id,
      companyId: posts.companyId,
      accountId: postRefreshes.accountId,
      platform: posts.platform,
      nativeId: sql<string>`${posts.nativeId}`,
      publishedAt: sql<number>`${posts.publishedAt}`,
      failures: postRefreshes.failures,
      missing: postRefreshes.missing,
    })
    .from(postRefreshes)
    .innerJoin(posts, eq(posts.id, postRefreshes.postId))
    .where(
      and(eq(postRefreshes.accountId, accountId), lte(postRefreshes.nextAt, now), isNotNull(posts.nativeId)),
    )
    .orderBy(asc(postRefreshes.nextAt))
    .limit(limit)
    .all()
}

export function updateRefresh(
  db: Orm,
  postId: string,
  changes: Partial<Omit<typeof postRefreshes.$inferInsert, 'postId'>>,
): void {
  db.orm.update(postRefreshes).set(changes).where(eq(postRefreshes.postId, postId)).run()
}

/** Nothing of this account is asked for before `until`; what was asked for in vain has failed once more. */
export function postponeAccount(
  db: Orm,
  accountId: string,
  pause: { readonly until: number; readonly failed: readonly string[]; readonly error: string },
): void {
  const { until, failed, error } = pause
  db.orm
    .update(postRefreshes)
    .set({ nextAt: until })
    .where(and(eq(postRefreshes.accountId, accountId), lt(postRefreshes.nextAt, until)))
    .run()
  db.orm
    .update(postRefreshes)
    .set({ failures: sql`${postRefreshes.failures} + 1`, error })
    .where(inArray(postRefreshes.postId, [...failed]))
    .run()
}
