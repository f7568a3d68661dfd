/** GET /posts, GET /post-analytics and their path forms, over a real socket; the lists at 100,000 posts. */
import { Value } from '@sinclair/typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  PLATFORMS,
  PostAnalyticsResponse,
  PostsResponse,
  POST_SORTS,
  type ListedPost,
  type PostSort,
} from '../../server/contract/post.ts'
import { insertPost, listPosts, pageStatement, positionOf, type NewPost } from '../../server/db/posts.ts'
import { createCompany } from '../../server/domain/people/companies.ts'
import { recordPostRefresh } from '../../server/domain/analytics/published-posts.ts'
import { newId } from '../../server/ids.ts'
import { addCompany, startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const DAY = 86_400_000
const FIRST = Date.UTC(2026, 0, 1)

function addPost(companyId: string, post: Partial<NewPost> = {}): string {
  const id = newId()
  const now = server.services.now()
  insertPost(server.services.db, {
    id,
    companyId,
    platform: 'tiktok',
    text: 'A post',
    status: 'success',
    publishedAt: FIRST,
    createdAt: now,
    updatedAt: now,
    ...post,
  })
  return id
}

/** A company of its own with ten posts, a day apart. */
let tenants = 0
function tenant() {
  const { companyId, key } = addCompany(server, `posts-${++tenants}`)
  const ids = Array.from({ length: 10 }, (_, n) =>
    addPost(companyId, {
      platform: n % 2 === 0 ? 'youtube' : 'tiktok',
      publishedAt: FIRST + n * DAY,
      views: (n * 7) % 10,
      likes: n % 3,
      comments: 9 - n,
      clipId: n < 4 ? 'clip-1' : null,
    }),
  )
  const get = async (query: string) => server.call(`/posts?companyId=${companyId}${query}`, { key })
  const list = async (query: string) => (await get(query)).json<PostsResponse>()
  return { companyId, key, ids, get, list }
}

const numbersOf = (ids: readonly string[], posts: readonly ListedPost[]) =>
  posts.map((post) => ids.indexOf(post.id))

describe('the list', () => {
  it('default listing is newest first, with every field, by query and by path', async () => {
    const { companyId, key, ids, list } = tenant()
    const body = await list('')
    expect(Value.Check(PostsResponse, body)).toBe(true)
    expect(numbersOf(ids, body.posts)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    expect(body.cursor).toBeNull()
    expect(body.posts[9]).toEqual({
      id: ids[0],
      platform: 'youtube',
      text: 'A post',
      postUrl: null,
      nativeId: null,
      clipId: 'clip-1',
      status: 'success',
      mediaUrl: null,
      thumbnailUrl: null,
      createdAt: '2026-01-01T00:00:00.000Z',
      analytics: { views: 0, likes: 0, comments: 9, shares: 0 },
    })
    const byPath = await server.call(`/companies/${companyId}/posts`, { key })
    expect(byPath.json()).toEqual(body)
  })

  it.each([
    ['date', [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]],
    ['views', [7, 4, 1, 8, 5, 2, 9, 6, 3, 0]],
    ['likes', [8, 5, 2, 7, 4, 1, 9, 6, 3, 0]],
    ['comments', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ])(
    'sortBy=%s: metric sorts are descending by current rollup, the same page by page',
    async (sortBy, order) => {
      const { ids, list } = tenant()
      expect(numbersOf(ids, (await list(`&sortBy=${sortBy}`)).posts)).toEqual(order)
      const paged: ListedPost[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: PostsResponse = await list(`&sortBy=${sortBy}&limit=3&cursor=${cursor}`)
        expect(page.posts.length).toBeLessThanOrEqual(3)
        paged.push(...page.posts)
        cursor = page.cursor
      }
      expect(numbersOf(ids, paged)).toEqual(order)
    },
  )

  it('platform is applied per page, so a page may hold fewer than limit items; paging on finds all', async () => {
    const { ids, list } = tenant()
    const sizes: number[] = []
    const found: ListedPost[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: PostsResponse = await list(`&platform=youtube&limit=3&cursor=${cursor}`)
      sizes.push(page.posts.length)
      found.push(...page.posts)
      cursor = page.cursor
    }
    expect(sizes).toEqual([1, 2, 1, 1])
    expect(numbersOf(ids, found)).toEqual([8, 6, 4, 2, 0])
  })

  it('clipId: all matches in one response; sortBy and cursor are ignored', async () => {
    const { ids, list } = tenant()
    const body = await list(`&clipId=clip-1&limit=1&sortBy=sideways&cursor=${'n'.repeat(1001)}`)
    expect([numbersOf(ids, body.posts), body.cursor]).toEqual([[3, 2, 1, 0], null])
    expect(numbersOf(ids, (await list('&clipId=clip-1&platform=tiktok')).posts)).toEqual([3, 1])
    expect(
      numbersOf(
        ids,
        (await list('&clipId=clip-1&sortBy=views&startDate=2026-01-02&endDate=2026-01-03')).posts,
      ),
    ).toEqual([2, 1])
    expect(await list('&clipId=none')).toEqual({ posts: [], cursor: null })
  })

  it.each([
    ['&startDate=2026-01-08', [9, 8, 7]],
    ['&endDate=2026-01-03', [2, 1, 0]],
    ['&endDate=2026-01-03T00:00:00Z&sortBy=date', [2, 1, 0]],
    ['&endDate=2026-01-02T23:59:59.999Z', [1, 0]],
    ['&startDate=2026-01-03T01:00:00%2B01:00&endDate=2026-01-04', [3, 2]],
    ['&startDate=2027-01-01', []],
  ])('startDate and endDate bound the publish time: %s', async (query, order) => {
    const { ids, list } = tenant()
    expect(numbersOf(ids, (await list(query)).posts)).toEqual(order)
    const first = await list(`${query}&limit=1`)
    const next = first.cursor === null ? [] : (await list(`${query}&cursor=${first.cursor}`)).posts
    expect(numbersOf(ids, [...first.posts, ...next])).toEqual(order)
  })

  it('holds published posts and failures only', async () => {
    const { companyId, list } = tenant()
    for (const status of ['draft', 'scheduled', 'publishing', 'cancelled'] as const)
      addPost(companyId, { status, publishedAt: FIRST + 50 * DAY })
    const failed = addPost(companyId, { status: 'error', publishedAt: FIRST + 60 * DAY })
    const { posts } = await list('')
    expect([posts.length, posts[0]?.id, posts[0]?.status]).toEqual([11, failed, 'error'])
  })

  it('limit is 25 unless given, 100 at most', async () => {
    const { companyId, list } = tenant()
    for (let n = 0; n < 100; n++) addPost(companyId)
    expect((await list('')).posts.length).toBe(25)
    expect((await list('&limit=100')).posts.length).toBe(100)
  })

  it('posts of one moment and one count each come once', async () => {
    const { companyId, key } = addCompany(server, 'posts-alike')
    const ids = Array.from({ length: 20 }, () => addPost(companyId, { views: 3 }))
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const path: string = `/posts?companyId=${companyId}&sortBy=views&limit=7&cursor=${cursor}`
      const page: PostsResponse = (await server.call(path, { key })).json<PostsResponse>()
      seen.push(...page.posts.map((post) => post.id))
      cursor = page.cursor
    }
    expect(seen.toSorted()).toEqual(ids.toSorted())
  })
})

describe('invalid lists', () => {
  it.each([
    ['&limit=0', 'limit'],
    ['&limit=101', 'limit'],
    ['&limit=1e1', 'limit'],
    ['&limit=ten', 'limit'],
    ['&platform=myspace', 'platform'],
    ['&sortBy=shares', 'sortBy'],
    ['&startDate=soon', 'startDate'],
    ['&endDate=2026-02-30', 'endDate'],
    ['&sortBy=views&startDate=2026-01-01', 'startDate'],
    ['&sortBy=likes&endDate=2026-01-01', 'endDate'],
  ])('%s: 400 INVALID_REQUEST', async (query, field) => {
    const answer = await tenant().get(query)
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { code: 'INVALID_REQUEST', details: { field } },
    ])
  })

  it('a cursor of another query is 400 INVALID_CURSOR, and so is an invalid one', async () => {
    const { get, list } = tenant()
    const { cursor } = await list('&limit=2')
    const other = tenant()
    expect((await get(`&limit=5&cursor=${cursor ?? ''}`)).status).toBe(200)
    for (const answer of [
      await get(`&sortBy=views&cursor=${cursor ?? ''}`),
      await get(`&platform=tiktok&cursor=${cursor ?? ''}`),
      await get(`&startDate=2026-01-01&cursor=${cursor ?? ''}`),
      await other.get(`&cursor=${cursor ?? ''}`),
      await get('&cursor=nonsense'),
    ])
      expect([answer.status, answer.json()['code']]).toEqual([400, 'INVALID_CURSOR'])
  })

  it('another company: 401 INVALID_API_KEY', async () => {
    const { companyId } = tenant()
    for (const path of [
      `/posts?companyId=${companyId}`,
      `/companies/${companyId}/posts`,
      `/companies/${companyId}/posts/x/analytics`,
    ])
      expect((await server.call(path)).json()['code']).toBe('INVALID_API_KEY')
  })
})

