/** PURE: which clips did best. */
import type { PostAnalyticsItem } from '../../server/contract/tenant-api/analytics.ts'

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
