/** Queries of OAuth clients, of what companies grant to them, and of who may issue delegations. */
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from './client.ts'
import { oncePerConnection } from './prepared.ts'
import { clientGrants, clients, trustedIssuers } from './schema.ts'

export type ClientRow = typeof clients.$inferSelect
export type GrantRow = typeof clientGrants.$inferSelect
export type IssuerRow = typeof trustedIssuers.$inferSelect

export function getClient(db: Db, id: string): ClientRow | null {
  return db.orm.select().from(clients).where(eq(clients.id, id)).get() ?? null
}

/** False when there is a client with this id already. */
export function insertClient(db: Pick<Db, 'orm'>, row: ClientRow): boolean {
  return db.orm.insert(clients).values(row).onConflictDoNothing().run().changes === 1
}

/** Grants, or renews what was granted. */
export function saveGrant(db: Pick<Db, 'orm'>, row: GrantRow): void {
  const { expiresAt, createdAt } = row
  db.orm
    .insert(clientGrants)
    .values(row)
    .onConflictDoUpdate({
      target: [clientGrants.clientId, clientGrants.companyId],
      set: { expiresAt, createdAt },
    })
    .run()
}

/** False when there was no grant. */
export function deleteGrant(db: Pick<Db, 'orm'>, clientId: string, companyId: string): boolean {
  const both = and(eq(clientGrants.clientId, clientId), eq(clientGrants.companyId, companyId))
  return db.orm.delete(clientGrants).where(both).run().changes === 1
}

const grantOf = oncePerConnection((db) =>
  db.orm
    .select({ clientName: clients.name, expiresAt: clientGrants.expiresAt })
    .from(clientGrants)
    .innerJoin(clients, eq(clients.id, clientGrants.clientId))
    .where(
      and(
        eq(clientGrants.clientId, sql.placeholder('clientId')),
        eq(clientGrants.companyId, sql.placeholder('companyId')),
      ),
    )
    .prepare(),
)

/** What the company grants to the client, expired or not; null: nothing. */
export function getGrant(
  db: Db,
  clientId: string,
  companyId: string,
): { readonly clientName: string; readonly expiresAt: number } | null {
  return grantOf(db).get({ clientId, companyId }) ?? null
}

export function getTrustedIssuer(db: Db, issuer: string): IssuerRow | null {
  return db.orm.select().from(trustedIssuers).where(eq(trustedIssuers.issuer, issuer)).get() ?? null
}

export function saveTrustedIssuer(db: Pick<Db, 'orm'>, row: IssuerRow): void {
  const { jwks, companies, createdAt } = row
  db.orm
    .insert(trustedIssuers)
    .values(row)
    .onConflictDoUpdate({ target: trustedIssuers.issuer, set: { jwks, companies, createdAt } })
    .run()
}

/** False when it was not trusted. */
export function deleteTrustedIssuer(db: Pick<Db, 'orm'>, issuer: string): boolean {
  return db.orm.delete(trustedIssuers).where(eq(trustedIssuers.issuer, issuer)).run().changes === 1
}

/** Every client, the first one first, with what companies grant to it. */
export function listClients(db: Pick<Db, 'orm'>): (ClientRow & { readonly grants: readonly GrantRow[] })[] {
  const grants = db.orm.select().from(clientGrants).all()
  const rows = db.orm.select().from(clients).orderBy(clients.createdAt, clients.id).all()
  return rows.map((row) => ({ ...row, grants: grants.filter(({ clientId }) => clientId === row.id) }))
}
