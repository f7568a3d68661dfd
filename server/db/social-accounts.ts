/** Queries of connected accounts. */
import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import type { Db } from './client.ts'
import { socialAccounts } from './schema.ts'

export type SocialAccountRow = typeof socialAccounts.$inferSelect
type Orm = Pick<Db, 'orm'>

const present = ne(socialAccounts.state, 'disconnected')

/** The company's accounts that are not disconnected, oldest first. */
export function listAccounts(db: Orm, companyId: string): SocialAccountRow[] {
  return db.orm
    .select()
    .from(socialAccounts)
    .where(and(eq(socialAccounts.companyId, companyId), present))
    .orderBy(asc(socialAccounts.createdAt), asc(socialAccounts.id))
    .all()
}

/** Every company's accounts that are let in. */
export function connectedAccounts(db: Orm): SocialAccountRow[] {
  return db.orm.select().from(socialAccounts).where(eq(socialAccounts.state, 'connected')).all()
}

/** Those of these ids, disconnected ones too: posts keep where they went. */
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

/** Also a disconnected one: what is connected again keeps its id. */
export function findAccountByNative(
  db: Orm,
  of: { readonly companyId: string; readonly platform: string; readonly nativeId: string },
): SocialAccountRow | null {
  const same = and(
    eq(socialAccounts.companyId, of.companyId),
    eq(socialAccounts.platform, of.platform),
    eq(socialAccounts.nativeId, of.nativeId),
  )
  return db.orm.select().from(socialAccounts).where(same).get() ?? null
}

export function saveAccount(db: Orm, row: SocialAccountRow): void {
  const { id: _id, createdAt: _createdAt, ...changes } = row
  db.orm
    .insert(socialAccounts)
    .values(row)
    .onConflictDoUpdate({ target: socialAccounts.id, set: changes })
    .run()
}

export function updateAccount(db: Orm, id: string, changes: Partial<SocialAccountRow>): void {
  db.orm.update(socialAccounts).set(changes).where(eq(socialAccounts.id, id)).run()
}
