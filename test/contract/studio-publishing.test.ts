/** Routes that the studio's publishing and analytics pages use beyond the domain API. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertPost } from '../../server/db/posts.ts'
import { recordPostRefresh } from '../../server/domain/analytics/published-posts.ts'
import { newId } from '../../server/ids.ts'
import { domainClient } from '../support/domain.ts'
import { addCompany, startTestServer, type TestServer } from '../support/server.ts'
import { draft, once } from '../support/social.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 21, 12)

let now = NOW
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ now: () => now })
})
afterAll(() => server.close())

function post(companyId: string, refreshes: readonly (readonly [at: number, views: number])[]): string {
  const id = newId()
  const at = refreshes[0]?.[0] ?? NOW
  insertPost(server.services.db, {
    id,
    companyId,
    platform: 'tiktok',
    text: 'x',
    status: 'success',
    publishedAt: at - DAY,
    createdAt: at,
    updatedAt: at,
  })
  for (const [refreshedAt, views] of refreshes)
    recordPostRefresh(server.services, {
      companyId,
      postId: id,
      refreshedAt,
      views,
      likes: 1,
      comments: 0,
      shares: 0,
      platformMetrics: {},
    })
  return id
}

const days = async (query: string, key?: string) => {
  const answer = await server.call(`/studio/analytics/days?${query}`, omitUndefined({ key }))
  return answer.json<{ days: { day: string; views: number; likes: number }[] }>().days
}

describe('gains by day', () => {
  it('are what posts gained between refreshes, in days of the viewer’s time zone, for their own company only', async () => {
    const other = addCompany(server, 'other')
    post(server.companyId, [
      [NOW - 20 * DAY, 1000],
      [NOW - 2 * DAY, 1500],
      [NOW - DAY + 11.9 * 3_600_000, 1600],
      [NOW, 1590],
    ])
    post(server.companyId, [[NOW - 3600_000, 7]])
    post(other.companyId, [[NOW, 100_000]])
    const shown = (await days('days=4')).map(({ day, views }) => `${day} ${views}`)
    // A platform took ten back on the last day.
    expect(shown).toEqual(['2026-11-18 0', '2026-11-19 500', '2026-11-20 100', '2026-11-21 -3'])
    // An hour east of Greenwich that evening is the next day already.
    const east = (await days('days=2&offset=60')).map(({ views }) => views)
    expect(east).toEqual([0, 97])
    expect((await days('days=30')).reduce((sum, { views }) => sum + views, 0)).toBe(1597)
    expect((await days('days=1', other.key)).map(({ views }) => views)).toEqual([100_000])
  })

  it('are bounded', async () => {
    for (const query of ['days=0', 'days=367', '', 'days=2&offset=900'])
      expect((await server.call(`/studio/analytics/days?${query}`)).status).toBe(400)
    expect((await server.call('/studio/analytics/days?days=2', { key: null })).status).toBe(401)
  })
})

describe('platforms', () => {
  it('are listed with their limits', async () => {
    interface Reported {
      platform: string
      text: { most: number; unit: string }
    }
    const { platforms } = (await server.call('/studio/platforms')).json<{ platforms: Reported[] }>()
    expect(platforms).toHaveLength(9)
    expect(platforms.find(({ platform }) => platform === 'bluesky')).toMatchObject({
      text: { most: 300, unit: 'graphemes' },
    })
  })
})

describe('confirmations that wait for a person', () => {
  it('are those that clients prepared and that are undecided and unexpired, of the own company', async () => {
    interface Waiting {
      confirmation: { id: string; state: string; preview: { summary: string } }
      client: { id: string; name: string }
    }
    const waiting = async (key?: string) =>
      (await server.call('/studio/confirmations', omitUndefined({ key }))).json<{
        confirmations: Waiting[]
      }>().confirmations
    const other = addCompany(server, 'stranger')
    const client = await domainClient(server)
    const { id } = await draft(client, { platform: 'bluesky', text: 'Asked for by an agent' })
    const prepare = async (): Promise<string> =>
      (await client.call<{ id: string }>('POST', `/social/posts/${id}:prepare-publish`, { once: once() }))
        .data.id
    const first = await prepare()
    const second = await prepare()
    const shown = await waiting()
    expect(new Set(shown.map(({ confirmation }) => confirmation.id))).toEqual(new Set([first, second]))
    expect(shown[0]?.confirmation.preview.summary).toBe('Publish to a package on this appliance, now.')
    expect(shown[0]?.client.name).not.toBe('')
    expect(await waiting(other.key)).toEqual([])
    await client.call('POST', `/confirmations/${first}:decide`, {
      json: { decision: 'decline' },
      once: once(),
    })
    expect((await waiting()).map(({ confirmation }) => confirmation.id)).toEqual([second])
    now += 15 * 60_000
    expect(await waiting()).toEqual([])
    now = NOW
  })
})
