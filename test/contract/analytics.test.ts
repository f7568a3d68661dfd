/** Counters of posts: refreshed in time, by the platforms' ways, and told by /analytics. */
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PostMetrics } from '../../server/adapters/social/adapter.ts'
import { socialFailure } from '../../server/adapters/social/failure.ts'
import type {
  AnalyticsSummary,
  PostAnalyticsDetail,
  PostAnalyticsItem,
} from '../../server/contract/domain/analytics.ts'
import { postAnalytics, postRefreshes, posts, socialAccounts } from '../../server/db/schema.ts'
import { refreshDuePosts, type ReadMetrics } from '../../server/domain/analytics/refresh.ts'
import { createCompany } from '../../server/domain/companies.ts'
import { engagementScore } from '../../server/domain/engagement.ts'
import { readAnalytics } from '../../server/domain/analytics/read.ts'
import { recordPostRefresh } from '../../server/domain/posts.ts'
import { newId } from '../../server/ids.ts'
import { domainClient, type DomainAnswer, type DomainClient } from '../support/domain.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

const [HOUR, DAY] = [3_600_000, 86_400_000]
const START = Date.UTC(2026, 5, 1)

let time = START
let server: TestServer
let client: DomainClient
beforeEach(async () => {
  time = START
  server = await startTestServer({ now: () => time })
  client = await domainClient(server)
})
afterEach(() => server.close())

const orm = () => server.services.db.orm

function account(platform = 'tiktok', state = 'connected'): string {
  const id = newId()
  const row = {
    id,
    companyId: 'acme',
    platform,
    nativeId: id,
    handle: '@a',
    sealedTokens: '',
    scopes: [],
    settings: {},
    state,
  }
  orm()
    .insert(socialAccounts)
    .values({ ...row, createdAt: 0, updatedAt: 0 })
    .run()
  return id
}

function post(more: Partial<typeof posts.$inferInsert> = {}): string {
  const id = newId()
  const row = {
    id,
    companyId: 'acme',
    platform: 'tiktok',
    text: `Post ${id}`,
    status: 'success',
    nativeId: `n-${id}`,
  }
  orm()
    .insert(posts)
    .values({ ...row, publishedAt: time, createdAt: time, updatedAt: time, ...more })
    .run()
  return id
}

interface Asked {
  readonly at: number
  readonly ids: readonly string[]
}

/** A platform whose counters the test sets by native id. */
function platform() {
  const asked: Asked[] = []
  const told = new Map<string, Partial<PostMetrics>>()
  const failures = new Map<string, Error>()
  const readMetrics: ReadMetrics = ({ accountId }, ids) => {
    asked.push({ at: time, ids })
    const failure = failures.get(accountId)
    if (failure !== undefined) return Promise.reject(failure)
    const found = ids.flatMap((id) => {
      const metrics = told.get(id)
      if (metrics === undefined) return []
      return [[id, { views: 0, likes: 0, comments: 0, shares: 0, platformMetrics: {}, ...metrics }] as const]
    })
    return Promise.resolve(new Map(found))
  }
  const refresh = () =>
    refreshDuePosts(server.services, { readMetrics, signal: new AbortController().signal, accounts: 20 })
  return { asked, told, refresh, failures }
}

const read = (postId: string): PostAnalyticsDetail =>
  readAnalytics(server.services, { companyId: 'acme' }, postId)

