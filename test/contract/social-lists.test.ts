/** GET /social/posts and GET /social/calendar over a real socket: whole, once, in order, along an index. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { posts } from '../../server/db/schema.ts'
import { socialPageStatement } from '../../server/db/social-posts.ts'
import { createCompany } from '../../server/domain/people/companies.ts'
import { domainClient, type DomainClient } from '../support/domain.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { approved, carryOut, draft, type PostAnswer } from '../support/social.ts'

const time = Date.UTC(2026, 5, 1, 23, 30)
let clock = time
let server: TestServer
let client: DomainClient
let rival: DomainClient
beforeAll(async () => {
  server = await startTestServer({ now: () => clock })
  client = await domainClient(server)
  createCompany(server.services, { id: 'rival', name: 'Rival' })
  rival = await domainClient(server, { companyId: 'rival' })
  const { id } = await draft(client, { platform: 'bluesky', text: 'Out' })
  await approved(client, id)
  await carryOut(server)
  await draft(client, { platform: 'threads', text: 'Undated' })
})
afterAll(() => server.close())

const iso = (moment: number): string => new Date(moment).toISOString()

describe('lists', () => {
  it('list each post once and in order, page by page, by state, platform and window', async () => {
    const lister = rival
    const made: string[] = []
    for (let n = 0; n < 23; n++) {
      const json = {
        platform: n % 2 === 0 ? 'bluesky' : 'threads',
        text: `Post ${n}`,
        scheduledAt: iso(time + ((n * 7) % 23) * 86_400_000),
      }
      made.push((await draft(lister, json)).id)
    }
    const readPages = async (query: string, path = '/social/posts') => {
      const found: { id: string; postId: string }[] = []
      let pages = 0
      for (let cursor: string | null = ''; cursor !== null; pages++) {
        const page: Awaited<ReturnType<typeof lister.call<{ id: string; postId: string }[]>>> =
          await lister.call('GET', `${path}?limit=5${query}${cursor === '' ? '' : `&cursor=${cursor}`}`)
        expect(page.status, page.text).toBe(200)
        found.push(...page.data)
        cursor = page.meta.nextCursor
      }
      return { ids: found.map((one) => one.id ?? one.postId), pages }
    }
    const order = made.map((id, n) => ({ id, n, at: (n * 7) % 23 })).sort((a, b) => b.at - a.at)
    const ids = (keep: (one: (typeof order)[number]) => boolean) => order.filter(keep).map(({ id }) => id)
    expect(await readPages('')).toEqual({ ids: ids(() => true), pages: 5 })
    expect((await readPages('&platform=threads')).ids).toEqual(ids(({ n }) => n % 2 === 1))
    expect((await readPages('&status=draft&status=error')).ids).toEqual(ids(() => true))
    expect((await readPages('&state=scheduled')).ids).toEqual([])
    const window = `&from=${iso(time + 3 * 86_400_000)}&to=${iso(time + 9 * 86_400_000)}`
    expect((await readPages(window)).ids).toEqual(ids(({ at }) => at >= 3 && at <= 9))
    expect((await readPages(window, '/social/calendar')).ids).toEqual(
      ids(({ at }) => at >= 3 && at <= 9).reverse(),
    )
    const stranger = await lister.call('GET', `/social/posts?limit=5&cursor=${'x'.repeat(20)}`)
    expect(stranger.error.code).toBe('INVALID_CURSOR')
    const first = await lister.call('GET', '/social/posts?limit=5')
    const bound = await lister.call(
      'GET',
      `/social/posts?limit=5&platform=threads&cursor=${first.meta.nextCursor ?? ''}`,
    )
    expect(bound.error.code).toBe('INVALID_CURSOR')
  })

  it('include a bounded calendar with its window in meta', async () => {
    const today = Math.floor(time / 86_400_000) * 86_400_000
    const plain = await client.call<PostAnswer[]>('GET', '/social/calendar')
    expect(plain.meta).toMatchObject({
      from: iso(today - 7 * 86_400_000),
      to: iso(today + 28 * 86_400_000 - 1),
    })
    expect(plain.data.map((entry) => [entry['text'], entry['at'], entry.status])).toEqual([
      ['Out', iso(time), 'success'],
    ])
    for (const [query, field] of [
      ['from=2026-01-01&to=2026-12-31', 'to'],
      ['from=2026-02-01&to=2026-01-01', 'to'],
      ['from=never', 'from'],
    ])
      expect((await client.call('GET', `/social/calendar?${query}`)).error.details?.['field']).toBe(field)
  })

  it('keep the calendar’s window when pages are read across midnight', async () => {
    const first = await rival.call<PostAnswer[]>('GET', '/social/calendar?limit=15')
    const cursor = first.meta.nextCursor ?? ''
    expect(cursor).not.toBe('')
    clock = time + 45 * 60_000
    const second = await rival.call<PostAnswer[]>('GET', `/social/calendar?limit=15&cursor=${cursor}`)
    clock = time
    expect(second.status, second.text).toBe(200)
    expect(second.meta).toMatchObject({ ...first.meta, nextCursor: null })
    expect(first.data.length + second.data.length).toBe(23)
    const other = `/social/calendar?from=2026-05-25&cursor=${cursor}`
    expect((await rival.call('GET', other)).error.code).toBe('INVALID_CURSOR')
  })

  it('accept dates up to the last valid date, and refuse later ones', async () => {
    const last = await client.call('GET', '/social/calendar?from=9999-12-31')
    expect(last.meta).toMatchObject({ from: '9999-12-31T00:00:00.000Z', to: '9999-12-31T23:59:59.999Z' })
    const later = await client.call('GET', '/social/calendar?from=9999-12-31T23:00:00-05:00')
    expect(later.error.details?.['field']).toBe('from')
  })

  it('use an index for every query', () => {
    const page = { companyId: 'acme', platforms: [], from: 1, to: 9, dated: false, limit: 5 }
    for (const [statuses, index] of [
      [['draft'], 'posts_by_state'],
      [['draft', 'error'], 'posts_by_moment'],
      [[], 'posts_by_moment'],
    ] as const)
      for (const order of ['asc', 'desc'] as const) {
        const { text, values } = socialPageStatement({ ...page, statuses, order, after: [5, 'x'] })
        const plan = server.services.db.sqlite
          .prepare<unknown[], { detail: string }>(`explain query plan ${text}`)
          .all(...values)
        const steps = plan.map(({ detail }) => detail)
        expect(steps[0]).toContain(`SEARCH posts USING INDEX ${index}`)
        expect(steps.join()).not.toContain('TEMP B-TREE')
      }
  })

  it('do not report changed counters as a change of the post', () => {
    const rows = server.services.db.orm.select().from(posts).all()
    expect(
      rows.every(
        ({ momentAt, createdAt, scheduledAt, publishedAt }) =>
          momentAt === (publishedAt ?? scheduledAt ?? createdAt),
      ),
    ).toBe(true)
  })
})