describe('the analytics of a post', () => {
  it('score and growth come with the refreshes; platform metrics are in this response only', async () => {
    const { companyId, key } = addCompany(server, 'posts-analytics')
    const postId = addPost(companyId, { platform: 'youtube' })
    const read = async () =>
      (
        await server.call(`/post-analytics?companyId=${companyId}&postId=${postId}`, { key })
      ).json<PostAnalyticsResponse>()
    expect((await read()).analytics).toEqual({
      views: 0,
      likes: 0,
      comments: 0,
      shares: 0,
      platformMetrics: {},
    })
    const refresh = (refreshedAt: number, views: number, likes: number) => {
      const counters = { views, likes, comments: 0, shares: 1 }
      recordPostRefresh(server.services, {
        companyId,
        postId,
        refreshedAt,
        ...counters,
        platformMetrics: { at: refreshedAt },
      })
    }
    refresh(1000, 1000, 3)
    expect((await read()).post).toMatchObject({
      engagementScore: 20,
      lastAnalyticsUpdate: '1970-01-01T00:00:01.000Z',
    })
    expect((await read()).analytics).not.toHaveProperty('growthRate')
    refresh(3000, 2000, 8)
    // One that was late does not undo the newer one, but it is now the one before it.
    refresh(2000, 1000, 7)
    const body = await read()
    expect(Value.Check(PostAnalyticsResponse, body)).toBe(true)
    expect(body.analytics).toEqual({
      views: 2000,
      likes: 8,
      comments: 0,
      shares: 1,
      engagementScore: 40,
      growthRate: ((40 - 28) / 28) * 100,
      lastAnalyticsUpdate: '1970-01-01T00:00:03.000Z',
      platformMetrics: { youtube: { at: 3000 } },
    })
    expect(body.post).not.toHaveProperty('analytics')
    expect(body.post).toMatchObject({ engagementScore: 40, growthRate: body.analytics.growthRate })
    const byPath = await server.call(`/companies/${companyId}/posts/${postId}/analytics`, { key })
    expect(byPath.json()).toEqual(body)
    const listed = (await server.call(`/posts?companyId=${companyId}`, { key })).json<PostsResponse>()
      .posts[0]
    expect(listed?.analytics).not.toHaveProperty('platformMetrics')
    expect(listed?.analytics).toMatchObject({ views: 2000, engagementScore: 40 })
  })

  it('an unknown post, a draft, or one of another company is 404 POST_NOT_FOUND; a missing postId 400', async () => {
    const { companyId, key } = addCompany(server, 'posts-none')
    for (const postId of [
      'none',
      addPost(companyId, { status: 'draft', publishedAt: null }),
      addPost('acme'),
    ]) {
      const answer = await server.call(`/post-analytics?companyId=${companyId}&postId=${postId}`, { key })
      expect([answer.status, answer.json()['code']]).toEqual([404, 'POST_NOT_FOUND'])
    }
    const missing = await server.call(`/post-analytics?companyId=${companyId}`, { key })
    expect(missing.json()).toMatchObject({ code: 'INVALID_REQUEST', details: { field: 'postId' } })
  })
})