describe('refreshing', () => {
  it('asks hourly for three days after publication, then every six hours', async () => {
    const id = post({ accountId: account() })
    const outside = platform()
    outside.told.set(`n-${id}`, { views: 1 })
    for (let minute = 0; minute <= 5 * 24 * 60; minute += 10) {
      time = START + minute * 60_000
      await outside.refresh()
    }
    const hours = outside.asked.map(({ at }) => (at - START) / HOUR)
    expect(hours.slice(0, 72)).toEqual(Array.from({ length: 72 }, (_, index) => index + 1))
    expect(hours.slice(72)).toEqual([78, 84, 90, 96, 102, 108, 114, 120])
  })

  it('keeps the four counters, the score and the growth by the formulas, and the platform’s own metrics', async () => {
    const id = post({ accountId: account() })
    const outside = platform()
    const first = { views: 1000, likes: 10, comments: 2, shares: 1 }
    const second = { views: 4000, likes: 30, comments: 4, shares: 2 }
    outside.told.set(`n-${id}`, { ...first, platformMetrics: { plays: 1 } })
    time += HOUR
    expect(await outside.refresh()).toBe(1)
    expect(read(id)).toMatchObject({
      ...first,
      engagementScore: 40,
      growthRate: null,
      nextRefreshAt: new Date(time + HOUR).toISOString(),
    })
    outside.told.set(`n-${id}`, { ...second, platformMetrics: { plays: 2 } })
    const revision = orm().select().from(posts).where(eq(posts.id, id)).get()?.revision
    time += HOUR
    await outside.refresh()
    const growthRate = ((engagementScore(second) - 40) / 40) * 100
    const detail = read(id)
    expect(detail).toMatchObject({
      ...second,
      growthRate,
      platformMetrics: { tiktok: { plays: 2 } },
      lastAnalyticsUpdate: new Date(time).toISOString(),
      refreshError: null,
    })
    expect(detail.history.map(({ views }) => views)).toEqual([1000, 4000])
    expect(orm().select().from(posts).where(eq(posts.id, id)).get()?.revision).toBe(revision)
  })

  it('tells no growth from counters that a lagging platform has not moved yet', async () => {
    const id = post({ platform: 'youtube', accountId: account('youtube') })
    const prompt = post({ platform: 'bluesky', accountId: account('bluesky') })
    const outside = platform()
    for (const one of [id, prompt]) outside.told.set(`n-${one}`, { likes: 10 })
    time += HOUR
    await outside.refresh()
    for (const one of [id, prompt]) outside.told.set(`n-${one}`, { likes: 20 })
    time += HOUR
    await outside.refresh()
    const growth = read(id).growthRate
    expect(growth).toBeGreaterThan(0)
    time += HOUR
    await outside.refresh()
    expect([read(id).growthRate, read(prompt).growthRate]).toEqual([growth, 0])
    expect(orm().select().from(postAnalytics).where(eq(postAnalytics.postId, id)).all()).toHaveLength(2)
    time += 48 * HOUR
    await outside.refresh()
    expect(read(id).growthRate).toBe(0)
  })

  it('asks for many posts of an account at once, 25 at most, and leaves out what is not published by one', async () => {
    const accountId = account()
    const ids = Array.from({ length: 60 }, () => post({ accountId }))
    post({ accountId, status: 'draft', publishedAt: null })
    post({ accountId: null })
    post({ accountId: account('tiktok', 'expired') })
    post({ accountId, nativeId: null })
    const outside = platform()
    for (const id of ids) outside.told.set(`n-${id}`, { views: 1 })
    time += HOUR
    expect(await outside.refresh()).toBe(60)
    expect(outside.asked.map((one) => one.ids.length)).toEqual([25, 25, 10])
    expect(await outside.refresh()).toBe(0)
  })

  it('leaves an account alone when it is told to, and the others not', async () => {
    const [limited, other] = [account(), account()]
    const ids = Array.from({ length: 30 }, () => post({ accountId: limited }))
    const fine = post({ accountId: other })
    const outside = platform()
    outside.told.set(`n-${fine}`, { views: 1 })
    outside.failures.set(limited, socialFailure('rate_limited', 'Too many.', { retryAfterMs: 2 * HOUR }))
    time += HOUR
    await outside.refresh()
    expect(outside.asked).toHaveLength(2)
    expect(read(ids[0] ?? '').refreshError).toBe('Too many.')
    outside.failures.clear()
    for (const id of ids) outside.told.set(`n-${id}`, { views: 1 })
    time += 2 * HOUR - 1
    await outside.refresh()
    expect(outside.asked.slice(2).flatMap((one) => one.ids)).toEqual([`n-${fine}`])
    time += 1
    await outside.refresh()
    expect(outside.asked.slice(3).flatMap((one) => one.ids)).toHaveLength(30)
    expect(read(ids[0] ?? '').refreshError).toBeNull()
  })

  it('gives a post up that the platform does not know any more, and keeps what was known', async () => {
    const id = post({ accountId: account() })
    const outside = platform()
    outside.told.set(`n-${id}`, { views: 7 })
    time += HOUR
    await outside.refresh()
    outside.told.clear()
    for (let hour = 0; hour < 20; hour += 1) {
      time += HOUR
      await outside.refresh()
    }
    expect(outside.asked).toHaveLength(8)
    expect(read(id)).toMatchObject({
      views: 7,
      nextRefreshAt: null,
      refreshError: expect.stringMatching(/does not know/) as string,
    })
  })

  it('begins when a post is published, and ends when it is taken back', () => {
    const id = post({ accountId: account(), status: 'publishing', publishedAt: null, nativeId: null })
    const rows = () => orm().select().from(postRefreshes).all()
    expect(rows()).toEqual([])
    orm()
      .update(posts)
      .set({ status: 'success', publishedAt: time, nativeId: 'x' })
      .where(eq(posts.id, id))
      .run()
    expect(rows()).toMatchObject([{ postId: id, nextAt: time + HOUR }])
    orm().update(posts).set({ status: 'cancelled' }).where(eq(posts.id, id)).run()
    expect(rows()).toEqual([])
    const names = server.services.db.sqlite
      .prepare(
        `select name from sqlite_master where type = 'trigger' and name like 'refreshes_%' order by name`,
      )
      .all()
    expect(names).toEqual(
      ['refreshes_post_added', 'refreshes_post_published', 'refreshes_post_withdrawn'].map((name) => ({
        name,
      })),
    )
  })
})

describe('/analytics', () => {
  const grown = (
    platformName: string,
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
  const walk = async (path: string, limit: number): Promise<string[]> => {
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
    expect(await walk('/analytics/posts', 5)).toEqual(made.map(({ id }) => id))
    const byLikes = [...made].sort((a, b) => ((b.index * 7) % 23) - ((a.index * 7) % 23)).map(({ id }) => id)
    expect(await walk('/analytics/posts?sortBy=likes', 4)).toEqual(byLikes)
    const youtube = made.filter(({ index }) => index % 3 === 0).map(({ id }) => id)
    expect(await walk('/analytics/posts?platform=youtube', 3)).toEqual(youtube)
    const from = new Date(time - 4 * DAY).toISOString()
    expect(await walk(`/analytics/posts?from=${from}`, 2)).toEqual(made.slice(0, 5).map(({ id }) => id))
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

  it('tells what grows, of late, the fastest first', async () => {
    const growing = [30, 10, 20, 20, 50].map((likes, index) => ({
      likes,
      id: grown('tiktok', index * DAY, [5, likes]),
    }))
    grown('tiktok', DAY, [9, 9])
    grown('tiktok', DAY, [9, 4])
    grown('tiktok', 40 * DAY, [5, 500])
    const order = [4, 0, 2, 3, 1].map((index) => growing[index]?.id)
    expect(await walk('/analytics/trending-posts', 2)).toEqual(order)
    expect(await walk('/analytics/trending-posts?platform=youtube', 2)).toEqual([])
    expect(await walk('/analytics/trending-posts?days=60', 50)).toHaveLength(6)
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
