/** GET /analytics/...: what is known of posts' counters. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type {
  AnalyticsSummary,
  PostAnalyticsDetail,
  PostAnalyticsItem,
} from '../../server/contract/tenant-api/analytics.ts'
import type { posts } from '../../server/db/schema.ts'
import { createCompany } from '../../server/domain/people/companies.ts'
import { recordPostRefresh } from '../../server/domain/analytics/published-posts.ts'
import { domainClient, type DomainAnswer, type DomainClient } from '../support/domain.ts'
import { addPost } from '../support/posted.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import type { Platform } from '../../server/contract/post.ts'

const HOUR = 3_600_000
const DAY = 86_400_000
const time = Date.UTC(2026, 5, 1)

let server: TestServer
let client: DomainClient
beforeEach(async () => {
  server = await startTestServer({ now: () => time })
  client = await domainClient(server)
})
afterEach(() => server.close())

const post = (more: Partial<typeof posts.$inferInsert> = {}): string => addPost(server, more)

describe('/analytics', () => {
  const grown = (
    platformName: Platform,
    ago: number,
    likes: readonly [number, number],
    more: Partial<typeof posts.$inferInsert> = {},
  ): string => {
    const postId = post({ platform: platformName, publishedAt: time - ago, ...more })
    const companyId = more.companyId ?? 'acme'
    for (const [index, count] of likes.entries())
      recordPostRefresh(server.services, {
        companyId,
        postId,
        refreshedAt: time - (2 - index) * HOUR,
        views: 0,
        likes: count,
        comments: 0,
        shares: 0,
        platformMetrics: {},
      })
    return postId
  }
  const readPages = async (path: string, limit: number): Promise<string[]> => {
    const found: string[] = []
    let cursor: string | null = null
    do {
      const mark: string = path.includes('?') ? '&' : '?'
      const page: DomainAnswer<PostAnalyticsItem[]> = await client.call<PostAnalyticsItem[]>(
        'GET',
        `${path}${mark}limit=${limit}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      )
      expect(page.status).toBe(200)
      found.push(...page.data.map(({ postId }) => postId))
      cursor = page.meta.nextCursor
    } while (cursor !== null)
    return found
  }

  it('lists posts by date and counters, of platforms and windows, page by page', async () => {
    const made = Array.from({ length: 23 }, (_, index) => ({
      id: grown(index % 3 === 0 ? 'youtube' : 'tiktok', index * DAY, [1, (index * 7) % 23]),
      index,
    }))
    expect(await readPages('/analytics/posts', 5)).toEqual(made.map(({ id }) => id))
    const byLikes = [...made].sort((a, b) => ((b.index * 7) % 23) - ((a.index * 7) % 23)).map(({ id }) => id)
    expect(await readPages('/analytics/posts?sortBy=likes', 4)).toEqual(byLikes)
    const youtube = made.filter(({ index }) => index % 3 === 0).map(({ id }) => id)
    expect(await readPages('/analytics/posts?platform=youtube', 3)).toEqual(youtube)
    const from = new Date(time - 4 * DAY).toISOString()
    expect(await readPages(`/analytics/posts?from=${from}`, 2)).toEqual(made.slice(0, 5).map(({ id }) => id))
    for (const path of [
      '/analytics/posts?from=soon',
      '/analytics/posts?sortBy=likes&from=2026-01-01',
      '/analytics/posts?sortBy=shares',
      '/analytics/posts?platform=myspace',
      '/analytics/summary?from=2026-02-01&to=2026-01-01',
    ])
      expect([path, (await client.call('GET', path)).error.code]).toEqual([path, 'VALIDATION_FAILED'])
    const { meta } = await client.call('GET', '/analytics/posts?limit=2')
    expect(
      (await client.call('GET', `/analytics/posts?sortBy=likes&cursor=${meta.nextCursor ?? ''}`)).error.code,
    ).toBe('INVALID_CURSOR')
  })

  it('lists posts by recent growth, the fastest first', async () => {
    const growing = [30, 10, 20, 20, 50].map((likes, index) => ({
      likes,
      id: grown('tiktok', index * DAY, [5, likes]),
    }))
    grown('tiktok', DAY, [9, 9])
    grown('tiktok', DAY, [9, 4])
    grown('tiktok', 40 * DAY, [5, 500])
    const order = [4, 0, 2, 3, 1].map((index) => growing[index]?.id)
    expect(await readPages('/analytics/trending-posts', 2)).toEqual(order)
    expect(await readPages('/analytics/trending-posts?platform=youtube', 2)).toEqual([])
    expect(await readPages('/analytics/trending-posts?days=60', 50)).toHaveLength(6)
  })

  it('sums a window, by platform, and the one before', async () => {
    grown('youtube', DAY, [1, 10])
    grown('youtube', 2 * DAY, [1, 20])
    grown('tiktok', 3 * DAY, [1, 5])
    post({ platform: 'tiktok', status: 'error', publishedAt: time - DAY })
    grown('tiktok', 40 * DAY, [1, 7])
    const { data } = await client.call<AnalyticsSummary>('GET', '/analytics/summary')
    expect(data.totals).toEqual({
      posts: 3,
      failed: 1,
      views: 0,
      likes: 35,
      comments: 0,
      shares: 0,
      engagementScore: 85,
    })
    expect(data.previous).toMatchObject({ posts: 1, likes: 7 })
    expect(data.byPlatform).toMatchObject([
      { platform: 'youtube', posts: 2, likes: 30 },
      { platform: 'tiktok', posts: 1, failed: 1, likes: 5 },
    ])
    expect([data.from, data.to]).toEqual([
      new Date(time - 30 * DAY).toISOString(),
      new Date(time).toISOString(),
    ])
    const empty = await client.call<AnalyticsSummary>(
      'GET',
      '/analytics/summary?from=2020-01-01&to=2020-01-31',
    )
    expect(empty.data).toMatchObject({
      totals: { posts: 0, engagementScore: 0 },
      byPlatform: [],
      lastAnalyticsUpdate: null,
    })
  })

  it('shows nothing of another company', async () => {
    createCompany(server.services, { id: 'rival', name: 'Rival' })
    const rival = await domainClient(server, { companyId: 'rival' })
    const id = grown('tiktok', DAY, [1, 10])
    expect((await rival.call('GET', `/analytics/posts/${id}`)).error.code).toBe('NOT_FOUND')
    const own = await client.call<PostAnalyticsDetail>('GET', `/analytics/posts/${id}`)
    expect(own.data).toMatchObject({
      postId: id,
      likes: 10,
      history: [{ likes: 1 }, { likes: 10 }],
      nextRefreshAt: null,
    })
    for (const path of ['/analytics/posts', '/analytics/trending-posts'])
      expect([
        (await rival.call('GET', path)).data,
        ((await client.call('GET', path)).data as unknown as unknown[]).length,
      ]).toEqual([[], 1])
    const { data } = await rival.call<AnalyticsSummary>('GET', '/analytics/summary')
    expect(data.totals.posts).toBe(0)
    expect(
      (await client.call('GET', `/analytics/posts/${post({ status: 'draft', publishedAt: null })}`)).status,
    ).toBe(404)
  })
})
