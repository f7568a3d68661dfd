/** Queries of studio sessions and one-time sign-in links. Only hashes are kept. */
import { and, eq, gt, lte } from 'drizzle-orm'
import type { Db } from './client.ts'
import { sessions } from './schema.ts'

export type SessionKind = 'session' | 'sign-in'

export function insertSession(
  db: Pick<Db, 'orm'>,
  row: { hash: string; kind: SessionKind; createdAt: number; expiresAt: number },
): void {
  db.orm.insert(sessions).values(row).run()
}

export function isLiveSession(db: Db, hash: string, now: number): boolean {
  const live = and(eq(sessions.hash, hash), eq(sessions.kind, 'session'), gt(sessions.expiresAt, now))
  return db.orm.select({ hash: sessions.hash }).from(sessions).where(live).get() !== undefined
}

/** Uses up a one-time link in one statement, so that of two callers one gets true. */
export function consumeSignIn(db: Db, hash: string, now: number): boolean {
  const live = and(eq(sessions.hash, hash), eq(sessions.kind, 'sign-in'), gt(sessions.expiresAt, now))
  return db.orm.delete(sessions).where(live).run().changes === 1
}

export function deleteSession(db: Db, hash: string): void {
  db.orm.delete(sessions).where(eq(sessions.hash, hash)).run()
}

export function deleteExpiredSessions(db: Db, now: number): void {
  db.orm.delete(sessions).where(lte(sessions.expiresAt, now)).run()
}
