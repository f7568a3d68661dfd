/** Posts before they go out: drafts, their changes, the lists and the calendar. */
import {
  CALENDAR_BACK_DAYS,
  CALENDAR_DAYS,
  CALENDAR_MOST_DAYS,
  type CalendarEntry,
  type CalendarQuery,
  type NewSocialPost,
  type SocialPost,
  type SocialPostChanges,
  type SocialPostsQuery,
} from '../../contract/tenant-api/social.ts'
import { DEFAULT_PAGE } from '../../contract/tenant-api/envelope.ts'
import { AppError, invalidField, refuse } from '../../contract/errors.ts'
import type { Platform } from '../../contract/post.ts'
import { ADAPTERS } from '../../adapters/social/registry.ts'
import { getClip } from '../../db/clips.ts'
import { insertPost } from '../../db/posts.ts'
import {
  getAccount,
  listAccounts,
  deleteSocialPost,
  getSocialPost,
  listSocialPosts,
  updateSocialPost,
  type SocialPostRow,
} from '../../db/social-posts.ts'
import { applyActionEvent, findOpenAction } from '../../db/social-actions.ts'
import { newId } from '../../ids.ts'
import type { Caller } from '../access/authorise.ts'
import { endConfirmations } from '../operations/confirmations.ts'
import { decodeCursor, encodeCursor } from '../cursors.ts'
import { LAST_MOMENT, parseMoment } from '../moments.ts'
import { requireMatch } from '../revisions.ts'
import type { ClockServices, DbServices } from '../services.ts'
import { checkContent } from './check-post.ts'
import { nextPostState, type PostEvent, type PostState } from './action-rules.ts'
import { postEtag, presentCalendar, presentOne, presentPosts } from './present-post.ts'
import { inTransaction } from '../../db/prepared.ts'
type Answered = { readonly post: SocialPost; readonly etag: string }

const DAY_MS = 86_400_000
/** A moment that passed while the request was written is still meant. */
const GRACE_MS = 60_000
const FARTHEST_MS = 2 * 366 * DAY_MS

/** NOT_FOUND for another company's too. */
export function requirePost({ db }: DbServices, companyId: string, id: string): SocialPostRow {
  return getSocialPost(db, companyId, id) ?? refuse('NOT_FOUND', 'There is no such post.')
}

const WORDS: Readonly<Record<PostEvent, string>> = {
  edit: 'changed',
  delete: 'deleted',
  publish: 'published',
  schedule: 'scheduled',
  begin: 'begun',
  published: 'published',
  failed: 'given up',
  cancelled: 'cancelled',
}

/** The next state, or INVALID_STATE with a sentence. */
export function requireNext(row: Pick<SocialPostRow, 'status'>, event: PostEvent): PostState | 'gone' {
  const next = nextPostState(row.status, event)
  if (next !== null) return next
  const message = `The post is ${row.status}; it cannot be ${WORDS[event]} now.`
  throw new AppError('INVALID_STATE', { message, details: { status: row.status } })
}

/** The moment that a plan names; null: at once. VALIDATION_FAILED. */
function scheduleOf(given: string | null | undefined, now: number): number | null {
  if (given === undefined || given === null) return null
  const moment = parseMoment(given, 'start')
  if (moment === null) throw invalidField('scheduledAt', '"scheduledAt" should be an ISO 8601 date and time.')
  if (moment < now - GRACE_MS)
    throw invalidField('scheduledAt', 'That moment has passed; name a later one, or none.')
  if (moment > now + FARTHEST_MS) throw invalidField('scheduledAt', 'That is more than two years away.')
  return moment
}

/** `given` undefined: the company's only account of the platform, or none. VALIDATION_FAILED. */
function accountFor(
  { db }: ClockServices,
  companyId: string,
  platform: Platform,
  given: string | null | undefined,
): string | null {
  if (given === null) return null
  if (given !== undefined) {
    const account = getAccount(db, companyId, given)
    if (account === null)
      throw invalidField('accountId', 'There is no such account; GET /social/accounts lists them.')
    if (account.platform !== platform)
      throw invalidField('accountId', `That is an account of ${ADAPTERS[account.platform].label}.`)
    return account.id
  }
  const accounts = listAccounts(db, companyId).filter((account) => account.platform === platform)
  if (accounts.length > 1)
    throw invalidField(
      'accountId',
      `There are ${accounts.length} accounts of ${ADAPTERS[platform].label}; name one.`,
    )
  return accounts[0]?.id ?? null
}

