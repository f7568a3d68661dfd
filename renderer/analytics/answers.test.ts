import { describe, expect, it } from 'vitest'
import type { PostAnalyticsItem } from '../../server/contract/tenant-api/analytics.ts'
import { answersOf } from './answers.ts'
import { bestClips } from './numbers.ts'

let made = 0
const posts = (platform: string, views: readonly number[], clipId = 'other'): PostAnalyticsItem[] =>
  views.map(
    (seen) =>
      ({
        postId: `p${(made += 1)}`,
        clipId: `${clipId}-${clipId === 'other' ? made : ''}`,
        platform,
        status: 'success',
        views: seen,
        engagementScore: seen / 10,
      }) as PostAnalyticsItem,
  )
const answers = (all: readonly PostAnalyticsItem[]) => answersOf(all, bestClips(all, 5))

describe('what the figures say', () => {
  it('is nothing for few posts', () => {
    expect(answers(posts('tiktok', [1, 2, 3, 4, 5]))).toBeNull()
    expect(answers([])).toBeNull()
  })

  it('is the platform whose usual post does better than one elsewhere, and the one that does worse', () => {
    const all = [
      ...posts('tiktok', [900, 1000, 1100]),
      ...posts('youtube', [300, 320, 340]),
      ...posts('x', [10, 12, 14]),
    ]
    expect(answers(all)).toMatchObject({
      works: { platform: 'tiktok', views: 1000, elsewhere: 157 },
      worksNot: { platform: 'x', views: 12, elsewhere: 620 },
    })
  })

  it('is not one post that many saw', () => {
    const all = [...posts('tiktok', [100, 110, 90_000]), ...posts('youtube', [100, 105, 120])]
    expect(answers(all)).toMatchObject({ works: null, worksNot: null })
  })

  it('is no platform of which there are too few posts, and none where all posts are on one', () => {
    const all = [...posts('tiktok', [100, 110, 120, 90, 95]), ...posts('x', [5000, 6000])]
    expect(answers(all)?.works).toBeNull()
    expect(answers(posts('tiktok', [1, 2, 3, 4, 5, 6]))).toMatchObject({ works: null, worksNot: null })
  })

  it('is the clip with a large share of all engagement', () => {
    const all = [...posts('tiktok', [1000, 1000], 'star'), ...posts('youtube', [100, 100, 100, 100])]
    expect(answers(all)?.best?.clipId).toBe('star-')
    expect(answers(all)?.best?.share).toBeCloseTo(2000 / 2400, 5)
    expect(answers(posts('tiktok', [10, 10, 10, 10, 10, 10]))?.best).toBeNull()
    expect(answers(posts('tiktok', [0, 0, 0, 0, 0, 0]))?.best).toBeNull()
  })
})
