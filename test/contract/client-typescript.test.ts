/** The TypeScript client (resources/clients/typescript) against a real server, some of whose answers are lost on the way. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  Cutroom,
  CutroomError,
  PreconditionFailed,
  readWebhook,
  WebhookRefused,
} from '../../resources/clients/typescript/src/index.ts'
import { runs } from '../../server/db/schema.ts'
import { createApiKey } from '../../server/domain/people/api-keys.ts'
import { signWebhook } from '../../server/domain/webhooks/webhooks.ts'
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
let clipId: string
beforeAll(async () => {
  server = await startTestServer()
  workflowId = addWorkflow(server)
  clipId = addClip(server, { workflowId, runId: addRun(server, { workflowId }) })
})
afterAll(() => server.close())

/** What happens to the next calls: `lost` and `half` after they arrived, an answer instead of them, or nothing. */
let fates: ('lost' | 'half' | Response | null)[] = []
let calls: string[] = []
beforeEach(() => {
  fates = []
  calls = []
})

const client = (retries = 4, key = server.key) =>
  new Cutroom({
    url: `${server.url}/`,
    key,
    companyId: server.companyId,
    retries,
    fetch: async (address, request) => {
      calls.push(`${request?.method ?? ''} ${new URL(address as string).pathname}`)
      const fate = fates.shift() ?? null
      if (fate instanceof Response) return fate
      const answer = await fetch(address, request)
      if (fate === 'lost') throw new TypeError('fetch failed')
      if (fate === 'half') return new Response(brokenOff())
      return answer
    },
  })
/** A body of which the connection is lost half way. */
const brokenOff = () =>
  new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"half":')),
    pull: (controller) => controller.error(new TypeError('terminated')),
  })
const turnedAway = (status: number) => new Response('{}', { status, headers: { 'retry-after': '0' } })
const runsOf = (): number => server.services.db.orm.select().from(runs).all().length

describe('reading', () => {
  it('tries again when answers are lost, come in half, or say that they will come later', async () => {
    fates = ['lost', 'half', turnedAway(503), turnedAway(429)]
    const [first] = await client().workflows()
    expect(first?.id).toBe(workflowId)
    expect(calls).toEqual(Array.from({ length: 5 }, () => 'GET /workflows'))
  })

  it('gives up after so many tries, and says why', async () => {
    fates = [turnedAway(503), turnedAway(503)]
    await expect(client(1).workflows()).rejects.toMatchObject({ name: 'CutroomError', status: 503 })
    expect(calls.length).toBe(2)
  })

  it('throws the refusal as the API words it, once', async () => {
    const refused = client().clip('none')
    await expect(refused).rejects.toBeInstanceOf(CutroomError)
    await expect(refused).rejects.toMatchObject({ status: 404, code: 'CLIP_NOT_FOUND' })
    expect(calls).toEqual(['GET /clip'])
  })

  it('has the clip, edits it and reads it back', async () => {
    const { updatedFields } = await client().updateClip(clipId, { title: 'Another' })
    expect(updatedFields).toEqual(['title'])
    expect((await client().clip(clipId)).title).toBe('Another')
  })
})

