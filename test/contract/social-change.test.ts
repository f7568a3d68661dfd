/** PATCH of a post that is scheduled: it is a draft again, and what was approved of it does not go out. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { socialActions } from '../../server/db/schema.ts'
import { domainClient, type DomainClient } from '../support/domain.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { claimForTest } from '../support/social-lease.ts'
import { approved, carryOut, draft, once, post, type PostAnswer } from '../support/social.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

let time = Date.UTC(2026, 5, 1, 12)
let server: TestServer
let client: DomainClient
beforeAll(async () => {
  server = await startTestServer({ now: () => time })
  client = await domainClient(server)
})
afterAll(() => server.close())

const iso = (moment: number): string => new Date(moment).toISOString()
const call = <T = PostAnswer>(method: string, path: string, json?: unknown, match?: string) =>
  client.call<T>(method, path, {
    ...omitUndefined({ json, match }),
    ...(method === 'GET' || method === 'DELETE' ? {} : { once: once() }),
  })

describe('a change of a scheduled post', () => {
  const scheduled = async (text: string) => {
    const { id } = await draft(client, { platform: 'bluesky', text, scheduledAt: iso(time + 60_000) })
    const operationId = await approved(client, id)
    const { etag } = await client.call('GET', `/social/posts/${id}`)
    return { id, operationId, etag }
  }
  const patch = (id: string, etag: string, body: object) => call('PATCH', `/social/posts/${id}`, body, etag)

  it('voids the approval in one step: it is published once, as changed, when it is approved again', async () => {
    const { id, operationId, etag } = await scheduled('Before')
    const later = iso(time + 120_000)
    const changed = await patch(id, etag, { text: 'After', scheduledAt: later })
    expect(changed.data).toMatchObject({
      status: 'draft',
      approved: false,
      text: 'After',
      scheduledAt: later,
    })
    const operation = await client.call<{ state: string }>('GET', `/operations/${operationId}`)
    expect(operation.data.state).toBe('cancelled')
    expect((await patch(id, etag, { text: 'Again' })).status).toBe(412)
    time += 200_000
    await carryOut(server)
    expect((await post(client, id)).status).toBe('draft')
    await approved(client, id)
    await carryOut(server)
    expect(await post(client, id)).toMatchObject({ status: 'success', text: 'After' })
    const stored = server.services.db.orm
      .select()
      .from(socialActions)
      .where(eq(socialActions.postId, id))
      .all()
    expect(stored.map(({ state }) => state).sort()).toEqual(['cancelled', 'succeeded'])
  })

  it('is refused when it is invalid, and then nothing changes', async () => {
    const { id, operationId, etag } = await scheduled('Stays')
    for (const body of [
      { text: 'x'.repeat(400) },
      { scheduledAt: iso(time - 3_600_000) },
      { clipId: 'none' },
    ])
      expect((await patch(id, etag, body)).error.code).toBe('VALIDATION_FAILED')
    expect((await post(client, id)).status).toBe('scheduled')
    const operation = await client.call<{ state: string }>('GET', `/operations/${operationId}`)
    expect(operation.data.state).toBe('queued')
  })

  it('is refused while the post is being published or cancelled', async () => {
    const going = await scheduled('Going')
    time += 60_000
    claimForTest(server, going.operationId, 'somebody')
    const late = await patch(going.id, going.etag, { text: 'Too late' })
    expect([late.status, late.error.code]).toEqual([409, 'INVALID_STATE'])
    const stopping = await scheduled('Stopping')
    const prepared = await call<{ id: string }>('POST', `/social/posts/${stopping.id}:prepare-cancel`)
    await call('POST', `/confirmations/${prepared.data.id}:decide`, { decision: 'approve' })
    const requested = await call('POST', `/social/posts/${stopping.id}:cancel`, {
      confirmationId: prepared.data.id,
    })
    expect(requested.status).toBe(202)
    const refused = await patch(stopping.id, stopping.etag, { text: 'No' })
    expect([refused.status, refused.error.code]).toEqual([409, 'INVALID_STATE'])
    await carryOut(server)
    expect((await post(client, stopping.id)).status).toBe('cancelled')
  })
})
