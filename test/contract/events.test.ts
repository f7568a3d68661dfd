/** Events are stored in the transaction of what they report, and streamed live to the studio. */
import { createServer, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { EVENT_TYPES, type StreamMessage } from '../../server/contract/events.ts'
import { removeClip, saveClipEdit } from '../../server/db/edit-clips.ts'
import { deleteEventsBefore, listEventsAfter } from '../../server/db/events.ts'
import { insertOperation, setOperationProgress } from '../../server/db/operations.ts'
import { setRunProgress } from '../../server/db/runs.ts'
import { clips, confirmations, events, operations, posts, runs } from '../../server/db/schema.ts'
import { prepareConfirmation } from '../../server/domain/operations/confirmations.ts'
import { createEventStream, type EventStream } from '../../server/domain/operations/event-stream.ts'
import {
  issueSignInLink,
  sessionPerson,
  signIn,
  signOut,
  applianceId,
} from '../../server/domain/people/sign-in.ts'
import { sessionCookieName } from '../../server/http/authenticate.ts'
import { streamEvents } from '../../server/http/studio/events.ts'
import { newId } from '../../server/ids.ts'
import {
  addClip,
  addCompany,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'

let server: TestServer
let workflowId = ''
beforeAll(async () => {
  server = await startTestServer()
  workflowId = addWorkflow(server)
})
afterAll(() => server.close())

const db = () => server.services.db
const typesOf = (subjectId: string): string[] =>
  listEventsAfter(db(), 0, { limit: 10_000 })
    .filter((event) => event.subjectId === subjectId)
    .map(({ type }) => type)

function addPost(companyId = server.companyId): string {
  const id = newId()
  const draft = { platform: 'youtube', status: 'draft' } as const
  const post = { id, companyId, text: 'a', ...draft, createdAt: 1, updatedAt: 1 }
  db().orm.insert(posts).values(post).run()
  return id
}

describe('events', () => {
  it('report each change of state once, and nothing else', () => {
    const { orm } = db()
    const runId = addRun(server, { workflowId, status: 'Pending' })
    const setRun = (changes: object) => orm.update(runs).set(changes).where(eq(runs.id, runId)).run()
    for (const status of ['Processing', 'Processing', 'Learning', 'Completed']) setRun({ status })
    setRunProgress(db(), runId, 0.5, 'x', 1)
    expect(typesOf(runId)).toEqual(['run.queued', 'run.processing', 'run.learning', 'run.completed'])

    const clipId = addClip(server, { workflowId, row: { published: false } })
    saveClipEdit(db(), { companyId: 'acme', clipId, clearRender: false, now: 1 })
    orm.update(clips).set({ published: true }).where(eq(clips.id, clipId)).run()
    saveClipEdit(db(), { companyId: 'acme', clipId, clearRender: true, now: 2 })
    orm.update(clips).set({ renderedMedia: 'm' }).where(eq(clips.id, clipId)).run()
    orm.update(clips).set({ review: 'kept', keptOrder: 1 }).where(eq(clips.id, clipId)).run()
    const operationId = insertOperation(db(), {
      companyId: 'acme',
      kind: 'render',
      subjectId: clipId,
      now: 1,
    })
    setOperationProgress(db(), operationId, 0.2, 1)
    const settle = (changes: object) =>
      orm.update(operations).set(changes).where(eq(operations.id, operationId)).run()
    settle({ state: 'running' })
    settle({ state: 'failed', failure: { code: 'RENDER_FAILED', message: 'No.' } })
    removeClip(db(), { companyId: 'acme', clipId })
    expect(typesOf(clipId)).toEqual([
      'clip.created',
      'clip.updated',
      'clip.rendered',
      'clip.updated',
      'clip.reviewed',
      'render.queued',
      'render.started',
      'render.failed',
      'clip.deleted',
    ])

    const postId = addPost()
    const setPost = (changes: object) => orm.update(posts).set(changes).where(eq(posts.id, postId)).run()
    setPost({ text: 'b' })
    setPost({ text: 'b', views: 3, revision: 9 })
    setPost({ status: 'scheduled', scheduledAt: 5 })
    setPost({ status: 'publishing' })
    setPost({ status: 'success', publishedAt: 6, postUrl: 'https://x.test/1' })
    expect(typesOf(postId)).toEqual([
      'post.created',
      'post.updated',
      'post.scheduled',
      'post.publishing',
      'post.published',
    ])
    const [published] = listEventsAfter(db(), 0, { limit: 10_000 }).filter(
      ({ type }) => type === 'post.published',
    )
    expect(published?.data).toMatchObject({
      postId,
      platform: 'youtube',
      postUrl: 'https://x.test/1',
      error: null,
    })

    const caller = {
      companyId: 'acme',
      clientId: 'c',
      principalId: 'p',
      via: 'delegation',
      scopes: null,
    } as const
    const { id } = prepareConfirmation(server.services, {
      caller,
      action: 'publish_post',
      subject: { id: postId, revision: 1 },
      preview: {},
    })
    orm.update(confirmations).set({ state: 'approved', decidedAt: 9 }).where(eq(confirmations.id, id)).run()
    expect(typesOf(id)).toEqual(['confirmation.created', 'confirmation.approved'])
    for (const { type } of listEventsAfter(db(), 0, { limit: 10_000 })) expect(EVENT_TYPES).toContain(type)
  })

  it('are rolled back with their transaction', () => {
    const before = listEventsAfter(db(), 0, { limit: 10_000 }).length
    expect(() =>
      db().orm.transaction(() => {
        addPost()
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(listEventsAfter(db(), 0, { limit: 10_000 })).toHaveLength(before)
  })

  it('have every trigger: a migration that rebuilds a table drops those of the table', () => {
    const rows = db()
      .sqlite.prepare(`select name from sqlite_master where type = 'trigger' and name like 'events_%'`)
      .all() as { name: string }[]
    expect(rows.map(({ name }) => name).sort()).toEqual(
      [
        'events_to_webhooks',
        'events_run_queued',
        'events_run_changed',
        'events_render_queued',
        'events_render_changed',
        'events_clip_published',
        'events_clip_changed',
        'events_clip_removed',
        'events_clip_rendered',
        'events_clip_reviewed',
        'events_clip_metadata',
        'events_run_metadata',
        'events_confirmation_created',
        'events_pick_changed',
        'events_pick_created',
        'events_post_created',
        'events_post_state',
        'events_post_changed',
        'events_post_removed',
        'events_confirmation_changed',
        'events_share_commented',
        'events_share_decided',
      ].sort(),
    )
  })
})

interface Reader {
  readonly status: number
  readonly type: string
  /** The next message; waits for it. */
  next(): Promise<{ id: string | null; message: StreamMessage }>
  readonly ended: Promise<void>
  readonly request: ClientRequest
}

const open: ClientRequest[] = []
afterEach(() => {
  for (const request of open.splice(0)) request.destroy()
})

function cookie(): string {
  const link = new URL(issueSignInLink(server.services, server.url))
  const secret = signIn(server.services, link.searchParams.get('token') ?? '')
  return `${sessionCookieName(applianceId(server.services))}=${secret ?? ''}`
}

function listen(headers: Record<string, string> = {}, path = '/studio/events'): Promise<Reader> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      port: server.port,
      path,
      headers: { cookie: cookie(), ...headers },
      agent: false,
    })
    open.push(request)
    request.once('error', reject)
    request.once('response', (response) => {
      const queue: { id: string | null; message: StreamMessage }[] = []
      const waiting: ((one: { id: string | null; message: StreamMessage }) => void)[] = []
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) {
          const data = /^data: (.*)$/m.exec(block)?.[1]
          if (data === undefined) continue
          const one = {
            id: /^id: (\d+)$/m.exec(block)?.[1] ?? null,
            message: JSON.parse(data) as StreamMessage,
          }
          const waiter = waiting.shift()
          if (waiter === undefined) queue.push(one)
          else waiter(one)
        }
      })
      request.on('error', () => undefined)
      resolve({
        status: response.statusCode ?? 0,
        type: response.headers['content-type'] ?? '',
        request,
        ended: new Promise((done) => response.once('close', () => done())),
        next: () => {
          const one = queue.shift()
          return one === undefined ? new Promise((done) => waiting.push(done)) : Promise.resolve(one)
        },
      })
    })
    request.end()
  })
}

