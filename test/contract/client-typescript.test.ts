/** The TypeScript client (resources/clients/typescript) against a real server, some of whose answers are lost on the way. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  Cutroom,
  CutroomError,
  readWebhook,
  WebhookRefused,
} from '../../resources/clients/typescript/src/index.ts'
import { runs } from '../../server/db/schema.ts'
import { signWebhook } from '../../server/domain/webhooks/webhooks.ts'
import { addClip, addRun, addWorkflow, startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let workflowId: string
let clipId: string
beforeAll(async () => {
  server = await startTestServer()
  workflowId = addWorkflow(server)
  clipId = addClip(server, { workflowId, runId: addRun(server, { workflowId }) })
})
afterAll(() => server.close())

/** What happens to the next calls: `lost` after they arrived, an answer instead of them, or nothing. */
let fates: ('lost' | Response | null)[] = []
let calls: string[] = []
beforeEach(() => {
  fates = []
  calls = []
})

const client = (retries = 4) =>
  new Cutroom({
    url: `${server.url}/`,
    key: server.key,
    companyId: server.companyId,
    retries,
    fetch: async (address, request) => {
      calls.push(`${request?.method ?? ''} ${new URL(address as string).pathname}`)
      const fate = fates.shift() ?? null
      if (fate instanceof Response) return fate
      const answer = await fetch(address, request)
      if (fate === 'lost') throw new TypeError('fetch failed')
      return answer
    },
  })
const turnedAway = (status: number) => new Response('{}', { status, headers: { 'retry-after': '0' } })
const runsOf = (): number => server.services.db.orm.select().from(runs).all().length

describe('reading', () => {
  it('tries again when answers are lost or say that they will come later', async () => {
    fates = ['lost', turnedAway(503), turnedAway(429)]
    const [first] = await client().workflows()
    expect(first?.id).toBe(workflowId)
    expect(calls).toEqual(Array.from({ length: 4 }, () => 'GET /workflows'))
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
