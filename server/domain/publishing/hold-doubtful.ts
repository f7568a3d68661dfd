/** What was to be published, once an earlier state of the database was put back: some of it may be out already. */
import type { Failure } from '../../contract/errors.ts'
import type { Db } from '../../db/client.ts'
import { applyActionEvent, getAction, listStaleActions } from '../../db/social-actions.ts'
import { getSocialPost, updateSocialPost } from '../../db/social-posts.ts'
import { nextPostState, type PostState } from './post-states.ts'

const FAILURE: Failure = {
  code: 'INTERRUPTED',
  message:
    'A backup was put back after the moment this post was due, so it may be out already: look on the platform before you publish it again.',
}
/** Leases in a restored backup belong to no process. */
const ALL_LEASES_MS = 1_000_000_000
const ALL = 1_000_000

/**
 * Ends what was due by `now` (epoch milliseconds) and would go out a second time: a person looks, and approves it anew.
 * What had been begun to be sent is left, for it is looked for on the platform first; so are packages, which may be written
 * twice. Says how many posts that are. Nobody may carry anything out meanwhile.
 */
export function holdDoubtfulPosts(db: Db, now: number): number {
  const hold = (): number => {
    const due = listStaleActions(db, now + ALL_LEASES_MS, ALL).filter(
      ({ kind, state, availableAt, sendingAt }) =>
        kind === 'publish' && sendingAt === null && (state === 'running' || availableAt <= now),
    )
    return due.filter(({ id }) => holdOne(db, id, now)).length
  }
  return db.orm.transaction(hold, { behavior: 'immediate' })
}

function holdOne(db: Db, id: string, now: number): boolean {
  const action = getAction(db, id)
  const post = action === null ? null : getSocialPost(db, action.companyId, action.postId)
  if (post?.accountId == null) return false
  if (applyActionEvent(db, id, { kind: 'doubt' }, now, { failure: FAILURE }) === null) return false
  const status = nextPostState(post.status as PostState, 'failed')
  if (status !== null && status !== 'gone')
    updateSocialPost(db, post.id, { status, failure: FAILURE, publishedAt: now, updatedAt: now })
  return true
}
