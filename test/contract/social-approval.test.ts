/** What an approval of a post is good for: once, and for what was approved of the post and of its clip. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listWaiting } from '../../server/domain/confirmations.ts'
import { domainClient, type DomainClient } from '../support/domain.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { approved, carryOut, draft, once, post } from '../support/social.ts'

const time = Date.UTC(2026, 5, 1, 12)
let server: TestServer
let client: DomainClient
beforeAll(async () => {
  server = await startTestServer({ now: () => time })
  client = await domainClient(server)
})
afterAll(() => server.close())

interface Confirmed {
  readonly id: string
  readonly state: string
}

async function prepared(id: string, verb: 'publish' | 'cancel' = 'publish', decision?: 'approve') {
  const path = `/social/posts/${id}:prepare-${verb}`
  const { data } = await client.call<Confirmed>('POST', path, { once: once() })
  if (decision !== undefined) expect(await decide(data.id)).toBe(200)
  return data.id
}

/** 200, or the code of the refusal. */
async function decide(id: string) {
  const json = { decision: 'approve' }
  const { status, error } = await client.call('POST', `/confirmations/${id}:decide`, { json, once: once() })
  return status === 200 ? 200 : error.code
}

/** 202, or the code of the refusal. */
async function use(id: string, confirmationId: string, verb = 'publish', by = client) {
  const request = { json: { confirmationId }, once: once() }
  const { status, error } = await by.call('POST', `/social/posts/${id}:${verb}`, request)
  return status === 202 ? 202 : error.code
}

const stateOf = async (id: string) => (await client.call<Confirmed>('GET', `/confirmations/${id}`)).data.state

async function patch(id: string, json: object) {
  const path = `/social/posts/${id}`
  const { etag } = await client.call('GET', path)
  expect((await client.call('PATCH', path, { json, match: etag, once: once() })).status).toBe(200)
}

describe('a confirmation that was used', () => {
  it('says so, whatever has become of the post by then, to the client that used it', async () => {
    const { id } = await draft(client, { platform: 'bluesky', text: 'Once' })
    const other = await draft(client, { platform: 'bluesky', text: 'Other' })
    const stranger = await domainClient(server, { clientId: 'stranger' })
    const yes = await prepared(id, 'publish', 'approve')
    expect(await use(id, yes)).toBe(202)
    for (const status of ['publishing', 'success']) {
      expect((await post(client, id)).status).toBe(status)
      expect(await use(id, yes)).toBe('CONFIRMATION_CONSUMED')
      expect(await use(id, yes, 'publish', stranger)).toBe('INVALID_STATE')
      expect(await use(other.id, yes)).toBe('CONFIRMATION_MISMATCH')
      expect(await use(id, yes, 'cancel')).toBe('CONFIRMATION_MISMATCH')
      await carryOut(server)
    }
    const no = await prepared(id, 'cancel', 'approve')
    expect(await use(id, no, 'cancel')).toBe(202)
    expect(await use(id, no, 'cancel')).toBe('CONFIRMATION_CONSUMED')
    await carryOut(server)
    expect((await post(client, id)).status).toBe('cancelled')
    expect(await use(id, no, 'cancel')).toBe('CONFIRMATION_CONSUMED')
  })

  it('says so of a post that is a draft again', async () => {
    const scheduledAt = new Date(time + 60_000).toISOString()
    const { id } = await draft(client, { platform: 'bluesky', text: 'Later', scheduledAt })
    const yes = await prepared(id, 'publish', 'approve')
    expect(await use(id, yes)).toBe(202)
    await patch(id, { text: 'Changed' })
    expect(await use(id, yes)).toBe('CONFIRMATION_CONSUMED')
    expect(await stateOf(yes)).toBe('consumed')
  })
})

describe('a change of a draft', () => {
  const waiting = () =>
    listWaiting(server.services, { companyId: 'acme' }).map(({ confirmation }) => confirmation.id)

  it('ends what was prepared and what was approved of it, and nothing of another post', async () => {
    const { id } = await draft(client, { platform: 'bluesky', text: 'Before' })
    const other = await draft(client, { platform: 'bluesky', text: 'Other' })
    const [open, yes, theirs] = [
      await prepared(id),
      await prepared(id, 'publish', 'approve'),
      await prepared(other.id),
    ]
    await patch(id, { text: 'After' })
    expect([await stateOf(open), await stateOf(yes), await stateOf(theirs)]).toEqual([
      ...['expired', 'expired', 'pending'],
    ])
    expect(await decide(open)).toBe('CONFIRMATION_EXPIRED')
    expect(waiting()).toEqual([theirs])
    // It was of another revision.
    expect([await use(id, yes), await use(id, open)]).toEqual([
      'CONFIRMATION_MISMATCH',
      'CONFIRMATION_MISMATCH',
    ])
    await approved(client, id)
    await carryOut(server)
    expect(await post(client, id)).toMatchObject({ status: 'success', text: 'After' })
    expect(await decide(theirs)).toBe(200)
    expect(await use(other.id, theirs)).toBe(202)
  })

  it('that is refused ends nothing, and its deletion does', async () => {
    const { id } = await draft(client, { platform: 'bluesky', text: 'Draft' })
    const yes = await prepared(id, 'publish', 'approve')
    const path = `/social/posts/${id}`
    const { etag } = await client.call('GET', path)
    const wrong = { json: { text: 'x'.repeat(400) }, match: etag, once: once() }
    expect((await client.call('PATCH', path, wrong)).status).toBe(400)
    expect(await stateOf(yes)).toBe('approved')
    expect((await client.call('DELETE', path)).status).toBe(200)
    expect([await stateOf(yes), await use(id, yes)]).toEqual(['expired', 'NOT_FOUND'])
  })
})
