/** The studio's requests for publishing, over the tenant API. */
import type { Confirmation } from '../../server/contract/tenant-api/workflow.ts'
import type { DomainClip } from '../../server/contract/tenant-api/clip.ts'
import type { DomainOperation } from '../../server/contract/tenant-api/operation.ts'
import type {
  CalendarEntry,
  NewSocialPost,
  PostText,
  SocialAccountView,
  SocialPost,
  SocialPostChanges,
} from '../../server/contract/tenant-api/social.ts'
import type { Static } from '@sinclair/typebox'
import type { PlatformFacts, WaitingConfirmation } from '../../server/contract/studio.ts'
import { call, callTagged, json, newKey } from '../state/api.ts'

interface Single<T> {
  readonly data: T
}
interface Page<T> {
  readonly data: T[]
  readonly meta: { readonly nextCursor: string | null }
}

const dataOf = async <T>(path: string, init?: RequestInit): Promise<T> =>
  (await call<Single<T>>(path, init)).data

const once = (): Record<string, string> => ({ 'idempotency-key': newKey() })
const postPath = (id: string): string => `/social/posts/${encodeURIComponent(id)}`

/** A post with the ETag that it was read with. */
export type HeldPost = Awaited<ReturnType<typeof callPost>>

async function callPost(path: string, init?: RequestInit) {
  const { body, etag } = await callTagged<Single<SocialPost>>(path, init)
  return { post: body.data, etag }
}

export const loadPlatforms = async (): Promise<PlatformFacts[]> =>
  (await call<{ platforms: PlatformFacts[] }>('/studio/platforms')).platforms

export const loadAccounts = () => dataOf<SocialAccountView[]>('/social/accounts')

export const loadWaiting = async (): Promise<WaitingConfirmation[]> =>
  (await call<{ confirmations: WaitingConfirmation[] }>('/studio/confirmations')).confirmations

export const loadPosts = (query: URLSearchParams) => call<Page<SocialPost>>(`/social/posts?${query}`)

export const loadPost = (id: string) => callPost(postPath(id))

/** Pages of the calendar that are read at most; more posts would not fit into its days. */
const MAX_PAGES = 10

/** Every entry of the window, earliest first; `cut` where there are more than can be shown. */
export async function loadCalendar(
  from: Date,
  to: Date,
): Promise<{ entries: CalendarEntry[]; cut: boolean }> {
  const entries: CalendarEntry[] = []
  let cursor: string | null = null
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = new URLSearchParams({ from: from.toISOString(), to: to.toISOString(), limit: '100' })
    if (cursor !== null) query.set('cursor', cursor)
    const answer: Page<CalendarEntry> = await call(`/social/calendar?${query}`)
    entries.push(...answer.data)
    cursor = answer.meta.nextCursor
    if (cursor === null) return { entries, cut: false }
  }
  return { entries, cut: true }
}

export const createPost = (draft: NewSocialPost) => callPost('/social/posts', json('POST', draft, once()))

export const changePost = (id: string, etag: string, changes: SocialPostChanges) =>
  callPost(postPath(id), json('PATCH', changes, { ...once(), 'if-match': etag }))

export const deletePost = (id: string) => call<unknown>(postPath(id), { method: 'DELETE' })

export type Step = 'publish' | 'cancel'

export const prepare = (id: string, step: Step) =>
  dataOf<Confirmation>(`${postPath(id)}:prepare-${step}`, { method: 'POST', headers: once() })

export const decide = (id: string, decision: 'approve' | 'decline') =>
  dataOf<Confirmation>(`/confirmations/${encodeURIComponent(id)}:decide`, json('POST', { decision }, once()))

/** Consumes an approved confirmation; returns the operation in the outbox. */
export const consume = (id: string, step: Step, confirmationId: string) =>
  dataOf<DomainOperation>(`${postPath(id)}:${step}`, json('POST', { confirmationId }, once()))

export const loadClip = (id: string) => dataOf<Static<typeof DomainClip>>(`/clips/${encodeURIComponent(id)}`)

/** What a post of this clip would say on each platform. */
export const loadPostTexts = (id: string) => dataOf<PostText[]>(`/clips/${encodeURIComponent(id)}/post-texts`)
