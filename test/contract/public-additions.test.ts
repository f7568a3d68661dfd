/** What the public API has besides the service's document: revisions, lists of runs, stopping, deleting, webhooks, limits, CORS. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findOpenOperation, getOperation } from '../../server/db/operations.ts'
import { createApiKey } from '../../server/domain/people/api-keys.ts'
import { webhookSecret } from '../../server/domain/webhooks/webhooks.ts'
import { getWebhook } from '../../server/db/webhooks.ts'
import {
  addClip,
  addCompany,
  addFacts,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'

const PAGE = 'https://app.example'
let server: TestServer
let workflowId: string
beforeAll(async () => {
  server = await startTestServer()
  workflowId = addWorkflow(server)
})
afterAll(() => server.close())

function someClip(): { clipId: string; runId: string } {
  const runId = addRun(server, { workflowId })
  addFacts(server, runId)
  const words = [{ word: 'One.', start: 12, end: 12.5 }]
  return { runId, clipId: addClip(server, { workflowId, runId, words }) }
}
const address = (clipId: string): string => `companyId=acme&clipId=${clipId}`

describe('revisions', () => {
  it('an edit of a revision that is no more is refused, and changes nothing', async () => {
    const { clipId } = someClip()
    const { etag = '' } = (await server.call(`/clip?${address(clipId)}`)).headers
    expect(etag).toMatch(/^"[\w-]+"$/)
    const update = (title: string, ifMatch: string) =>
      server.call('/update-clip', {
        json: { companyId: 'acme', clipId, title },
        headers: { 'if-match': ifMatch },
      })
    const first = await update('First', etag)
    expect(first.status).toBe(200)
    const late = await update('Late', etag)
    expect([late.status, late.json()['code']]).toEqual([412, 'PRECONDITION_FAILED'])
    const read = await server.call(`/clip?${address(clipId)}`)
    expect(read.json<{ clip: { title: string } }>().clip.title).toBe('First')
    expect(read.headers.etag).toBe(first.headers.etag)
    expect(read.headers.etag).not.toBe(etag)
    expect((await update('Any', '*')).status).toBe(200)
    expect((await update('No', 'bare')).json()).toMatchObject({ details: { field: 'If-Match' } })
  })

  it('of many edits at one moment each is answered with the revision that it made', async () => {
    const { clipId } = someClip()
    const titles = Array.from({ length: 12 }, (_, n) => `Title ${n}`)
    const answers = await Promise.all(
      titles.map((title) => server.call('/update-clip', { json: { companyId: 'acme', clipId, title } })),
    )
    const made = answers.map(({ headers }) => headers.etag ?? '')
    expect(new Set(made).size).toBe(titles.length)
    const read = await server.call(`/clip?${address(clipId)}`)
    const last = made.indexOf(read.headers.etag ?? '')
    expect(read.json<{ clip: { title: string } }>().clip.title).toBe(titles[last])
  })

  it('words have revisions of their own', async () => {
    const { clipId } = someClip()
    const { etag = '' } = (await server.call(`/clip-transcript?${address(clipId)}`)).headers
    const patch = (to: string, ifMatch?: string) =>
      server.call('/clip-transcript', {
        method: 'PATCH',
        json: { companyId: 'acme', clipId, operations: [{ index: 0, to }] },
        headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
      })
    expect((await patch('Two.', `"other", ${etag}`)).status).toBe(200)
    expect((await patch('Three.', etag)).json()).toMatchObject({ code: 'PRECONDITION_FAILED' })
    const last = await patch('Four.')
    expect(last.headers.etag).toBe((await server.call(`/clip-transcript?${address(clipId)}`)).headers.etag)
  })
})

interface Runs {
  readonly runs: readonly { readonly triggerId: string; readonly status: string }[]
  readonly cursor: string | null
}

describe('runs', () => {
  it('are listed newest first, in pages that miss and repeat none', async () => {
    const other = await startTestServer()
    const workflow = addWorkflow(other)
    const made = Array.from({ length: 7 }, (_, n) =>
      addRun(other, { workflowId: workflow, createdAt: 1000 + Math.floor(n / 3) }),
    )
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const more: string = cursor === null ? '' : `&cursor=${cursor}`
      const page: Runs = (await other.call(`/workflow-results?companyId=acme&limit=2${more}`)).json<Runs>()
      expect(page.runs.length).toBeLessThanOrEqual(2)
      seen.push(...page.runs.map(({ triggerId }) => triggerId))
      cursor = page.cursor
    } while (cursor !== null)
    expect(seen).toHaveLength(7)
    expect(new Set(seen)).toEqual(new Set(made))
    expect(new Set(seen.slice(0, 1))).toEqual(new Set(made.slice(6)))
    const wrong = await other.call('/companies/acme/workflow-results?cursor=abc')
    expect(wrong.json()).toMatchObject({ code: 'INVALID_CURSOR' })
    const stranger = addCompany(other, 'stranger')
    const theirs = await other.call('/workflow-results?companyId=stranger', { key: stranger.key })
    expect(theirs.json()).toEqual({ runs: [], cursor: null })
    await other.close()
  })

  it('are stopped, once, and by their own company', async () => {
    const body = { companyId: 'acme', workflowId, url: 'https://example.com/talk.mp4' }
    const { triggerId } = (await server.call('/trigger-template', { json: body })).json<{
      triggerId: string
    }>()
    const cancel = (more: object = {}) =>
      server.call(`/workflow-results/${triggerId}/cancel`, { method: 'POST', ...more })
    const stranger = addCompany(server, 'other-one')
    expect((await cancel({ key: stranger.key })).json()).toMatchObject({ code: 'TRIGGER_NOT_FOUND' })
    const operation = findOpenOperation(server.services.db, 'run', triggerId)
    expect(operation).not.toBe(null)
    const stopped: string[] = []
    const cancels = vi.spyOn(server.jobs, 'cancel').mockImplementation((id) => void stopped.push(id))
    const first = await cancel({ headers: { 'idempotency-key': 'stop' } })
    const again = await cancel({ headers: { 'idempotency-key': 'stop' } })
    cancels.mockRestore()
    expect(first.json()).toMatchObject({ triggerId, status: 'success' })
    expect(again.text).toBe(first.text)
    expect(stopped).toEqual([operation?.id])
    expect(getOperation(server.services.db, operation?.id ?? '')?.kind).toBe('run')
    const ended = addRun(server, { workflowId })
    const late = await server.call(`/workflow-results/${ended}/cancel`, { method: 'POST' })
    expect([late.status, late.json()['code']]).toEqual([409, 'INVALID_STATE'])
  })
})

describe('deleting a clip', () => {
  it('takes the scope for it, and the clip is gone', async () => {
    const { clipId } = someClip()
    const { key } = createApiKey(server.services, { companyId: 'acme', name: 'edits', scopes: ['edit'] })
    const remove = (more: object = {}) =>
      server.call(`/clip?${address(clipId)}`, { method: 'DELETE', ...more })
    expect((await remove({ key })).json()).toMatchObject({ code: 'SCOPE_MISSING' })
    // Some clients send the type of their bodies with every request.
    const removed = await remove({ headers: { 'content-type': 'application/json; charset=utf-8' } })
    expect(removed.json()).toEqual({ clipId, status: 'success' })
    expect((await server.call(`/clip?${address(clipId)}`)).json()).toMatchObject({ code: 'CLIP_NOT_FOUND' })
    expect((await remove()).status).toBe(404)
    const other = someClip().clipId
    const byPath = await server.call(`/companies/acme/clips/${other}`, { method: 'DELETE' })
    expect(byPath.status).toBe(200)
  })
})

describe('webhooks', () => {
  it('are made once by their key, listed without a secret, and deleted by a key of scope admin', async () => {
    const { key } = createApiKey(server.services, { companyId: 'acme', name: 'admin', scopes: ['admin'] })
    const make = () =>
      server.call('/webhooks', {
        key,
        json: { companyId: 'acme', url: 'https://example.com/hook', events: ['run.*'] },
        headers: { 'idempotency-key': 'hook' },
      })
    const made = await make()
    const { webhook, secret } = made.json<{ webhook: { id: string }; secret: string }>()
    const row = getWebhook(server.services.db, webhook.id)
    expect(row === null ? null : webhookSecret(server.services, row)).toBe(secret)
    const again = await make()
    expect(again.json()).toEqual(made.json())
    expect(again.headers['idempotency-replayed']).toBe('true')
    const stored = server.services.db.sqlite.prepare('select body from idempotent_answers').pluck().all()
    expect(JSON.stringify(stored)).not.toContain(secret)
    const list = await server.call('/webhooks?companyId=acme', { key })
    expect(list.json()).toMatchObject({ webhooks: [{ id: webhook.id, url: 'https://example.com/hook' }] })
    expect(list.text).not.toContain(secret)
    const path = `/companies/acme/webhooks/${webhook.id}`
    const work = createApiKey(server.services, { companyId: 'acme', name: 'work', scopes: ['delete'] })
    expect((await server.call(path, { method: 'DELETE', key: work.key })).status).toBe(403)
    expect((await server.call(path, { method: 'DELETE', key })).status).toBe(200)
    expect((await server.call(path, { method: 'DELETE', key })).status).toBe(404)
    expect((await server.call('/webhooks?companyId=acme', { key })).json()).toEqual({ webhooks: [] })
  })
})

describe('limits', () => {
  it('say what is left, in refusals too', async () => {
    const limited = await startTestServer({
      config: { rateLimits: { ...server.services.config.rateLimits, mode: 'on', burst: 3, perSecond: 0.01 } },
    })
    const answers = []
    for (let n = 0; n < 4; n += 1) answers.push(await limited.call('/workflows?companyId=acme'))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(answers.map(({ headers }) => headers['ratelimit-remaining'])).toEqual(['2', '1', '0', '0'])
    for (const { headers } of answers) {
      expect(headers['ratelimit-limit']).toBe('3')
      expect(Number(headers['ratelimit-reset'])).toBeGreaterThan(50)
    }
    await limited.close()
    expect((await server.call('/workflows?companyId=acme')).headers['ratelimit-limit']).toBeUndefined()
  })
})

describe('pages of other sites', () => {
  it('are let in by name only, to the APIs only, and never with a cookie', async () => {
    const open = await startTestServer({ config: { corsOrigins: [PAGE] } })
    const preflight = (origin: string, path = '/trigger-template') =>
      open.call(path, {
        method: 'OPTIONS',
        key: null,
        headers: { origin, 'access-control-request-method': 'POST' },
      })
    const yes = await preflight(PAGE)
    expect(yes.status).toBe(204)
    expect(yes.headers).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-allow-headers': expect.stringContaining('Idempotency-Key') as string,
      vary: 'Origin',
    })
    expect(yes.headers['access-control-allow-methods']).toContain('POST')
    expect(yes.headers['access-control-allow-credentials']).toBeUndefined()
    for (const refused of [
      await preflight('https://app.example.evil.example'),
      await preflight('http://app.example'),
      await preflight(PAGE, '/studio/keys'),
      await preflight(PAGE, '/mcp'),
    ]) {
      expect(refused.status).toBe(403)
      expect(refused.headers['access-control-allow-origin']).toBeUndefined()
    }
    const read = await open.call('/workflows?companyId=acme', { headers: { origin: PAGE } })
    expect([read.status, read.headers['access-control-allow-origin']]).toEqual([200, PAGE])
    const refusal = await open.call('/workflows?companyId=acme', { key: null, headers: { origin: PAGE } })
    expect([refusal.status, refusal.headers['access-control-allow-origin']]).toEqual([401, PAGE])
    expect((await preflight(PAGE, '/context')).status).toBe(204)
    await open.close()
    const closed = await server.call('/workflows?companyId=acme', { headers: { origin: PAGE } })
    expect([closed.status, closed.json()['code']]).toEqual([403, 'FORBIDDEN_HOST'])
  })
})
