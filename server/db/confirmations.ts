/** Queries of confirmations. */
import { and, eq } from 'drizzle-orm'
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
