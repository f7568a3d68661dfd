/** Part 5 of the public API: keys, and what one company may learn of another. */
import { createHash } from 'node:crypto'
import type * as crypto from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { apiKeys } from '../../server/db/schema.ts'
import { createApiKey, endApiKey } from '../../server/domain/people/api-keys.ts'
import {
  addClip,
  addCompany,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'

const compared = vi.hoisted(() => vi.fn<(a: Uint8Array, b: Uint8Array) => void>())
vi.mock('node:crypto', async (original) => {
  const real = await original<typeof crypto>()
  const timingSafeEqual: typeof real.timingSafeEqual = (a, b) => {
    compared(a as Uint8Array, b as Uint8Array)
    return real.timingSafeEqual(a, b)
  }
  return { ...real, timingSafeEqual, default: { ...real, timingSafeEqual } }
})

let server: TestServer
let other: { companyId: string; key: string }
let workflowId: string
beforeAll(async () => {
  server = await startTestServer()
  other = addCompany(server, 'other')
  workflowId = addWorkflow(server)
})
afterAll(() => server.close())
afterEach(() => compared.mockClear())

const KEYS_TO_REFUSE = () => {
  const flipped = server.key.slice(0, -1) + (server.key.endsWith('A') ? 'B' : 'A')
  return { none: null, empty: '', unknown: `ck_${'a'.repeat(65)}`, 'wrong secret': flipped, short: 'ck_abc' }
}

describe('keys', () => {
  it('a key looks like ck_ and 43 or more base64url characters, and only its SHA-256 is stored', () => {
    const { id, key } = createApiKey(server.services, { companyId: server.companyId, name: 'look' })
    expect(key).toMatch(/^ck_[A-Za-z0-9_-]{43,}$/)
    const row = server.services.db.orm.select().from(apiKeys).where(eq(apiKeys.id, id)).get()
    expect(row?.hash).toBe(createHash('sha256').update(key).digest('hex'))
    expect(JSON.stringify(row)).not.toContain(key.slice(25))
  })

  it.each(['none', 'empty', 'unknown', 'wrong secret', 'short'] as const)(
    'missing or invalid key (%s): 401 INVALID_API_KEY on every endpoint',
    async (kind) => {
      const key = KEYS_TO_REFUSE()[kind]
      const paths = [
        ['POST', '/trigger-template'],
        ['GET', '/workflow-results/x'],
        ['GET', '/clip'],
        ['GET', '/companies/acme/clips/x'],
        ['POST', '/render'],
        ['GET', '/clip-transcript'],
        ['GET', '/workflows'],
        ['GET', '/workflow'],
      ] as const
      for (const [method, path] of paths) {
        const answer = await server.call(path, { method, key })
        expect([path, answer.status, answer.json()['code']]).toEqual([path, 401, 'INVALID_API_KEY'])
        expect(answer.headers['www-authenticate']).toBe('Bearer')
      }
    },
  )

  it('401 comes before 400: with a bad key nothing is reported about body, channel or query', async () => {
    const bad = await server.call('/trigger-template', {
      body: '{not json',
      key: 'ck_wrong',
      headers: { 'service-workflow-channel': 'nightly' },
    })
    expect([bad.status, bad.json()['code']]).toEqual([401, 'INVALID_API_KEY'])
    expect((await server.call('/clip', { key: null })).status).toBe(401)
  })

  it('the hash is compared in constant time, for a known id and for an unknown one alike', async () => {
    const known = KEYS_TO_REFUSE()
    for (const key of [server.key, known['wrong secret'], known.unknown]) {
      compared.mockClear()
      await server.call(`/workflows?companyId=${server.companyId}`, { key })
      expect(compared).toHaveBeenCalledTimes(1)
      expect(compared.mock.calls[0]?.map((bytes) => bytes.length)).toEqual([32, 32])
    }
  })

  it('a revoked key is treated as unknown at once', async () => {
    const { id, key } = createApiKey(server.services, { companyId: server.companyId, name: 'gone' })
    const path = `/workflows?companyId=${server.companyId}`
    expect((await server.call(path, { key })).status).toBe(200)
    endApiKey(server.services, id)
    expect((await server.call(path, { key })).status).toBe(401)
  })

  it('a key does not get into the log', async () => {
    await server.call('/clip')
    expect(JSON.stringify(server.log)).not.toContain(server.key)
  })
})

describe('another company', () => {
  it("a key with another company's companyId gets 401 INVALID_API_KEY, exactly as an unknown key does", async () => {
    const clipId = addClip(server, { workflowId })
    const body = { companyId: server.companyId, clipId, workflowId, url: 'https://example.com/a.mp4' }
    const requests = [
      ['GET', `/clip?companyId=acme&clipId=${clipId}`],
      ['GET', `/companies/acme/clips/${clipId}`],
      ['GET', `/companies/acme/clips/${clipId}/transcript`],
      ['GET', '/workflows?companyId=acme'],
      ['GET', `/companies/acme/workflows/${workflowId}`],
      ['POST', '/render'],
      ['POST', '/trigger-template'],
    ] as const
    for (const [method, path] of requests) {
      const request = { method, ...(method === 'POST' ? { json: body } : {}) }
      const headers = { 'x-request-id': 'same' }
      const theirs = await server.call(path, { ...request, headers, key: other.key })
      const unknown = await server.call(path, { ...request, headers, key: `ck_${'x'.repeat(65)}` })
      const nowhere = await server.call(path.replace('acme', 'no-such-company'), {
        ...request,
        ...(method === 'POST' ? { json: { ...body, companyId: 'no-such-company' } } : {}),
        headers,
        key: other.key,
      })
      expect([path, theirs.status]).toEqual([path, 401])
      expect(theirs.text).toBe(unknown.text)
      expect(theirs.text).toBe(nowhere.text)
    }
    expect(server.services.db.sqlite.prepare('select count(*) as n from runs').get()).toEqual({ n: 0 })
  })

  it('401 for another company comes before 400 for other errors', async () => {
    const answer = await server.call('/trigger-template', { json: { companyId: 'acme' }, key: other.key })
    expect([answer.status, answer.json()['code']]).toEqual([401, 'INVALID_API_KEY'])
    expect((await server.call('/clip?companyId=acme', { key: other.key })).status).toBe(401)
  })

  it('a run of another company is 404 TRIGGER_NOT_FOUND, like one that never existed', async () => {
    const triggerId = addRun(server, { workflowId })
    const headers = { 'x-request-id': 'same' }
    const theirs = await server.call(`/workflow-results/${triggerId}`, { key: other.key, headers })
    const none = await server.call('/workflow-results/none', { key: other.key, headers })
    expect([theirs.status, theirs.json()['code']]).toEqual([404, 'TRIGGER_NOT_FOUND'])
    expect(theirs.text.replace(triggerId, 'none')).toBe(none.text)
  })

  it('a clip of another company under my own companyId is 404 CLIP_NOT_FOUND', async () => {
    const clipId = addClip(server, { workflowId })
    const answer = await server.call(`/clip?companyId=other&clipId=${clipId}`, { key: other.key })
    expect([answer.status, answer.json()['code']]).toEqual([404, 'CLIP_NOT_FOUND'])
  })
})
