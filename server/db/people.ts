/** Queries of people, of their sessions in the studio, and of one-time sign-in links, of which only hashes are stored. */
import { and, asc, count, eq, gt, isNull, ne, sql, lte } from 'drizzle-orm'
import type { Db } from './client.ts'
import { people, sessions } from './schema.ts'
import type { Role } from '../contract/people.ts'
import type { SignInWay } from '../contract/sign-in.ts'
import { oncePerConnection } from './prepared.ts'
import { deleteBy, findBy, insertInto, updateBy, type Orm } from './rows.ts'

export type PersonRow = typeof people.$inferSelect

export interface ListedPerson extends PersonRow {
  readonly sessions: number
  readonly invited: boolean
}

export const insertPerson = insertInto(people)

export const getPerson = findBy(people, 'id')

/** The owner who was created first, or null. */
export function firstOwner(db: Orm): PersonRow | null {
  const owners = db.orm.select().from(people).where(eq(people.role, 'owner'))
  return owners.orderBy(asc(people.createdAt), asc(people.id)).limit(1).get() ?? null
}

/** Owners besides this person. */
export function countOtherOwners(db: Orm, id: string): number {
  const others = and(eq(people.role, 'owner'), ne(people.id, id))
  return db.orm.select({ found: count() }).from(people).where(others).get()?.found ?? 0
}

/** Everybody, the first one first, with their live sessions and whether a link waits. */
export function listPeople(db: Orm, now: number): ListedPerson[] {
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

export const updatePerson = updateBy(people, 'id')

/** Takes a person out, with every link and session of theirs. */
export const deletePerson = deleteBy(people, 'id')

/** Gives a person the sessions of before there were people. */
export function adoptSessions(db: Orm, id: string): void {
  db.orm.update(sessions).set({ personId: id }).where(isNull(sessions.personId)).run()
}

/** Ends every session and link of a person, but for the one with this hash; how many sessions. */
export function deleteSessionsOf(db: Orm, id: string, except: string | null): number {
  const own = and(eq(sessions.personId, id), except === null ? sql`true` : ne(sessions.hash, except))
  const ended = db.orm.delete(sessions).where(own).returning({ kind: sessions.kind }).all()
  return ended.filter(({ kind }) => kind === 'session').length
}

/** The person whose session it is. */
export interface SessionPerson {
  readonly id: string
  readonly name: string
  readonly role: Role
  /** The only company that they work for; null: every one. */
  readonly companyId: string | null
  readonly lastSeenAt: number | null
  /** Of the session: how and when it was signed in, and when that was stored that it was used. */
  readonly session: {
    readonly way: SignInWay | null
    readonly createdAt: number
    readonly lastUsedAt: number | null
  }
}

type SessionRow = typeof sessions.$inferSelect
type FoundPerson = Omit<SessionPerson, 'session'> & {
  way: SignInWay | null
  createdAt: number
  lastUsedAt: number | null
}

export const insertSession = insertInto(sessions)

const byHash = oncePerConnection((db) =>
  db.sqlite.prepare<[string, number], FoundPerson>(
    `select people.id, people.name, people.role, people.company_id as companyId, people.last_seen_at as lastSeenAt,
            sessions.way, sessions.created_at as createdAt, sessions.last_used_at as lastUsedAt
       from sessions join people on people.id = sessions.person_id
      where sessions.hash = ? and sessions.kind = 'session' and sessions.expires_at > ?`,
  ),
)

/** The person of a live session, or null. Called for every request of the studio. */
export function findSessionPerson(db: Db, hash: string, now: number): SessionPerson | null {
  const found = byHash(db).get(hash, now)
  if (found === undefined) return null
  const { way, createdAt, lastUsedAt, ...person } = found
  return { ...person, session: { way, createdAt, lastUsedAt } }
}

export const updateSession = updateBy(sessions, 'hash')

/** The live sessions of a person, the one that was used last first; no links. */
export function listSessions(db: Orm, personId: string, now: number): SessionRow[] {
  const own = and(eq(sessions.personId, personId), eq(sessions.kind, 'session'), gt(sessions.expiresAt, now))
  const used = sql`coalesce(${sessions.lastUsedAt}, ${sessions.createdAt}) desc`
  return db.orm.select().from(sessions).where(own).orderBy(used, asc(sessions.hash)).all()
}

/** Uses up a one-time link in one statement, so that of two callers one gets its person's id. */
export function consumeSignIn(db: Db, hash: string, now: number): string | null {
  const live = and(eq(sessions.hash, hash), eq(sessions.kind, 'sign-in'), gt(sessions.expiresAt, now))
  const used = db.orm.delete(sessions).where(live).returning({ personId: sessions.personId }).get()
  return used?.personId ?? null
}

export const deleteSession = deleteBy(sessions, 'hash')

export function deleteExpiredSessions(db: Db, now: number): void {
  db.orm.delete(sessions).where(lte(sessions.expiresAt, now)).run()
}

/** Ends every session and every link; how many there were. */
export const deleteAllSessions = (db: Orm): number => db.orm.delete(sessions).run().changes