function clipFor({ db }: ClockServices, companyId: string, clipId: string | null | undefined): string | null {
  if (clipId === undefined || clipId === null) return null
  if (getClip(db, companyId, clipId) === null) throw invalidField('clipId', 'There is no such clip.')
  return clipId
}

/** Stores an unapproved draft of the caller's company. VALIDATION_FAILED. May be called inside a transaction. */
export function createDraft(
  services: ClockServices,
  input: { caller: Caller; draft: NewSocialPost },
): Answered {
  const { caller, draft } = input
  const { companyId } = caller
  const now = services.now()
  const content = {
    text: draft.text ?? '',
    title: draft.title ?? null,
    firstComment: draft.firstComment ?? null,
    coverSeconds: draft.coverSeconds ?? null,
    accountId: accountFor(services, companyId, draft.platform, draft.accountId),
    visibility: draft.visibility ?? ADAPTERS[draft.platform].limits.visibilities[0] ?? 'public',
  }
  checkContent(ADAPTERS[draft.platform], content)
  const id = newId()
  insertPost(services.db, {
    id,
    companyId,
    editedBy: caller.principalId,
    platform: draft.platform,
    status: 'draft',
    ...content,
    clipId: clipFor(services, companyId, draft.clipId),
    scheduledAt: scheduleOf(draft.scheduledAt, now),
    createdAt: now,
    updatedAt: now,
  })
  return presentOne(services, requirePost(services, companyId, id))
}

/** The post with its revision. NOT_FOUND, also for one of another company. */
export function readPost(services: ClockServices, input: { caller: Caller; id: string }): Answered {
  return presentOne(services, requirePost(services, input.caller.companyId, input.id))
}

/**
 * Changes a draft, or what is scheduled or has failed, which becomes a draft: whatever was approved is approved no longer,
 * and does not go out. NOT_FOUND, PRECONDITION_FAILED, INVALID_STATE, VALIDATION_FAILED. To be called inside a transaction.
 */
export function patchDraft(
  services: ClockServices,
  input: { caller: Caller; id: string; ifMatch: string; changes: SocialPostChanges },
): Answered {
  const { caller, id, ifMatch, changes } = input
  const { companyId } = caller
  const row = requirePost(services, companyId, id)
  requireMatch(ifMatch, postEtag(row))
  requireNext(row, 'edit')
  if (Object.keys(changes).length === 0) throw invalidField('body', 'The body changes nothing.')
  const now = services.now()
  const platform = changes.platform ?? row.platform
  const pick = <K extends 'title' | 'firstComment' | 'coverSeconds'>(name: K) =>
    changes[name] === undefined ? row[name] : changes[name]
  // Another platform has other accounts: the one of before cannot be meant.
  const keepsAccount = changes.accountId === undefined && platform === row.platform
  const content = {
    text: changes.text ?? row.text,
    title: pick('title'),
    firstComment: pick('firstComment'),
    coverSeconds: pick('coverSeconds'),
    accountId: keepsAccount ? row.accountId : accountFor(services, companyId, platform, changes.accountId),
    visibility: changes.visibility ?? row.visibility,
  }
  checkContent(ADAPTERS[platform], content)
  if (row.status === 'scheduled') withdraw(services, row, now)
  endConfirmations(services, row)
  updateSocialPost(services.db, id, {
    platform,
    status: 'draft',
    editedBy: caller.principalId,
    ...content,
    updatedAt: now,
    clipId: changes.clipId === undefined ? row.clipId : clipFor(services, companyId, changes.clipId),
    scheduledAt: changes.scheduledAt === undefined ? row.scheduledAt : scheduleOf(changes.scheduledAt, now),
    publishedAt: null,
    failure: null,
    note: null,
  })
  return presentOne(services, requirePost(services, companyId, id))
}

/** Takes what was scheduled out of the outbox. INVALID_STATE when it is going out, or being cancelled, this moment. */
function withdraw({ db }: ClockServices, row: SocialPostRow, now: number): void {
  const going = findOpenAction(db, row.id, 'publish')
  const ended =
    going === null
      ? null
      : // What an earlier try may have sent is noted with the action, and looked for when the post is published again.
        applyActionEvent(db, going.id, { kind: 'cancel', now, touched: false }, now, {
          failure: { code: 'CANCELLED', message: 'The post was changed after it was approved.' },
        })
  const moving = going !== null && ended?.state !== 'cancelled'
  if (!moving && findOpenAction(db, row.id, 'cancel') === null) return
  throw new AppError('INVALID_STATE', {
    message: moving ? 'The post is going out this moment.' : 'The post is being cancelled.',
    details: { status: row.status },
  })
}