describe('GET /studio/events', () => {
  it('sends a greeting, then the company’s events, with ids to resume from', async () => {
    const reader = await listen()
    expect([reader.status, reader.type]).toEqual([200, 'text/event-stream; charset=utf-8'])
    const hello = await reader.next()
    expect(hello.message).toEqual({ type: 'stream.hello', progress: [] })
    const other = addCompany(server, 'elsewhere')
    addPost(other.companyId)
    const postId = addPost()
    const first = await reader.next()
    expect(first.message).toMatchObject({
      type: 'post.created',
      subjectId: postId,
      companyId: 'acme',
      data: { postId, state: 'draft' },
    })
    expect(Number(first.id)).toBeGreaterThan(Number(hello.id))
    reader.request.destroy()

    const missed = addPost()
    const again = await listen({ 'last-event-id': first.id ?? '' })
    expect((await again.next()).message.type).toBe('stream.hello')
    expect((await again.next()).message).toMatchObject({ type: 'post.created', subjectId: missed })
    const theirs = await listen({}, '/studio/events?companyId=elsewhere&lastEventId=0')
    expect((await theirs.next()).message.type).toBe('stream.hello')
    expect((await theirs.next()).message).toMatchObject({ companyId: 'elsewhere' })
  })

  it('sends progress as it is, and stores none of it', async () => {
    const runId = addRun(server, { workflowId, status: 'Processing', stage: 'Listening' })
    const operationId = insertOperation(db(), { companyId: 'acme', kind: 'run', subjectId: runId, now: 1 })
    db()
      .orm.update(operations)
      .set({ state: 'running', progress: 0.25 })
      .where(eq(operations.id, operationId))
      .run()
    const count = db().orm.select().from(events).all().length
    const reader = await listen()
    const now = { type: 'run.progress', operationId, runId, progress: 0.25, stage: 'Listening' }
    expect((await reader.next()).message).toEqual({ type: 'stream.hello', progress: [now] })
    let heard = await reader.next()
    setOperationProgress(db(), operationId, 0.5, 2)
    while ((heard.message as { progress?: unknown }).progress !== 0.5) heard = await reader.next()
    expect(heard).toEqual({ id: null, message: { ...now, progress: 0.5 } })
    expect(db().orm.select().from(events).all()).toHaveLength(count)
    db().orm.update(operations).set({ state: 'succeeded' }).where(eq(operations.id, operationId)).run()
  })

  it('tells the client to reload everything when missed events are unknown', async () => {
    for (const id of ['999999999', '1']) {
      if (id === '1') deleteEventsBefore(db(), Number.MAX_SAFE_INTEGER, 10_000)
      const reader = await listen({ 'last-event-id': id })
      expect((await reader.next()).message.type).toBe('stream.reset')
    }
  })

  it('is for the studio only', async () => {
    const key = await server.call('/studio/events')
    expect([key.status, key.json()['code']]).toEqual([403, 'ROLE_NOT_ALLOWED'])
    expect((await server.call('/studio/events', { key: null })).status).toBe(401)
    expect(
      (await server.call('/studio/events', { method: 'POST', headers: { cookie: cookie() }, key: null }))
        .status,
    ).toBe(405)
    expect(
      (await server.call('/studio/events?companyId=nobody', { headers: { cookie: cookie() }, key: null }))
        .status,
    ).toBe(404)
  })
})