describe('at 100,000 posts', () => {
  const POSTS = 100_000
  const companyId = 'posts-many'
  beforeAll(() => {
    createCompany(server.services, { id: companyId, name: 'Many' })
    const platforms = PLATFORMS.map((name, index) => `when ${index} then '${name}'`).join(' ')
    server.services.db.sqlite.exec(`
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${POSTS})
      insert into posts (id, company_id, clip_id, platform, text, status, published_at, views, likes, comments, shares,
        engagement_score, analytics_at, created_at, updated_at)
      select printf('post-%06d', (i * 7919) % ${POSTS}), '${companyId}', 'clip-' || (i % 5000), case i % 9 ${platforms} end,
        'A caption of usual length for a post that was made from a clip.', case i % 50 when 0 then 'draft' else 'success' end,
        ${FIRST} + (i / 3) * 60000, (i * 104729) % 1000003 % (1 + i % 400000), (i * 31) % 1000, i % 20, i % 7,
        1.5 * i, ${FIRST}, ${FIRST}, ${FIRST} from n`)
  })

  it.each(POST_SORTS.map((sortBy) => [sortBy]))(
    'a page by %s is an index scan, at any depth',
    (sortBy: PostSort) => {
      const { db } = server.services
      const common = { companyId, sortBy, from: null, to: null, limit: 101 }
      const middle =
        sortBy === 'date' ? [FIRST + 1_000_000_000, 'x'] : [sortBy === 'views' ? 5000 : 10, FIRST, 'x']
      const positions = [
        null,
        middle,
        sortBy === 'date' ? [FIRST + 600_000, 'x'] : [0, FIRST + 600_000_000, 'x'],
      ]
      for (const after of positions) {
        const { text, values } = pageStatement({ ...common, after })
        const plan = db.sqlite
          .prepare<unknown[], { detail: string }>(`explain query plan ${text}`)
          .all(...values)
        expect(plan.map((step) => step.detail).join('; ')).toMatch(
          /^SEARCH posts USING INDEX posts_by_\w+ \(company_id=\?[^;]*\)$/,
        )
        const times = Array.from({ length: 9 }, () => {
          const start = performance.now()
          listPosts(db, { ...common, after })
          return performance.now() - start
        }).sort((a, b) => a - b)
        expect(times[4]).toBeLessThan(10)
      }
    },
  )

  it('lists all of them, each once, in order', () => {
    const { db } = server.services
    let seen = 0
    let last: number | null = null
    for (let after: ReturnType<typeof positionOf> | null = null; ;) {
      const rows = listPosts(db, { companyId, sortBy: 'views', from: null, to: null, after, limit: 1000 })
      for (const { views } of rows) {
        expect(views <= (last ?? Infinity)).toBe(true)
        last = views
      }
      seen += rows.length
      const end = rows.at(-1)
      if (end === undefined) break
      after = positionOf(end, 'views')
    }
    expect(seen).toBe(POSTS * 0.98)
  })
})
