/** Queries of OAuth clients, of what companies grant to them, and of who may issue delegations. */
import { and, eq, sql } from 'drizzle-orm'
import type { Scopes } from '../contract/scopes.ts'
import type { Db } from './client.ts'
import { oncePerConnection } from './prepared.ts'
import { deleteBy, findBy, insertNewInto, saveInto, type Orm } from './rows.ts'
import { clientGrants, clients, trustedIssuers } from './schema.ts'

export type ClientRow = typeof clients.$inferSelect
export type GrantRow = typeof clientGrants.$inferSelect

export const getClient = findBy(clients, 'id')

/** False when there is a client with this id already. */
export const insertClient = insertNewInto(clients)

/** Grants, or renews what was granted. */
export const saveGrant = saveInto(clientGrants, ['clientId', 'companyId'])

/** False when there was no grant. */
export const deleteGrant = deleteBy(clientGrants, 'clientId', 'companyId')

const grantOf = oncePerConnection((db) =>
  db.orm
    .select({ clientName: clients.name, expiresAt: clientGrants.expiresAt, scopes: clientGrants.scopes })
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
): { readonly clientName: string; readonly expiresAt: number; readonly scopes: Scopes } | null {
  return grantOf(db).get({ clientId, companyId }) ?? null
}

export const getTrustedIssuer = findBy(trustedIssuers, 'issuer')

export const saveTrustedIssuer = saveInto(trustedIssuers, ['issuer'])

/** False when it was not trusted. */
export const deleteTrustedIssuer = deleteBy(trustedIssuers, 'issuer')

/** Every client, the first one first, with what companies grant to it. */
export function listClients(db: Orm): (ClientRow & { readonly grants: readonly GrantRow[] })[] {
  const grants = db.orm.select().from(clientGrants).all()
  const rows = db.orm.select().from(clients).orderBy(clients.createdAt, clients.id).all()
  return rows.map((row) => ({ ...row, grants: grants.filter(({ clientId }) => clientId === row.id) }))
}
