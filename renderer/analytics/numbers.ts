import { page } from '../messages/analytics.ts'
import type { PostAnalyticsItem } from '../../server/contract/tenant-api/analytics.ts'

/** What is counted of each post. */
export const COUNTERS = [
  { name: 'views', label: page.metrics.views },
  { name: 'likes', label: page.metrics.likes },
  { name: 'comments', label: page.metrics.comments },
  { name: 'shares', label: page.metrics.shares },
] as const
export const ENGAGEMENT = { name: 'engagementScore', label: page.metrics.engagement } as const

/** Figures as people read them. The space before a percent sign breaks no line. */
const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })

export const figure = (value: number): string => whole.format(value)
export const shortFigure = (value: number): string => short.format(value)
export const percent = (share: number): string => `${Math.round(share * 100)}\u00a0%`

/** `+12 %` against before; empty where there was nothing before. */
export function change(now: number, before: number): string {
  if (before === 0) return ''
  const by = Math.round(((now - before) / before) * 100)
  return `${by > 0 ? '+' : ''}${whole.format(by)}\u00a0%`
}

/** `+12.5 %`; empty before the second refresh. */
export const growth = (rate: number | null): string =>
  rate === null ? '' : `${rate > 0 ? '+' : ''}${rate.toFixed(1)}\u00a0%`

export interface ClipResult {
  readonly clipId: string
  readonly posts: number
  readonly views: number
  readonly engagementScore: number
}

/** Clips by the engagement of all their posts, the best first. */
export function bestClips(posts: readonly PostAnalyticsItem[], most: number): ClipResult[] {
  const sums = new Map<string, ClipResult>()
  for (const { clipId, status, views, engagementScore } of posts) {
    if (clipId === null || status !== 'success') continue
    const sum = sums.get(clipId) ?? { clipId, posts: 0, views: 0, engagementScore: 0 }
    sums.set(clipId, {
      clipId,
      posts: sum.posts + 1,
      views: sum.views + views,
      engagementScore: sum.engagementScore + (engagementScore ?? 0),
    })
  }
  return [...sums.values()]
    .sort((a, b) => b.engagementScore - a.engagementScore || b.views - a.views)
    .slice(0, most)
}