describe('a listener', () => {
  /** streamEvents on a server of its own, with what the test wants of it. */
  async function alone(stream: EventStream, secret: string, onResponse: (response: IncomingMessage) => void) {
    const own = createServer((request, response) => {
      const query = new URL(request.url ?? '/', 'http://x').searchParams
      const person = sessionPerson(server.services, secret)
      if (person === null) throw new Error('the session is not live')
      const principal = { kind: 'session', secret, person } as const
      streamEvents(server.services, stream, { request, response, query, principal }, 20)
    })
    await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve))
    const request = httpRequest({ port: (own.address() as AddressInfo).port, agent: false })
    const closed = new Promise<void>((resolve) => {
      request.on('error', () => resolve())
      request.once('response', (response) => {
        response.once('close', () => resolve()).once('error', () => resolve())
        onResponse(response)
      })
    })
    request.end()
    return { closed, close: () => own.close() }
  }
  const session = (): string =>
    signIn(
      server.services,
      new URL(issueSignInLink(server.services, 'http://x')).searchParams.get('token') ?? '',
    ) ?? ''

  it('is disconnected when its session ends', async () => {
    const secret = session()
    const stream = createEventStream(server.services)
    const { closed, close } = await alone(stream, secret, (response) => {
      let beats = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        beats += chunk
        if (beats.includes(': beat')) signOut(server.services, secret)
      })
    })
    await closed
    expect(stream.count()).toBe(0)
    close()
  })

  it('is disconnected when it does not read', async () => {
    let left = 0
    const message = { type: 'stream.hello', progress: [], filler: 'x'.repeat(100_000) } as const
    const stream: EventStream = {
      listen: ({ send }) => {
        for (let index = 0; index < 300; index += 1) send(message, index)
        return () => void (left += 1)
      },
      poll: () => undefined,
      count: () => 0,
      close: () => undefined,
    }
    const { closed, close } = await alone(stream, session(), (response) => response.resume())
    await closed
    expect(left).toBe(1)
    close()
  })
})

