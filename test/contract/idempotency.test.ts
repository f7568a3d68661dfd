/** Idempotency-Key of the public API: what is sent twice is done once. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createApiKey } from '../../server/domain/people/api-keys.ts'
import { startLosingProxy } from '../support/losing-proxy.ts'
import {
  addClip,
  addFacts,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'

let server: TestServer
let workflowId: string
let time = 1_700_000_000_000
beforeAll(async () => {
  server = await startTestServer({ now: () => time })
  workflowId = addWorkflow(server)
})
afterAll(() => server.close())
beforeEach(() => {
  server.services.db.sqlite.exec(
    'delete from operations; delete from clips; delete from runs; delete from idempotent_answers',
  )
})

const bodyOf = (fields: Record<string, unknown> = {}) => ({
  companyId: 'acme',
  workflowId,
  url: 'https://example.com/talk.mp4',
  ...fields,
})
const trigger = (key: string, fields: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  server.call('/trigger-template', {
    json: bodyOf(fields),
    headers: { 'idempotency-key': key, ...headers },
  })
const runs = (): number =>
  (server.services.db.sqlite.prepare('select count(*) as n from runs').get() as { n: number }).n

function someClip(): string {
  const runId = addRun(server, { workflowId })
  addFacts(server, runId)
  return addClip(server, { workflowId, runId })
}

describe('a trigger with a key', () => {
  it('is one run for a hundred at once, and all get the same answer', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => trigger('hundred')))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    expect(runs()).toBe(1)
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(99)
  })

  it('answers its headers again, and says that it did', async () => {
    const first = await trigger('headers', {}, { 'service-workflow-channel': 'stable' })
    expect(first.headers['idempotency-replayed']).toBeUndefined()
    const again = await trigger('headers', {}, { 'service-workflow-channel': 'stable' })
    for (const name of ['service-workflow-channel', 'content-type'])
      expect(again.headers[name]).toBe(first.headers[name])
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.text).toBe(first.text)
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
  })

  it('refuses the key for another body, or another channel', async () => {
    await trigger('other')
    for (const answer of [
      await trigger('other', { keywords: ['more'] }),
      await trigger('other', {}, { 'service-workflow-channel': 'stable' }),
    ]) {
      expect(answer.status).toBe(409)
      expect(answer.json()).toMatchObject({ status: 'error', code: 'IDEMPOTENCY_CONFLICT' })
    }
    expect(runs()).toBe(1)
  })

  it('is another one for another route and another API key, and after a day', async () => {
    const clipId = someClip()
    await trigger('mine')
    const update = await server.call('/update-clip', {
      json: { companyId: 'acme', clipId, title: 'Other' },
      headers: { 'idempotency-key': 'mine' },
    })
    expect(update.status).toBe(200)
    const { key } = createApiKey(server.services, { companyId: 'acme', name: 'second' })
    const second = await server.call('/trigger-template', {
      json: bodyOf(),
      key,
      headers: { 'idempotency-key': 'mine' },
    })
    expect(second.headers['idempotency-replayed']).toBeUndefined()
    time += 24 * 3_600_000 + 1
    expect((await trigger('mine')).headers['idempotency-replayed']).toBeUndefined()
    expect(runs()).toBeGreaterThanOrEqual(3)
  })

  it('stores no refusal: the same key does it once it can be done', async () => {
    expect((await trigger('refused', { workflowId: 'none' })).json()).toMatchObject({
      code: 'WORKFLOW_NOT_FOUND',
    })
    expect((await trigger('refused')).status).toBe(200)
  })

  it('refuses a key that is empty or too long', async () => {
    for (const key of ['', ' ', 'k'.repeat(201)]) {
      const answer = await trigger(key)
      expect(answer.status).toBe(400)
      expect(answer.json()).toMatchObject({
        code: 'INVALID_REQUEST',
        details: { field: 'Idempotency-Key' },
      })
    }
    expect(runs()).toBe(0)
  })

  it('leaves neither run nor answer behind where the answer cannot be stored', async () => {
    const { sqlite } = server.services.db
    sqlite.exec(
      "create trigger broken before update on idempotent_answers begin select raise(abort, 'broken'); end",
    )
    expect((await trigger('torn')).status).toBe(500)
    sqlite.exec('drop trigger broken')
    expect(runs()).toBe(0)
    expect((await trigger('torn')).status).toBe(200)
    expect(runs()).toBe(1)
  })
})

describe('other POSTs', () => {
  it('apply an update once: what was edited since stays', async () => {
    const clipId = someClip()
    const update = (title: string, key?: string) =>
      server.call('/update-clip', {
        json: { companyId: 'acme', clipId, title },
        ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
      })
    const first = await update('First', 'u1')
    await update('Second')
    const again = await update('First', 'u1')
    expect(again.text).toBe(first.text)
    expect([first, again].map(({ headers }) => headers['content-type'])).toEqual(
      Array.from({ length: 2 }, () => 'application/json'),
    )
    expect(again.headers['idempotency-replayed']).toBe('true')
    const read = await server.call(`/clip?companyId=acme&clipId=${clipId}`)
    expect(read.json<{ clip: { title: string } }>().clip.title).toBe('Second')
  })

  it('wait for the render of the same request, and store no failure', async () => {
    const clipId = someClip()
    const render = () =>
      server.call('/render', {
        json: { companyId: 'acme', clipId },
        headers: { 'idempotency-key': 'r1' },
      })
    const both = [render(), render()]
    await expect.poll(() => server.jobs.waiting.length).toBe(1)
    const [operationId = ''] = server.jobs.waiting
    server.jobs.settle(operationId, {
      id: operationId,
      state: 'failed',
      result: null,
      failure: { code: 'RENDER_FAILED', message: 'No.' },
    } as never)
    for (const answer of await Promise.all(both))
      expect(answer.json()).toMatchObject({ status: 'failed', code: 'RENDER_FAILED' })
    expect((await render()).headers['idempotency-replayed']).toBeUndefined()
  })

  it('all say so in the OpenAPI document', async () => {
    interface Operation {
      readonly parameters?: readonly { readonly name: string }[]
      readonly responses: Readonly<Record<string, unknown>>
    }
    const document = (await server.call('/public/openapi.json')).json<{
      paths: Record<string, { post?: Operation }>
    }>()
    const posts = Object.values(document.paths).flatMap(({ post }) => post ?? [])
    expect(posts.length).toBeGreaterThanOrEqual(3)
    for (const { parameters = [], responses } of posts) {
      expect(parameters.map(({ name }) => name)).toContain('Idempotency-Key')
      expect(Object.keys(responses)).toContain('409')
    }
  })
})

describe('through a proxy that loses one answer in five', () => {
  it('a thousand triggers, each retried with its key, are a thousand runs that can be found', async () => {
    const proxy = await startLosingProxy(server.port, 5)
    const send = async (n: number): Promise<string> => {
      for (;;) {
        const answer = await fetch(`${proxy.url}/trigger-template`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${server.key}`,
            'content-type': 'application/json',
            'idempotency-key': `trigger-${n}`,
          },
          body: JSON.stringify(bodyOf({ keywords: [`number ${n}`] })),
        }).catch(() => null)
        if (answer === null) continue
        expect(answer.status).toBe(200)
        return ((await answer.json()) as { triggerId: string }).triggerId
      }
    }
    const ids: string[] = []
    let next = 0
    const client = async (): Promise<void> => {
      while (next < 1000) ids.push(await send(next++))
    }
    await Promise.all(Array.from({ length: 8 }, client))
    expect(proxy.lost()).toBeGreaterThanOrEqual(200)
    await proxy.close()
    expect(new Set(ids).size).toBe(1000)
    expect(runs()).toBe(1000)
    for (const id of ids) expect((await server.call(`/workflow-results/${id}`)).status).toBe(200)
  }, 300_000)
})
