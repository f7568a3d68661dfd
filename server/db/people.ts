/** Queries of people. Of a session's person see sessions.ts. */
import { and, asc, count, eq, gt, isNull, ne, sql } from 'drizzle-orm'
import type { Db } from './client.ts'
import { people, sessions } from './schema.ts'

export type PersonRow = typeof people.$inferSelect

export interface ListedPerson extends PersonRow {
  readonly sessions: number
  readonly invited: boolean
}

export function insertPerson(db: Pick<Db, 'orm'>, row: PersonRow): void {
  db.orm.insert(people).values(row).run()
}

export function getPerson(db: Pick<Db, 'orm'>, id: string): PersonRow | null {
  return db.orm.select().from(people).where(eq(people.id, id)).get() ?? null
}

/** The owner who was there first, or null. */
export function firstOwner(db: Pick<Db, 'orm'>): PersonRow | null {
  const owners = db.orm.select().from(people).where(eq(people.role, 'owner'))
  return owners.orderBy(asc(people.createdAt), asc(people.id)).limit(1).get() ?? null
}

/** Owners besides this person. */
export function countOtherOwners(db: Pick<Db, 'orm'>, id: string): number {
  const others = and(eq(people.role, 'owner'), ne(people.id, id))
  return db.orm.select({ found: count() }).from(people).where(others).get()?.found ?? 0
}

/** Everybody, the first one first, with their live sessions and whether a link waits. */
export function listPeople(db: Pick<Db, 'orm'>, now: number): ListedPerson[] {
  const rows = db.orm.select().from(people).orderBy(asc(people.createdAt), asc(people.id)).all()
  const live = db.orm
    .select({ personId: sessions.personId, kind: sessions.kind, found: count() })
    .from(sessions)
    .where(gt(sessions.expiresAt, now))
    .groupBy(sessions.personId, sessions.kind)
    .all()
  const foundOf = (id: string, kind: string): number =>
    live.find((one) => one.personId === id && one.kind === kind)?.found ?? 0
  return rows.map((row) => ({
    ...row,
    sessions: foundOf(row.id, 'session'),
    invited: foundOf(row.id, 'sign-in') > 0,
  }))
}

export function updatePerson(
  db: Pick<Db, 'orm'>,
  id: string,
  changes: Partial<Pick<PersonRow, 'name' | 'role' | 'companyId' | 'lastSeenAt'>>,
): void {
  db.orm.update(people).set(changes).where(eq(people.id, id)).run()
}

/** Takes a person out, with every link and session of theirs. */
export function deletePerson(db: Pick<Db, 'orm'>, id: string): void {
  db.orm.delete(people).where(eq(people.id, id)).run()
}

/** Gives a person the sessions of before there were people. */
export function adoptSessions(db: Pick<Db, 'orm'>, id: string): void {
  db.orm.update(sessions).set({ personId: id }).where(isNull(sessions.personId)).run()
}

/** Ends every session and link of a person, but for the one with this hash; how many sessions. */
export function deleteSessionsOf(db: Pick<Db, 'orm'>, id: string, except: string | null): number {
  const own = and(eq(sessions.personId, id), except === null ? sql`true` : ne(sessions.hash, except))
  const ended = db.orm.delete(sessions).where(own).returning({ kind: sessions.kind }).all()
  return ended.filter(({ kind }) => kind === 'session').length
}
