import { expect, it } from 'vitest'
import type { PostAnalyticsItem } from '../../server/contract/tenant-api/analytics.ts'
import { bestClips } from './numbers.ts'

const post = (
  clipId: string | null,
  engagementScore: number | null,
  status = 'success',
): PostAnalyticsItem => ({
  postId: 'p',
  clipId,
  platform: 'tiktok',
  status,
  text: '',
  postUrl: null,
  publishedAt: '2026-11-21T00:00:00.000Z',
  views: 100,
  likes: 0,
  comments: 0,
  shares: 0,
  engagementScore,
  growthRate: null,
  lastAnalyticsUpdate: null,
})

it('adds up the posts of a clip, and leaves out what has none or did not go out', () => {
  const posts = [
    post('a', 10),
    post('b', 15),
    post('a', 8),
    post(null, 99),
    post('c', 50, 'error'),
    post('d', null),
  ]
  expect(bestClips(posts, 2)).toEqual([
    { clipId: 'a', posts: 2, views: 200, engagementScore: 18 },
    { clipId: 'b', posts: 1, views: 100, engagementScore: 15 },
  ])
  expect(bestClips(posts, 9).map(({ clipId }) => clipId)).toEqual(['a', 'b', 'd'])
  expect(bestClips([], 5)).toEqual([])
})
