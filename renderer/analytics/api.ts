/** Requests for the figures of published posts. */
import type { AnalyticsDay } from '../../server/contract/studio.ts'
import type {
  AnalyticsSummary,
  PostAnalyticsDetail,
  PostAnalyticsItem,
} from '../../server/contract/tenant-api/analytics.ts'
import type { LearningReport } from '../../server/contract/learning.ts'
import { call } from '../state/api.ts'

interface Page<T> {
  readonly data: T[]
  readonly meta: { readonly nextCursor: string | null }
}

const DAY_MS = 86_400_000

/** Sums over posts published in the last so many days, and in as many before. */
export const loadSummary = async (days: number): Promise<AnalyticsSummary> => {
  const from = new Date(Date.now() - days * DAY_MS).toISOString()
  return (await call<{ data: AnalyticsSummary }>(`/analytics/summary?${new URLSearchParams({ from })}`)).data
}

/** Gains of each of the last days, by the browser's time zone. */
export const loadDays = async (days: number): Promise<AnalyticsDay[]> => {
  const offset = -new Date().getTimezoneOffset()
  const query = new URLSearchParams({ days: String(days), offset: String(offset) })
  return (await call<{ days: AnalyticsDay[] }>(`/studio/analytics/days?${query}`)).days
}

export const loadPostList = (query: URLSearchParams) =>
  call<Page<PostAnalyticsItem>>(`/analytics/posts?${query}`)

export const loadTrending = async (): Promise<PostAnalyticsItem[]> =>
  (await call<Page<PostAnalyticsItem>>('/analytics/trending-posts?limit=5')).data

export const loadDetail = async (id: string): Promise<PostAnalyticsDetail> =>
  (await call<{ data: PostAnalyticsDetail }>(`/analytics/posts/${encodeURIComponent(id)}`)).data

export const loadLearning = () => call<LearningReport>('/studio/learning')