/** Deletes a draft. NOT_FOUND, INVALID_STATE for anything that is more than a draft. */
export function deleteDraft(
  services: ClockServices,
  input: { caller: Caller; id: string },
): { id: string; deleted: true } {
  const { db } = services
  return inTransaction(db, () => {
    const row = requirePost(services, input.caller.companyId, input.id)
    requireNext(row, 'delete')
    endConfirmations(services, row)
    deleteSocialPost(db, row.id)
    return { id: row.id, deleted: true }
  })
}

function boundOf(text: string | undefined, field: 'from' | 'to'): number | null {
  if (text === undefined) return null
  const moment = parseMoment(text, field === 'from' ? 'start' : 'end')
  if (moment === null) throw invalidField(field, `"${field}" should be an ISO 8601 date or datetime.`)
  return moment
}

interface Page<T> {
  readonly items: T[]
  readonly nextCursor: string | null
}

type Place = readonly [momentAt: number, id: string]

/** A page of rows, and the place of its last one where there are more. */
function pageOf(
  services: ClockServices,
  query: Parameters<typeof listSocialPosts>[1],
): { items: SocialPostRow[]; last: Place | null } {
  const { limit } = query
  const rows = listSocialPosts(services.db, { ...query, limit: limit + 1 })
  const items = rows.slice(0, limit)
  const last = rows.length > limit ? items.at(-1) : undefined
  return { items, last: last === undefined ? null : [last.momentAt, last.id] }
}

/** The company's posts, the latest moment first. VALIDATION_FAILED, INVALID_CURSOR. */
export function listPosts(
  services: ClockServices,
  input: { caller: Caller; query: SocialPostsQuery },
): Page<SocialPost> {
  const { caller, query } = input
  const { companyId } = caller
  const statuses = [...new Set([...(query.status ?? []), ...(query.state ?? [])])].sort()
  const filter = {
    companyId,
    statuses,
    platforms: [...(query.platform ?? [])].sort(),
    dated: false,
    order: 'desc' as const,
    from: boundOf(query.from, 'from'),
    to: boundOf(query.to, 'to'),
  }
  const bound = { list: 'social', ...filter }
  const after = query.cursor === undefined ? null : (decodeCursor(bound, query.cursor, 2) as [number, string])
  const { items, last } = pageOf(services, { ...filter, after, limit: query.limit ?? DEFAULT_PAGE })
  return {
    items: presentPosts(services, companyId, items),
    nextCursor: last === null ? null : encodeCursor(bound, last),
  }
}

const ON_CALENDAR = ['draft', 'error', 'publishing', 'scheduled', 'success']

interface Window {
  readonly from: number
  readonly to: number
}

/** The requested window. VALIDATION_FAILED. */
function windowOf({ now }: ClockServices, given: { from: number | null; to: number | null }): Window {
  const today = Math.floor(now() / DAY_MS) * DAY_MS
  const from = given.from ?? today - CALENDAR_BACK_DAYS * DAY_MS
  const to = given.to ?? Math.min(from + CALENDAR_DAYS * DAY_MS - 1, LAST_MOMENT)
  if (to < from) throw invalidField('to', '"to" should not be before "from".')
  if (to - from > CALENDAR_MOST_DAYS * DAY_MS)
    throw invalidField('to', `The window should be of ${CALENDAR_MOST_DAYS} days at most.`)
  return { from, to }
}

/** What went out and what is planned in a window, earliest first. VALIDATION_FAILED, INVALID_CURSOR. */
export function readCalendar(
  services: ClockServices,
  input: { caller: Caller; query: CalendarQuery },
): Page<CalendarEntry> & { from: string; to: string } {
  const { caller, query } = input
  const { companyId } = caller
  const given = { from: boundOf(query.from, 'from'), to: boundOf(query.to, 'to') }
  const bound = { list: 'calendar', companyId, ...given }
  // All pages use the window of the first one: default bounds must not move at midnight.
  const position =
    query.cursor === undefined
      ? null
      : (decodeCursor(bound, query.cursor, 4) as [number, number, number, string])
  const { from, to } = position === null ? windowOf(services, given) : { from: position[0], to: position[1] }
  const { items, last } = pageOf(services, {
    companyId,
    statuses: ON_CALENDAR,
    platforms: [],
    dated: true,
    order: 'asc',
    from,
    to,
    after: position === null ? null : [position[2], position[3]],
    limit: query.limit ?? DEFAULT_PAGE,
  })
  const entries = presentCalendar(services, companyId, items)
  return {
    items: entries,
    nextCursor: last === null ? null : encodeCursor(bound, [from, to, ...last]),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  }
}
