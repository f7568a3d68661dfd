/** Queries of companies: the tenants of an appliance. */
import { asc, eq } from 'drizzle-orm'
import type { Db } from './client.ts'
import { companies } from './schema.ts'

export type CompanyRow = typeof companies.$inferSelect

export function getCompany(db: Db, id: string): CompanyRow | null {
  return db.orm.select().from(companies).where(eq(companies.id, id)).get() ?? null
}

/** Oldest first. */
export function listCompanies(db: Db): CompanyRow[] {
  return db.orm.select().from(companies).orderBy(asc(companies.createdAt), asc(companies.id)).all()
}

/** False when there is a company with this id already. */
export function insertCompany(db: Pick<Db, 'orm'>, row: CompanyRow): boolean {
  return db.orm.insert(companies).values(row).onConflictDoNothing().run().changes === 1
}

/** Sets what is given of one company. */
export function updateCompany(
  db: Pick<Db, 'orm'>,
  id: string,
  change: Partial<Omit<CompanyRow, 'id' | 'createdAt'>>,
): void {
  db.orm.update(companies).set(change).where(eq(companies.id, id)).run()
}
