/** Queries of what people sign in with besides links: passwords, passkeys, accounts at the provider, invitations. */
import { and, asc, eq, gt, lte } from 'drizzle-orm'
import type { Db } from './client.ts'
import { invitations, passkeys, people, personIdentities, personPasswords } from './schema.ts'
import { oncePerConnection } from './prepared.ts'
import type { PersonRow } from './people.ts'
import { deleteBy, findBy, insertInto, listBy, saveInto, updateBy, type Orm } from './rows.ts'

export type PasskeyRow = typeof passkeys.$inferSelect
export type IdentityRow = typeof personIdentities.$inferSelect
export type InvitationRow = typeof invitations.$inferSelect

/** The person with this address, in lower case, or null. */
export const findPersonByEmail: (db: Orm, email: string) => PersonRow | null = findBy(people, 'email')

export const findPassword = findBy(personPasswords, 'personId')
export const savePassword = saveInto(personPasswords, ['personId'])

export const insertPasskey = insertInto(passkeys)
export const findPasskey = findBy(passkeys, 'id')
export const listPasskeys = listBy(passkeys, ['personId'], 'createdAt', 'id')
export const updatePasskey = updateBy(passkeys, 'id')
export const deletePasskey = deleteBy(passkeys, 'id', 'personId')

export const insertIdentity = insertInto(personIdentities)
export const findIdentity = findBy(personIdentities, 'issuer', 'subject')
export const deleteIdentities = deleteBy(personIdentities, 'issuer', 'personId')

const identityOf = (db: Orm, issuer: string, personId: string): IdentityRow | null => {
  const own = and(eq(personIdentities.issuer, issuer), eq(personIdentities.personId, personId))
  return db.orm.select().from(personIdentities).where(own).get() ?? null
}

/** Whether a person is connected with an account of this issuer. */
export const hasIdentity = (db: Orm, issuer: string, personId: string): boolean =>
  identityOf(db, issuer, personId) !== null

/** Where the role of a person comes from who is connected with an account of this issuer; null: they are not. */
export const findRoleSource = (db: Orm, issuer: string, personId: string): IdentityRow['roleFrom'] | null =>
  identityOf(db, issuer, personId)?.roleFrom ?? null

const ways = oncePerConnection((db) =>
  db.sqlite.prepare<[], { personId: string; way: 'password' | 'passkey' | 'provider' }>(
    `select person_id as personId, 'password' as way from person_passwords
     union select person_id, 'passkey' from passkeys
     union select person_id, 'provider' from person_identities
     order by way`,
  ),
)

/** With what each person can sign in by themselves. */
export const listWays = (db: Db) => ways(db).all()

export const insertInvitation = insertInto(invitations)
export const deleteInvitation = deleteBy(invitations, 'id')

/** Invitations that are not over, the next to end first. */
export function listInvitations(db: Orm, now: number): InvitationRow[] {
  const open = db.orm.select().from(invitations).where(gt(invitations.expiresAt, now))
  return open.orderBy(asc(invitations.expiresAt), asc(invitations.id)).all()
}

/** The open invitation of this link, or null. */
export function findInvitation(db: Orm, hash: string, now: number): InvitationRow | null {
  const open = and(eq(invitations.hash, hash), gt(invitations.expiresAt, now))
  return db.orm.select().from(invitations).where(open).get() ?? null
}

/** The oldest open invitation for this address, or null. */
export function findInvitationFor(db: Orm, email: string, now: number): InvitationRow | null {
  const open = and(eq(invitations.email, email), gt(invitations.expiresAt, now))
  return db.orm.select().from(invitations).where(open).orderBy(asc(invitations.createdAt)).get() ?? null
}

export function deleteExpiredInvitations(db: Orm, now: number): void {
  db.orm.delete(invitations).where(lte(invitations.expiresAt, now)).run()
}

/** Ends every invitation; how many there were. */
export const deleteAllInvitations = (db: Orm): number => db.orm.delete(invitations).run().changes