describe('the stream', () => {
  it('polls only while there are listeners, closes old ones of the busiest person for new ones, and all at shutdown', () => {
    const stream = createEventStream(server.services)
    const ended: number[] = []
    const listen = (person: string, index: number) =>
      stream.listen({
        companyId: 'acme',
        person,
        after: null,
        send: () => undefined,
        end: () => void ended.push(index),
      })
    // Ada's windows are the oldest ones, but Bo's are the many.
    const leaves = Array.from({ length: 257 }, (_, index) => listen(index < 10 ? 'ada' : 'bo', index))
    listen('cy', 257)
    expect([stream.count(), ended]).toEqual([256, [10, 11]])
    leaves[5]?.()
    expect(stream.count()).toBe(255)
    stream.close()
    expect([stream.count(), ended.length]).toEqual([0, 257])
    listen('ada', -1)
    expect([stream.count(), ended.at(-1)]).toEqual([0, -1])
  })

  it('does not delay the appliance’s shutdown', async () => {
    const own = await startTestServer()
    const link = new URL(issueSignInLink(own.services, own.url))
    const secret = signIn(own.services, link.searchParams.get('token') ?? '') ?? ''
    const name = sessionCookieName(applianceId(own.services))
    let closing: Promise<void> | undefined
    const ended = new Promise<void>((resolve, reject) => {
      const request = httpRequest({
        port: own.port,
        path: '/studio/events',
        headers: { cookie: `${name}=${secret}` },
      })
      request.once('response', (response) => {
        response.resume().once('close', () => resolve())
        response.once('data', () => {
          closing = own.close()
        })
      })
      request.once('error', reject)
      request.end()
    })
    await ended
    await closing
    expect(own.services.db.sqlite.open).toBe(false)
  })
})
