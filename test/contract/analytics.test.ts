/** Counters of posts: refreshed in time, and by the platforms' ways. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PostMetrics } from '../../server/adapters/social/adapter.ts'
import { socialFailure } from '../../server/adapters/social/failure.ts'
import type { PostAnalyticsResponse, Platform } from '../../server/contract/post.ts'
import type { PostAnalyticsDetail } from '../../server/contract/tenant-api/analytics.ts'
import { listPostResults } from '../../server/db/learning.ts'
import { postAnalytics, postRefreshes, posts, socialAccounts } from '../../server/db/schema.ts'
import { adapterMetrics, refreshDuePosts, type ReadMetrics } from '../../server/domain/analytics/refresh.ts'
import { engagementScore } from '../../server/domain/analytics/refresh-rules.ts'
import { readAnalytics } from '../../server/domain/analytics/read.ts'
import { storeAccount } from '../../server/domain/publishing/accounts.ts'
import { newId } from '../../server/ids.ts'
import { addPost } from '../support/posted.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import type { SocialAccountRow } from '../../server/db/social-posts.ts'

const HOUR = 3_600_000
const START = Date.UTC(2026, 5, 1)

let time = START
let server: TestServer
beforeEach(async () => {
  time = START
  server = await startTestServer({ now: () => time })
})
afterEach(() => server.close())

const orm = () => server.services.db.orm

function account(platform: Platform = 'tiktok', state: SocialAccountRow['state'] = 'connected'): string {
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

const post = (more: Partial<typeof posts.$inferInsert> = {}): string => addPost(server, more)

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
  it('requests counters hourly for three days after publication, then every six hours', async () => {
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

  it('stores the four counters, the score and the growth by the formulas, and the platform’s own metrics', async () => {
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

  it('reports no growth from counters that a lagging platform has not updated yet', async () => {
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

  it('reports the last counters and metrics of a lagging platform, and keeps score, growth and age', async () => {
    const id = post({ platform: 'youtube', accountId: account('youtube'), clipId: 'clip' })
    const outside = platform()
    const say = async (minutes: number, likes = 10) => {
      outside.told.set(`n-${id}`, { likes, platformMetrics: { minutes } })
      time += HOUR
      await outside.refresh()
    }
    await say(1)
    await say(2, 20)
    const moved = time
    const { growthRate, engagementScore: score, history } = read(id)
    await say(3, 20)
    const { lastAnalyticsUpdate, platformMetrics, ...detail } = read(id)
    expect([platformMetrics, lastAnalyticsUpdate]).toEqual([
      { youtube: { minutes: 3 } },
      new Date(time).toISOString(),
    ])
    expect(detail).toMatchObject({ growthRate, engagementScore: score, history })
    const shown = (
      await server.call(`/post-analytics?companyId=acme&postId=${id}`)
    ).json<PostAnalyticsResponse>()
    expect(shown.analytics).toMatchObject({ platformMetrics, lastAnalyticsUpdate, growthRate })
    const kept = orm().select().from(postAnalytics).where(eq(postAnalytics.postId, id)).all()
    expect(kept.map(({ refreshedAt }) => refreshedAt)).toEqual([moved - HOUR, moved])
    expect(listPostResults(server.services.db, 'acme', 1)).toMatchObject([
      { clipId: 'clip', countedAt: moved },
    ])
    // The lag is over after the counters have stood still for it, however often they were told.
    time = moved + 47 * HOUR
    await say(4, 20)
    expect(read(id)).toMatchObject({ growthRate: 0, platformMetrics: { youtube: { minutes: 4 } } })
  })

  it('requests up to 25 posts of an account at once, and leaves out posts that it did not publish', async () => {
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

  it('pauses an account when its platform requires it, and not the others', async () => {
    const limited = account()
    const other = account()
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

  it('gives up a post that the platform no longer has, and keeps its stored counters', async () => {
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

  it('uses the platform’s adapter, as the account', async () => {
    const heard: (string | undefined)[] = []
    const youtube = createServer((request, response) => {
      heard.push(request.headers.authorization, request.url?.split('?')[0])
      const statistics = { viewCount: '500', likeCount: '20', commentCount: '3', favoriteCount: '0' }
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ items: [{ id: 'vid', statistics }] }))
    })
    await new Promise<void>((resolve) => youtube.listen(0, '127.0.0.1', resolve))
    try {
      const { services } = server
      const address = `http://127.0.0.1:${(youtube.address() as AddressInfo).port}`
      const config = {
        ...services.config,
        social: { ...services.config.social, addresses: { youtube: address } },
      }
      const mine = { ...services, config }
      const identified = { nativeId: 'channel', handle: '@a', tokens: { access: 'token-1' } }
      const { id: accountId } = storeAccount(mine, { companyId: 'acme', platform: 'youtube', identified })
      const id = post({ platform: 'youtube', accountId, nativeId: 'vid' })
      time += HOUR
      const { signal } = new AbortController()
      expect(await refreshDuePosts(mine, { readMetrics: adapterMetrics(mine), signal, accounts: 5 })).toBe(1)
      expect(read(id)).toMatchObject({
        views: 500,
        likes: 20,
        comments: 3,
        shares: 0,
        platformMetrics: { youtube: { favoriteCount: '0' } },
      })
      expect(heard).toEqual(['Bearer token-1', '/youtube/v3/videos'])
    } finally {
      youtube.close()
    }
  })

  it('begins when a post is published, and ends when it is deleted from the platform', () => {
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
