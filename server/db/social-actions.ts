/** Queries of the outbox. Every change goes through domain/publishing/action-rules.ts, in one short transaction. */
import { and, desc, eq, inArray, lte, or, sql } from 'drizzle-orm'
import { type Failure, failureOf } from '../contract/errors.ts'
import {
  nextAction,
  type ActionEntry,
  type ActionEvent,
  type ActionKind,
} from '../domain/publishing/action-rules.ts'
import type { Db } from './client.ts'
import { socialActions } from './schema.ts'
import { inTransaction } from './prepared.ts'
import { findBy, insertInto, listIds, listWhere, type Orm } from './rows.ts'

/** One row of the outbox. Times are epoch milliseconds. */
export type SocialAction = Readonly<typeof socialActions.$inferSelect>

export const insertAction = insertInto(socialActions)

export const getAction = findBy(socialActions, 'id')

/** Actions of a post, newest first. */
export function listActionsOfPost(db: Orm, postId: string): SocialAction[] {
  const order = [desc(socialActions.createdAt), desc(sql`rowid`)]
  return listWhere(db, socialActions, { where: eq(socialActions.postId, postId), order })
}

/** The newest action's id of each of these posts. */
export function newestActionIds(db: Pick<Db, 'sqlite'>, postIds: readonly string[]): Map<string, string> {
  const rows = db.sqlite
    .prepare<[string], { postId: string; id: string }>(
      `select post_id as postId, id from social_actions where post_id in (select value from json_each(?))
       order by created_at, rowid`,
    )
    .all(JSON.stringify(postIds))
  return new Map(rows.map(({ postId, id }) => [postId, id]))
}

/** Applies an event; null when the rules refuse it. May be called inside a transaction. */
export function applyActionEvent(
  db: Orm,
  id: string,
  event: ActionEvent,
  now: number,
  outcome: { readonly result?: unknown; readonly failure?: Failure } = {},
): (SocialAction & { readonly gaveUp: boolean }) | null {
  return inTransaction(db, () => apply(db, id, event, now, outcome))
}

function apply(
  db: Orm,
  id: string,
  event: ActionEvent,
  now: number,
  outcome: { readonly result?: unknown; readonly failure?: Failure },
): (SocialAction & { readonly gaveUp: boolean }) | null {
  const current = getAction(db, id)
  const next = current === null ? null : nextAction(current, event)
  if (current === null || next === null) return null
  const { state, attempts, availableAt, leaseOwner, leaseUntil, cancelRequested, startedAt }: ActionEntry =
    next.entry
  const failure = next.gaveUp
    ? (outcome.failure ?? current.failure ?? failureOf('INTERRUPTED'))
    : (outcome.failure ?? current.failure)
  const changes = {
    state,
    attempts,
    availableAt,
    leaseOwner,
    leaseUntil,
    cancelRequested,
    startedAt,
    failure,
    result: outcome.result ?? current.result,
    progress: state === 'succeeded' ? 1 : current.progress,
    updatedAt: now,
  }
  db.orm.update(socialActions).set(changes).where(eq(socialActions.id, id)).run()
  return { ...current, ...changes, gaveUp: next.gaveUp }
}

/** Stores an adapter's notes while `owner` has the lease. Returns whether it had. */
export function noteOnAction(
  db: Orm,
  lease: { readonly id: string; readonly owner: string },
  notes: Partial<Pick<SocialAction, 'memo' | 'sendingAt' | 'progress'>>,
): boolean {
  const isHeld = and(
    eq(socialActions.id, lease.id),
    eq(socialActions.leaseOwner, lease.owner),
    eq(socialActions.state, 'running'),
  )
  return db.orm.update(socialActions).set(notes).where(isHeld).run().changes > 0
}

/** Ids of what may be taken up now: due, or with a lease that ran out. */
export const listDueActions = (db: Orm, now: number, limit: number): string[] =>
  listIds(db, socialActions, { where: mayBeTaken(now), order: [socialActions.availableAt], limit })

/** Due at that moment, or with a lease that has run out by then. */
const mayBeTaken = (at: number) =>
  or(
    and(eq(socialActions.state, 'queued'), lte(socialActions.availableAt, at)),
    and(eq(socialActions.state, 'running'), lte(socialActions.leaseUntil, at)),
  )

/** Lets due actions that need an account wait until `until`; it counts as no try. Packages are left out. */
export function postponeActionsOfAccounts(db: Pick<Db, 'sqlite'>, now: number, until: number): void {
  db.sqlite
    .prepare<[number, number]>(
      `update social_actions set available_at = ? where state = 'queued' and available_at <= ? and exists (
         select 1 from posts where posts.id = post_id and posts.account_id is not null
           and (kind = 'publish' or posts.status = 'success'))`,
    )
    .run(until, now)
}

/** Actions that should have been taken up before `before`: due since then, or with a lease that ran out by then. */
export function listStaleActions(db: Orm, before: number, limit: number): SocialAction[] {
  return listWhere(db, socialActions, {
    where: mayBeTaken(before),
    order: [socialActions.availableAt],
    limit,
  })
}

/** The open action of this kind of a post. */
export function findOpenAction(db: Orm, postId: string, kind: ActionKind): SocialAction | null {
  const row = db.orm
    .select()
    .from(socialActions)
    .where(
      and(
        eq(socialActions.postId, postId),
        eq(socialActions.kind, kind),
        inArray(socialActions.state, ['queued', 'running']),
      ),
    )
    .get()
  return row ?? null
}

/** Ends the leases of all owners but `owner`; for a caller that knows they have ended. */
export function endLeasesOfOthers(db: Orm, owner: string, now: number): void {
  db.orm
    .update(socialActions)
    .set({ leaseUntil: now })
    .where(and(eq(socialActions.state, 'running'), sql`${socialActions.leaseOwner} is not ${owner}`))
    .run()
}
