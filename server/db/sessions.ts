/** Queries of studio sessions and one-time sign-in links. Only hashes are kept. Each belongs to a person. */
import { and, eq, gt, lte } from 'drizzle-orm'
import type { Role } from '../contract/people.ts'
import type { Db } from './client.ts'
import { oncePerConnection } from './prepared.ts'
import { sessions } from './schema.ts'

export type SessionKind = 'session' | 'sign-in'

/** Whose session it is. */
export interface SessionPerson {
  readonly id: string
  readonly name: string
  readonly role: Role
  /** The only company that they work for; null: every one. */
  readonly companyId: string | null
  readonly lastSeenAt: number | null
}

export function insertSession(
  db: Pick<Db, 'orm'>,
  row: { hash: string; kind: SessionKind; personId: string; createdAt: number; expiresAt: number },
): void {
  db.orm.insert(sessions).values(row).run()
}

const byHash = oncePerConnection((db) =>
  db.sqlite.prepare<[string, number], SessionPerson>(
    `select people.id, people.name, people.role, people.company_id as companyId, people.last_seen_at as lastSeenAt
       from sessions join people on people.id = sessions.person_id
      where sessions.hash = ? and sessions.kind = 'session' and sessions.expires_at > ?`,
  ),
)

/** The person of a live session, or null. Asked on every request of the studio. */
export function findSessionPerson(db: Db, hash: string, now: number): SessionPerson | null {
  return byHash(db).get(hash, now) ?? null
}

/** Uses up a one-time link in one statement, so that of two callers one gets its person's id. */
export function consumeSignIn(db: Db, hash: string, now: number): string | null {
  const live = and(eq(sessions.hash, hash), eq(sessions.kind, 'sign-in'), gt(sessions.expiresAt, now))
  const used = db.orm.delete(sessions).where(live).returning({ personId: sessions.personId }).get()
  return used?.personId ?? null
}

export function deleteSession(db: Db, hash: string): void {
  db.orm.delete(sessions).where(eq(sessions.hash, hash)).run()
}

export function deleteExpiredSessions(db: Db, now: number): void {
  db.orm.delete(sessions).where(lte(sessions.expiresAt, now)).run()
}

/** Ends every session and every link; how many there were. */
export function deleteAllSessions(db: Pick<Db, 'orm'>): number {
  return db.orm.delete(sessions).run().changes
}