describe('a run', () => {
  const request = { url: 'https://example.com/talk.mp4' }

  it('is started again where the appliance turned it away', async () => {
    fates = [turnedAway(429)]
    const id = await client().trigger({ workflowId, ...request })
    expect((await client().run(id)).status).toBe('Pending')
    expect(calls.filter((one) => one.startsWith('POST')).length).toBe(2)
  })

  it('is started once, however many answers are lost', async () => {
    const before = runsOf()
    fates = ['lost', 'lost', turnedAway(503)]
    const id = await client().trigger({ workflowId, ...request })
    expect(calls).toEqual(Array.from({ length: 4 }, () => 'POST /trigger-template'))
    expect(runsOf() - before).toBe(1)
    expect((await client().run(id)).status).toBe('Pending')
  })

  it('is another one with each call, and the same with a key of the caller', async () => {
    const before = runsOf()
    const ids = [
      await client().trigger({ workflowId, ...request }),
      await client().trigger({ workflowId, ...request }),
      await client().trigger({ workflowId, ...request }, 'talk-42'),
      await client().trigger({ workflowId, ...request }, 'talk-42'),
    ]
    expect([new Set(ids).size, runsOf() - before]).toEqual([3, 3])
  })

  it('is waited for until it is Completed', async () => {
    const answers = ['Pending', 'Processing', 'Completed'].map((status) =>
      Response.json({
        status,
        clips: [],
        progress: 0,
        stage: '',
        warnings: [],
        startedAt: null,
        finishedAt: null,
      }),
    )
    fates = [...answers]
    const seen: string[] = []
    const run = await client().waitForRun('any', {
      everyMs: 1,
      onProgress: ({ status }) => seen.push(status),
    })
    expect([run.status, seen]).toEqual(['Completed', ['Pending', 'Processing', 'Completed']])
  })

  it('that failed is thrown with its code', async () => {
    fates = [Response.json({ status: 'Error', error: 'No speech was found.', code: 'NO_SPEECH', clips: [] })]
    await expect(client().waitForRun('any')).rejects.toMatchObject({ code: 'NO_SPEECH' })
  })

  it('is waited for no longer than one wants', async () => {
    const id = await client().trigger({ workflowId, ...request })
    const signal = AbortSignal.timeout(50)
    await expect(client().waitForRun(id, { everyMs: 60_000, signal })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
  })
})

describe('runs', () => {
  it('are listed newest first, page after page', async () => {
    const ids = [addRun(server, { workflowId }), addRun(server, { workflowId })]
    const seen: string[] = []
    for await (const { triggerId } of client().runs()) seen.push(triggerId)
    expect(seen.length).toBe(runsOf())
    expect(seen).toEqual(expect.arrayContaining(ids))
  })

  it('of several pages are read by their cursors', async () => {
    const page = (triggerId: string, cursor: string | null) =>
      Response.json({ runs: [{ triggerId }], cursor })
    fates = [page('a', 'next'), page('b', null)]
    const seen: string[] = []
    for await (const { triggerId } of client().runs()) seen.push(triggerId)
    expect([seen, calls.length]).toEqual([['a', 'b'], 2])
  })

  it('are stopped, once, however many answers are lost', async () => {
    const id = await client().trigger({ workflowId, url: 'https://example.com/talk.mp4' })
    fates = ['lost', 'lost']
    await client().cancelRun(id)
    await expect(client().cancelRun(addRun(server, { workflowId }))).rejects.toMatchObject({
      code: 'INVALID_STATE',
    })
  })
})

describe('a clip', () => {
  const someClip = (): string => {
    const runId = addRun(server, { workflowId })
    addFacts(server, runId)
    return addClip(server, { workflowId, runId, words: [{ word: 'One.', start: 12, end: 12.5 }] })
  }

  it('is edited only where it is still what was read', async () => {
    const id = someClip()
    const { etag } = await client().clip(id)
    const saved = await client().updateClip(id, { title: 'First' }, { ifMatch: etag })
    const late = client().updateClip(id, { title: 'Late' }, { ifMatch: etag })
    await expect(late).rejects.toBeInstanceOf(PreconditionFailed)
    await expect(late).rejects.toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' })
    const { title, etag: now } = await client().clip(id)
    expect([title, now]).toEqual(['First', saved.etag])
  })

  it('has its configs merged, or taken the place of', async () => {
    const id = someClip()
    await client().updateClip(id, { subtitleConfig: { fontSize: 40 } })
    await client().updateClip(id, { subtitleConfig: { fontColor: '#ff0000' } })
    expect((await client().clip(id)).subtitleConfig).toMatchObject({ fontSize: 40, fontColor: '#ff0000' })
    await client().updateClip(id, { subtitleConfig: { fontColor: '#00ff00' } }, { merge: false })
    expect((await client().clip(id)).subtitleConfig).not.toHaveProperty('fontSize')
  })

  it('has its words corrected only where they are still what was read', async () => {
    const id = someClip()
    const { etag } = await client().transcript(id)
    const patched = await client().correct(id, [{ index: 0, to: 'Two.' }], { ifMatch: etag })
    const late = client().correct(id, [{ index: 0, to: 'Three.' }], { ifMatch: etag })
    await expect(late).rejects.toBeInstanceOf(PreconditionFailed)
    const read = await client().transcript(id)
    expect([read.words[0]?.word, read.etag]).toEqual(['Two.', patched.etag])
  })

  it('is deleted, also where the answer is lost; one that there is not is refused', async () => {
    const id = someClip()
    fates = ['lost']
    await client().deleteClip(id)
    expect(calls).toEqual(['DELETE /clip', 'DELETE /clip'])
    await expect(client().deleteClip(id)).rejects.toMatchObject({ code: 'CLIP_NOT_FOUND' })
  })

  it('is rendered strictly where one wants, and says what the film lost', async () => {
    const runId = addRun(server, { workflowId })
    addFacts(server, runId)
    const titleConfig = { text: 'Hello', titlePresetId: 'none' }
    const id = addClip(server, { workflowId, runId, document: { titleConfig } })
    const { status, code, details } = await client().render(id, { strict: true })
    expect([status, code]).toEqual(['failed', 'RENDER_INCOMPLETE'])
    const [warning] = details?.warnings ?? []
    expect(warning).toMatchObject({ code: 'NAME_UNKNOWN', clipId: id })
  })
})

describe('webhooks', () => {
  it('are added once, listed and deleted, with a key that may', async () => {
    const { key } = createApiKey(server.services, {
      companyId: server.companyId,
      name: 'admin',
      scopes: ['admin'],
    })
    await expect(client().webhooks()).rejects.toMatchObject({ code: 'SCOPE_MISSING' })
    fates = ['lost']
    const { webhook, secret } = await client(4, key).addWebhook('https://example.com/hook', ['run.*'])
    expect(secret).toMatch(/^whsec_/)
    const [listed, ...others] = await client(4, key).webhooks()
    expect([listed, others]).toEqual([webhook, []])
    fates = ['lost']
    await client(4, key).deleteWebhook(webhook.id)
    expect(await client(4, key).webhooks()).toEqual([])
    await expect(client(4, key).deleteWebhook(webhook.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('posts', () => {
  it('are read page after page', async () => {
    const page = (posts: string[], cursor: string | null): Response =>
      Response.json({ posts: posts.map((id) => ({ id })), cursor })
    fates = [page(['a', 'b'], 'next'), page(['c'], null)]
    const seen: string[] = []
    for await (const { id } of client().posts({ platform: 'tiktok' })) seen.push(id)
    expect([seen, calls]).toEqual([
      ['a', 'b', 'c'],
      ['GET /posts', 'GET /posts'],
    ])
  })
})

describe('a webhook', () => {
  const now = Date.UTC(2026, 0, 1)
  const secret = 'whsec_test'
  const body = JSON.stringify({ type: 'run.completed', data: { runId: 'r' } })
  const signed = (text: string, at = now): string => signWebhook(secret, Math.floor(at / 1000), text)

  it('is read where the appliance has signed it', async () => {
    const event = await readWebhook({ secret, signature: signed(body), body, now })
    expect(event).toMatchObject({ type: 'run.completed', data: { runId: 'r' } })
  })

  it.each([
    ['no signature', null, body],
    ['another body', signed(body), `${body} `],
    ['an old one', signed(body, now - 301_000), body],
    ['half a signature', signed(body).slice(0, -2), body],
  ])('is refused: %s', async (_what, signature, text) => {
    await expect(readWebhook({ secret, signature, body: text, now })).rejects.toBeInstanceOf(WebhookRefused)
  })

  it('is refused with another secret', async () => {
    const read = readWebhook({ secret: 'other', signature: signed(body), body, now })
    await expect(read).rejects.toThrow('not of this secret')
  })
})
