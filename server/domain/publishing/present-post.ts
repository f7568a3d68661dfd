/** A post as the domain API answers it. */
import type { CalendarEntry, SocialPost } from '../../contract/tenant-api/social.ts'
import { accountsById, type SocialAccountRow, type SocialPostRow } from '../../db/social-posts.ts'
import { newestActionIds } from '../../db/social-actions.ts'
import { etagOf } from '../revisions.ts'
import type { DbServices } from '../services.ts'
import type { PostState } from './action-rules.ts'

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())
const moment = (time: number): string => new Date(time).toISOString()

/** The quoted revision of a post. */
export const postEtag = (row: Pick<SocialPostRow, 'id' | 'revision'>): string =>
  etagOf('post', row.id, row.revision)

type Account = Pick<SocialAccountRow, 'id' | 'handle' | 'state'>

function accountOf(row: SocialPostRow, accounts: ReadonlyMap<string, Account>): SocialPost['account'] {
  if (row.accountId === null) return null
  const account = accounts.get(row.accountId)
  // Imported posts may name an unknown account: only its id can be shown.
  return {
    id: row.accountId,
    handle: account?.handle ?? row.accountId,
    state: account?.state ?? 'disconnected',
  }
}

function accountsOf(
  { db }: DbServices,
  companyId: string,
  rows: readonly SocialPostRow[],
): Map<string, Account> {
  const ids = rows.flatMap(({ accountId }) => accountId ?? [])
  return new Map(accountsById(db, companyId, ids).map((row) => [row.id, row]))
}

const APPROVED: ReadonlySet<PostState> = new Set(['scheduled', 'publishing', 'success'])

function present(
  row: SocialPostRow,
  accounts: ReadonlyMap<string, Account>,
  operations: ReadonlyMap<string, string>,
): SocialPost {
  const { id, platform, status, clipId, text, title, visibility, firstComment, coverSeconds } = row
  const { postUrl, nativeId, note, accountId } = row
  const failure = row.failure
  return {
    id,
    platform,
    status,
    account: accountOf(row, accounts),
    // An imported post with an id of its platform was published by an unknown account.
    destination: accountId === null && nativeId === null ? 'export' : 'account',
    clipId,
    text,
    title,
    visibility,
    firstComment,
    coverSeconds,
    scheduledAt: iso(row.scheduledAt),
    approved: APPROVED.has(status),
    publishedAt: status === 'success' ? iso(row.publishedAt) : null,
    postUrl,
    nativeId,
    error: failure === null ? null : { code: failure.code, message: failure.message },
    note,
    operationId: operations.get(id) ?? null,
    createdAt: moment(row.createdAt),
    updatedAt: moment(row.updatedAt),
  }
}

/** Posts of one company. */
export function presentPosts(
  services: DbServices,
  companyId: string,
  rows: readonly SocialPostRow[],
): SocialPost[] {
  const accounts = accountsOf(services, companyId, rows)
  const ids = rows.map(({ id }) => id)
  const operations = newestActionIds(services.db, ids)
  return rows.map((row) => present(row, accounts, operations))
}

/** One post, with its quoted revision. */
export function presentOne(services: DbServices, row: SocialPostRow): { post: SocialPost; etag: string } {
  const [post] = presentPosts(services, row.companyId, [row])
  if (post === undefined) throw new Error('a row was not presented')
  return { post, etag: postEtag(row) }
}

const EXCERPT = 280

/** Posts as entries of the calendar. */
export function presentCalendar(
  services: DbServices,
  companyId: string,
  rows: readonly SocialPostRow[],
): CalendarEntry[] {
  const accounts = accountsOf(services, companyId, rows)
  return rows.map((row) => {
    const { id, platform, status, clipId, title, postUrl } = row
    const text = row.text.slice(0, EXCERPT).toWellFormed()
    const account = accountOf(row, accounts)
    return { at: moment(row.momentAt), postId: id, platform, status, account, clipId, title, text, postUrl }
  })
}
