/** One clip by the domain API: read, edited against its revision, its words, its renders, its operations. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DomainClip } from '../../server/contract/tenant-api/clip.ts'
import type { DomainOperation } from '../../server/contract/tenant-api/operation.ts'
import type { TranscriptPage, TranscriptPatchMeta } from '../../server/contract/tenant-api/transcript.ts'
import type { PublicWord } from '../../server/contract/clip-transcript.ts'
import { getClip } from '../../server/db/clips.ts'
import { insertOperation } from '../../server/db/operations.ts'
import { clips, companies, operations } from '../../server/db/schema.ts'
import { planRender } from '../../server/domain/rendering/render-clip.ts'
import { updateClip } from '../../server/domain/clips/update-clip.ts'
import { domainClient, type DomainClient } from '../support/domain.ts'
import {
  addClip,
  addFacts,
  addMedia,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'

let server: TestServer
let client: DomainClient
let clipId = ''
let runId = ''
let keys = 0
const once = (): string => `key-${(keys += 1)}`

const WORDS = Array.from({ length: 90 }, (_, index) => ({
  word: `w${index}`,
  start: index * 0.5,
  end: index * 0.5 + 0.4,
}))

beforeAll(async () => {
  server = await startTestServer()
  client = await domainClient(server)
  const workflowId = addWorkflow(server)
  runId = addRun(server, { workflowId })
  addFacts(server, runId)
})
afterAll(() => server.close())

beforeEach(() => {
  server.services.db.orm.delete(operations).run()
  const { workflowId } = server.services.db.orm.select().from(clips).get() ?? { workflowId: 'w' }
  clipId = addClip(server, { workflowId, runId, words: WORDS })
})

const read = (id = clipId) => client.call<DomainClip>('GET', `/clips/${id}`)
const patch = (json: unknown, match?: string, key = once(), id = clipId) =>
  client.call<DomainClip>('PATCH', `/clips/${id}`, { json, match, once: key })
const words = (query = '') => client.call<TranscriptPage>('GET', `/clips/${clipId}/transcript${query}`)
const correct = (list: unknown, match?: string, key = once()) =>
  client.call<TranscriptPage>('PATCH', `/clips/${clipId}/transcript`, {
    json: { operations: list },
    match,
    once: key,
  })
const render = (key = once(), id = clipId) => client.call('POST', `/clips/${id}/render`, { once: key })
const queue = (key = once(), id = clipId) =>
  client.call<DomainOperation>('POST', `/clips/${id}/render-jobs`, { once: key })
const listed = () => server.services.db.orm.select().from(operations).all()

describe('GET and PATCH /clips/{clipId}', () => {
  it('return the document with addresses and no internal fields', async () => {
    const source = await addMedia(server, 'source.mp4', 'x')
    const id = addClip(server, {
      workflowId: 'w',
      runId,
      document: { media: { source: source.id }, originalUrl: 'file:///srv/footage/talk.mp4' },
    })
    const { status, data, etag, text } = await read(id)
    expect([status, etag]).toEqual([200, expect.stringMatching(/^"[\w-]{22}"$/)])
    expect(data).toMatchObject({
      id,
      status: 'unrendered',
      statuses: ['unrendered'],
      tags: [],
      workflowRunId: runId,
      sourceUrl: `http://127.0.0.1:${server.port}${source.path}`,
      originalUrl: 'talk.mp4',
      episodeId: 'a'.repeat(64),
      sourceInputId: 'input-1',
    })
    expect(text).not.toMatch(/srv|acme|task-1|hash-1/)
  })

  it('set fields and tags of the revision that was read, and return the clip with its new revision', async () => {
    const before = await read()
    const json = { title: 'Better', tags: [' Launch ', 'launch', 'Two  words'], keywords: ['k'] }
    const after = await patch(json, before.etag)
    expect([after.status, after.meta]).toEqual([
      200,
      { updatedFields: ['title', 'keywords', 'tags'], warnings: [] },
    ])
    expect(after.data).toMatchObject({
      title: 'Better',
      tags: ['Launch', 'Two words'],
      keywords: ['k'],
      statuses: ['unrendered', 'edited'],
    })
    expect(after.etag).not.toBe(before.etag)
    expect((await read()).etag).toBe(after.etag)
    expect((await patch({ tags: [] }, after.etag)).data.tags).toEqual([])
    const listed = await client.call<{ title: string }[]>('GET', '/clips?query=better')
    expect(listed.data.map(({ title }) => title)).toContain('Better')
  })

  it('merge configs or replace them, and make the render outdated', async () => {
    server.services.db.orm.update(clips).set({ renderedMedia: 'm' }).where(eq(clips.id, clipId)).run()
    const first = await patch({ titleConfig: { text: 'A', fontSize: 40 } }, (await read()).etag)
    expect(first.data).toMatchObject({ titleConfig: { text: 'A', fontSize: 40 }, status: 'unrendered' })
    const second = await patch({ titleConfig: { text: 'B' } }, first.etag)
    expect(second.data.titleConfig).toEqual({ text: 'B', fontSize: 40 })
    const third = await patch({ titleConfig: { text: 'C' }, merge: false }, second.etag)
    expect(third.data.titleConfig).toEqual({ text: 'C' })
  })

  it('are refused when the clip was changed since by any client, also between reading and storing', async () => {
    const { etag } = await read()
    await updateClip(server.services, { companyId: 'acme', clipId, body: { title: 'Theirs' }, merge: true })
    const late = await patch({ title: 'Mine' }, etag)
    expect([late.status, late.error.code]).toEqual([412, 'PRECONDITION_FAILED'])
    expect((await read()).data.title).toBe('Theirs')
    // Two at the same moment: whichever is stored second was made from a version that is no more.
    const { etag: both } = await read()
    const answers = await Promise.all([patch({ title: 'One' }, both), patch({ title: 'Two' }, both)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412])
  })

  it('are applied once for a key, and replayed', async () => {
    const { etag } = await read()
    const first = await patch({ title: 'Once' }, etag, 'same')
    const again = await patch({ title: 'Once' }, etag, 'same')
    expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([
      200,
      first.text,
      'true',
    ])
    expect(again.etag).toBe(first.etag)
    expect(getClip(server.services.db, 'acme', clipId)?.revision).toBe(2)
    const other = await patch({ title: 'Else' }, etag, 'same')
    expect([other.status, other.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
  })

  it('require their headers, known fields and valid values', async () => {
    const { etag } = await read()
    const path = `/clips/${clipId}`
    const cases: [unknown, Record<string, string | undefined>, number, string][] = [
      [{ title: 'x' }, { once: once() }, 428, 'PRECONDITION_REQUIRED'],
      [{ title: 'x' }, { once: once(), match: '*' }, 400, 'VALIDATION_FAILED'],
      [{ title: 'x' }, { match: etag }, 400, 'IDEMPOTENCY_KEY_REQUIRED'],
      [{}, { once: once(), match: etag }, 400, 'VALIDATION_FAILED'],
      [{ merge: true }, { once: once(), match: etag }, 400, 'VALIDATION_FAILED'],
      [{ id: 'x' }, { once: once(), match: etag }, 400, 'VALIDATION_FAILED'],
      [{ companyId: 'rival', title: 'x' }, { once: once(), match: etag }, 400, 'VALIDATION_FAILED'],
      [{ title: 5 }, { once: once(), match: etag }, 400, 'VALIDATION_FAILED'],
      [{ tags: [''] }, { once: once(), match: etag }, 400, 'VALIDATION_FAILED'],
      [
        { segments: [{ startSeconds: 9, endSeconds: 3 }] },
        { once: once(), match: etag },
        400,
        'VALIDATION_FAILED',
      ],
    ]
    for (const [json, headers, status, code] of cases) {
      const answer = await client.call('PATCH', path, { json, ...headers })
      expect([answer.status, answer.error.code], JSON.stringify(json)).toEqual([status, code])
    }
    expect((await read()).etag).toBe(etag)
    const unknown = await patch({ title: 'x' }, etag, once(), 'nothing')
    expect([unknown.status, unknown.error.code]).toEqual([404, 'NOT_FOUND'])
  })
})

describe('the transcript', () => {
  it('comes in pages that hold each word once, in order', async () => {
    const seen: PublicWord[] = []
    for (let cursor = ''; ;) {
      const { data, meta } = await words(`?limit=40${cursor === '' ? '' : `&cursor=${cursor}`}`)
      expect([data.clipId, data.wordCount, data.language]).toEqual([clipId, 90, 'en'])
      seen.push(...data.words)
      if (meta.nextCursor === null) break
      cursor = meta.nextCursor
    }
    expect(seen.map(({ index, word }) => [index, word])).toEqual(
      WORDS.map(({ word }, index) => [index, word]),
    )
    expect(seen.filter(({ visible }) => visible)).toHaveLength(60)
    const some = await words('?start=10&end=12&limit=3')
    expect([some.data.wordCount, some.data.words.map(({ index }) => index)]).toEqual([4, [20, 21, 22]])
    for (const bad of ['?limit=501', '?limit=0', '?start=-1', '?end=x']) {
      const { status, error } = await words(bad)
      expect([status, error.code]).toEqual([400, 'VALIDATION_FAILED'])
    }
  })

  it('is corrected against its revision; older cursors are refused', async () => {
    const { etag, meta } = await words('?limit=10')
    const done = await correct(
      [
        { from: 'w3', to: 'three' },
        { index: 5, to: '' },
        { from: 'none', to: 'x' },
      ],
      etag,
    )
    expect([done.status, done.meta]).toMatchObject([
      200,
      { nextCursor: null, applied: 3, replaced: 2, appliedToHiddenWords: 2 },
    ])
    expect(done.data.words[3]?.word).toBe('three')
    expect(done.data.words[5]).toMatchObject({ isDeleted: true })
    expect(done.etag).not.toBe(etag)
    expect((await words()).etag).toBe(done.etag)
    const late = await correct([{ index: 1, to: 'y' }], etag)
    expect([late.status, late.error.code]).toEqual([412, 'PRECONDITION_FAILED'])
    const old = await words(`?limit=10&cursor=${meta.nextCursor ?? ''}`)
    expect([old.status, old.error.code]).toEqual([400, 'INVALID_CURSOR'])
  })

  it('applies valid operations, warns about the others, and accepts as many as the body holds', async () => {
    const { etag } = await words()
    const some = await correct(
      [{ index: 0, from: 'w0', to: 'x' }, { from: 'w3', to: 'three', matchCase: null }, 'x', { index: -1 }],
      etag,
    )
    expect([some.status, some.meta]).toMatchObject([200, { applied: 1, replaced: 1 }])
    expect((some.meta as unknown as TranscriptPatchMeta).warnings).toEqual([
      expect.stringMatching(/^operations\[0\] was left out: /),
      expect.stringMatching(/^operations\[2\] was left out: /),
      expect.stringMatching(/^operations\[3\] was left out: /),
    ])
    const many = await correct(
      Array.from({ length: 1001 }, () => ({ index: 1, to: 'one' })),
      some.etag,
    )
    expect([many.status, many.meta]).toMatchObject([200, { applied: 1001 }])
  })

  it('is changed once for a key, and not by invalid operations', async () => {
    const { etag } = await words()
    const first = await correct([{ index: 0, to: 'zero' }], etag, 'words')
    const again = await correct([{ index: 0, to: 'zero' }], etag, 'words')
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true'])
    for (const list of [[], 'x', [{ to: 'x' }], [{ index: 1 }], [{ index: 1, from: 'w1', to: 'x' }]]) {
      const { status, error } = await correct(list, first.etag)
      expect([status, error.code], JSON.stringify(list)).toEqual([400, 'VALIDATION_FAILED'])
    }
    expect((await words()).etag).toBe(first.etag)
  })

  it('returns a first page and a cursor from a patch of many words', async () => {
    const many = Array.from({ length: 450 }, (_, index) => ({
      word: `m${index}`,
      start: index * 0.1,
      end: index * 0.1 + 0.05,
    }))
    clipId = addClip(server, { workflowId: 'w', runId, words: many })
    const done = await correct([{ index: 0, to: 'first' }], (await words()).etag)
    expect(done.data.words).toHaveLength(200)
    const next = await words(`?cursor=${done.meta.nextCursor ?? ''}`)
    expect([next.data.words[0]?.index, next.data.words.length]).toEqual([200, 200])
  })

  it('is reported as a state when it is missing, not as an unknown address', async () => {
    clipId = addClip(server, { workflowId: 'w', runId })
    const { status, error } = await words()
    expect([status, error.code]).toEqual([409, 'INVALID_STATE'])
  })
})

describe('renders', () => {
  const settle = async (mediaId: string) => {
    await expect.poll(() => server.jobs.waiting.length).toBeGreaterThan(0)
    for (const id of server.jobs.waiting.splice(0))
      server.jobs.settle(id, { state: 'succeeded', result: { mediaId }, failure: null })
  }

  it('are waited for and return an address', async () => {
    const media = await addMedia(server, 'clip.mp4', 'x')
    const requested = render()
    await settle(media.id)
    const { status, data } = await requested
    expect([status, data]).toEqual([
      200,
      { clipId, status: 'finished', renderUrl: `http://127.0.0.1:${server.port}${media.path}` },
    ])
    expect(listed().map(({ kind, subjectId }) => [kind, subjectId])).toEqual([['render', clipId]])
  })

  it('beyond the organization’s limit are refused with a time to wait, and not stored for their key', async () => {
    const { db } = server.services
    const other = addClip(server, { workflowId: 'w', runId })
    const going = ['a', 'b'].map((subjectId) =>
      insertOperation(db, { companyId: 'acme', kind: 'render', subjectId, now: 1 }),
    )
    const refused = await render('busy', other)
    expect([refused.status, refused.error.code, refused.headers['retry-after']]).toEqual([
      429,
      'RENDER_CONCURRENCY_LIMIT',
      '10',
    ])
    expect(listed()).toHaveLength(2)
    // Runs and renders of other clips do not count; a render of this clip that is in progress is joined.
    db.orm
      .update(operations)
      .set({ kind: 'run' })
      .where(eq(operations.id, going[0] ?? ''))
      .run()
    db.orm
      .update(operations)
      .set({ companyId: 'rival' })
      .where(eq(operations.id, going[1] ?? ''))
      .run()
    db.orm.update(companies).set({ renderConcurrency: 1 }).where(eq(companies.id, 'acme')).run()
    const media = await addMedia(server, 'other.mp4', 'x')
    const first = render('busy', other)
    await expect.poll(() => server.jobs.waiting.length).toBe(1)
    const joined = render(once(), other)
    await expect.poll(() => server.jobs.waiting.length).toBe(2)
    expect(new Set(server.jobs.waiting).size).toBe(1)
    expect((await render()).status).toBe(429)
    await settle(media.id)
    expect([(await first).status, (await joined).status]).toEqual([200, 200])
    db.orm.update(companies).set({ renderConcurrency: 2 }).where(eq(companies.id, 'acme')).run()
  })

  it('that fail report why, and may be requested again with the same key', async () => {
    const requests = render('fails')
    await expect.poll(() => server.jobs.waiting.length).toBe(1)
    const [id = ''] = server.jobs.waiting.splice(0)
    const failure = { code: 'DISK_FULL' as const, message: 'The disk is full.' }
    server.jobs.settle(id, { state: 'failed', result: null, failure })
    const { status, error } = await requests
    expect([status, error]).toEqual([
      500,
      {
        code: 'RENDER_FAILED',
        message: 'The disk is full.',
        details: { operationId: id, code: 'DISK_FULL' },
      },
    ])
    server.services.db.orm.delete(operations).run()
    const media = await addMedia(server, 'again.mp4', 'x')
    const again = render('fails')
    await settle(media.id)
    expect((await again).status).toBe(200)
  })

  it('are queued as operations, one for a clip at a time, without a limit', async () => {
    for (const subjectId of ['a', 'b', 'c'])
      insertOperation(server.services.db, { companyId: 'acme', kind: 'render', subjectId, now: 1 })
    const wakes = server.jobs.wakes
    const first = await queue('queue')
    expect([first.status, first.data]).toMatchObject([
      202,
      { kind: 'render', state: 'queued', progress: 0, attempts: 0 },
    ])
    expect(server.jobs.wakes).toBe(wakes + 1)
    expect((await queue()).data.id).toBe(first.data.id)
    expect((await queue('queue')).headers['idempotency-replayed']).toBe('true')
    expect(listed()).toHaveLength(4)
    expect((await client.call('GET', `/operations/${first.data.id}`)).data).toEqual(first.data)
  })

  it('are refused where this appliance queues none, and nothing is queued', async () => {
    const off = await startTestServer({ config: { renderQueue: 'off' } })
    try {
      const caller = await domainClient(off)
      const run = addRun(off, { workflowId: 'w' })
      addFacts(off, run)
      const id = addClip(off, { workflowId: 'w', runId: run })
      for (const path of [`/clips/${id}/render-jobs`, `/clips/${id}/render`]) {
        const { status, error } = await caller.call('POST', path, { once: once() })
        expect([status, error.code]).toEqual([503, 'RENDER_QUEUE_UNAVAILABLE'])
      }
      expect(off.services.db.orm.select().from(operations).all()).toEqual([])
      // What is rendered already needs no queue.
      const media = await addMedia(off, 'clip.mp4', 'x')
      const { renderKey } = planRender(off.services, id)
      off.services.db.orm
        .update(clips)
        .set({ renderKey, renderedMedia: media.id })
        .where(eq(clips.id, id))
        .run()
      const done = await caller.call('POST', `/clips/${id}/render`, { once: once() })
      expect([done.status, done.data['status']]).toEqual([200, 'finished'])
    } finally {
      await off.close()
    }
    Object.assign(server.jobs, { takesWork: () => false })
    const stopping = await queue()
    expect([stopping.status, stopping.error.code]).toEqual([503, 'RENDER_QUEUE_UNAVAILABLE'])
    expect(listed()).toEqual([])
    Object.assign(server.jobs, { takesWork: () => true })
    expect((await queue()).status).toBe(202)
  })
})

describe('GET /operations/{operationId}', () => {
  it('returns state, result and error of work of every kind', async () => {
    const { db } = server.services
    const media = await addMedia(server, 'done.mp4', 'x')
    const id = insertOperation(db, { companyId: 'acme', kind: 'render', subjectId: clipId, now: 1000 })
    const set = (row: Partial<typeof operations.$inferInsert>) =>
      db.orm.update(operations).set(row).where(eq(operations.id, id)).run()
    const ask = async () => (await client.call<DomainOperation>('GET', `/operations/${id}`)).data
    // A failure of an earlier attempt is not reported as the operation's while it is still in progress.
    set({
      state: 'running',
      progress: 0.5,
      attempts: 2,
      failure: { code: 'STAGE_FAILED', message: 'Again.' },
    })
    expect(await ask()).toEqual({
      id,
      kind: 'render',
      state: 'running',
      progress: 0.5,
      attempts: 2,
      createdAt: '1970-01-01T00:00:01.000Z',
      updatedAt: '1970-01-01T00:00:01.000Z',
    })
    set({ state: 'failed' })
    expect((await ask()).error).toEqual({ code: 'STAGE_FAILED', message: 'Again.' })
    set({ state: 'succeeded', progress: 1, result: { mediaId: media.id } })
    expect((await ask()).result).toEqual({
      clipId,
      renderUrl: `http://127.0.0.1:${server.port}${media.path}`,
    })
    set({ kind: 'run', subjectId: runId, result: { clipIds: [clipId] } })
    expect((await ask()).result).toEqual({ runId, clipIds: [clipId] })
    set({ companyId: 'rival' })
    const { status, error } = await client.call('GET', `/operations/${id}`)
    expect([status, error.code]).toEqual([404, 'NOT_FOUND'])
  })
})
