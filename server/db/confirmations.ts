/** Queries of confirmations. */
import { and, desc, eq, gt } from 'drizzle-orm'
import type { Db } from './client.ts'
import { confirmations } from './schema.ts'

export type ConfirmationRow = typeof confirmations.$inferSelect

type Orm = Pick<Db, 'orm'>

export function insertConfirmation(db: Orm, row: typeof confirmations.$inferInsert): void {
  db.orm.insert(confirmations).values(row).run()
}

export function getConfirmation(db: Orm, companyId: string, id: string): ConfirmationRow | null {
  const own = and(eq(confirmations.id, id), eq(confirmations.companyId, companyId))
  return db.orm.select().from(confirmations).where(own).get() ?? null
}

export function updateConfirmation(
  db: Orm,
  id: string,
  changes: Partial<typeof confirmations.$inferInsert>,
): void {
  db.orm.update(confirmations).set(changes).where(eq(confirmations.id, id)).run()
}

/** Undecided ones that were prepared after `since` (epoch milliseconds), the newest first. */
export function listPending(
  db: Orm,
  companyId: string,
  { since, limit }: { readonly since: number; readonly limit: number },
): ConfirmationRow[] {
  const recent = and(eq(confirmations.companyId, companyId), gt(confirmations.createdAt, since))
  return db.orm
    .select()
    .from(confirmations)
    .where(and(recent, eq(confirmations.state, 'pending')))
    .orderBy(desc(confirmations.createdAt))
    .limit(limit)
    .all()
}
