/**
 * After an earlier state of the database was restored: access that was revoked since the backup is valid again, and posts
 * that were due may have been published already. The database knows of neither.
 */
import type { Db } from '../../db/client.ts'
import { revokeAllShareLinks } from '../../db/shares.ts'
import { deleteAllInvitations } from '../../db/credentials.ts'
import { deleteAllSessions } from '../../db/people.ts'
import type { Failure } from '../../contract/errors.ts'
import { applyActionEvent, getAction, listStaleActions } from '../../db/social-actions.ts'
import { getSocialPost, updateSocialPost } from '../../db/social-posts.ts'
import { nextPostState } from '../publishing/action-rules.ts'
import { inTransaction } from '../../db/prepared.ts'

/** What gives access again, for a person to review. */
export interface RestoredAccess {
  /** Sessions, sign-in links and invitations that were ended. */
  readonly signIns: number
  /** API keys that are not revoked. */
  readonly keys: number
  readonly people: number
  /** Of companies to clients, and not over yet. */
  readonly grants: number
  /** Other issuers that may issue delegations. */
  readonly issuers: number
}

/**
 * Ends every session, sign-in link and share link, because one that was ended since the backup would open the studio again. Counts
 * what stays, for the appliance would not work without it. The database must not be in use.
 */
export function resetAccess(db: Db, now: number): RestoredAccess {
  const count = (query: string, ...values: number[]): number =>
    Number(
      db.sqlite
        .prepare<number[]>(query)
        .pluck()
        .get(...values),
    )
  revokeAllShareLinks(db, now)
  return {
    signIns: deleteAllSessions(db) + deleteAllInvitations(db),
    keys: count('select count(*) from api_keys where revoked_at is null'),
    people: count('select count(*) from people'),
    grants: count('select count(*) from client_grants where expires_at > ?', now),
    issuers: count('select count(*) from trusted_issuers'),
  }
}

const HOW = [
  ['keys', 'API key', 'API keys', 'cutroom key list'],
  ['people', 'person', 'people', 'cutroom people list'],
  ['grants', 'grant', 'grants', 'cutroom grant revoke'],
  ['issuers', 'trusted issuer', 'trusted issuers', 'cutroom issuer distrust'],
] as const

/** Sentences for the person who restores; none where nothing gives access. */
export function sentencesOf(access: RestoredAccess): string[] {
  const there = HOW.flatMap(([kind, one, more, command]) =>
    access[kind] === 0 ? [] : [`${access[kind]} ${access[kind] === 1 ? one : more} (${command})`],
  )
  return [
    ...(access.signIns === 0
      ? []
      : [
          'Everybody is signed out of the studio; for a new link: cutroom people invite NAME --again. An owner gets one at each start.',
        ]),
    ...(there.length === 0
      ? []
      : [
          `As they were at the backup, those included that were taken away since: ${there.join(', ')}. Look them over.`,
        ]),
  ]
}

const FAILURE: Failure = {
  code: 'INTERRUPTED',
  message:
    'A backup was put back after the moment this post was due, so it may be out already: look on the platform before you publish it again.',
}
/** Leases in a restored backup belong to no process. */
const ALL_LEASES_MS = 1_000_000_000
const ALL = 1_000_000

/**
 * Ends publishing that was due by `now` (epoch milliseconds) and would happen twice: a person checks and approves it
 * again. What had begun to be sent is left, because it is looked up on the platform first; so are packages, which may
 * be written twice. Returns how many posts were ended. The appliance must not be running.
 */
export function holdDoubtfulPosts(db: Db, now: number): number {
  const hold = (): number => {
    const due = listStaleActions(db, now + ALL_LEASES_MS, ALL).filter(
      ({ kind, state, availableAt, sendingAt }) =>
        kind === 'publish' && sendingAt === null && (state === 'running' || availableAt <= now),
    )
    return due.filter(({ id }) => holdOne(db, id, now)).length
  }
  return inTransaction(db, hold)
}

function holdOne(db: Db, id: string, now: number): boolean {
  const action = getAction(db, id)
  const post = action === null ? null : getSocialPost(db, action.companyId, action.postId)
  if (post?.accountId == null) return false
  if (applyActionEvent(db, id, { kind: 'doubt' }, now, { failure: FAILURE }) === null) return false
  const status = nextPostState(post.status, 'failed')
  if (status !== null && status !== 'gone')
    updateSocialPost(db, post.id, { status, failure: FAILURE, publishedAt: now, updatedAt: now })
  return true
}
