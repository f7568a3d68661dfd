/** /social over a real socket: drafts, the two steps, the outbox with the package for no account, schedule, calendar. */
import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clips, socialActions } from '../../server/db/schema.ts'
import { startSocialLoop } from '../../server/jobs/social-loop.ts'
import { planRender } from '../../server/domain/rendering/render-clip.ts'
import { createCompany } from '../../server/domain/people/companies.ts'
import { sampleDocument } from '../support/sample-document.ts'
import { claimForTest } from '../support/social-lease.ts'
import { domainClient, serviceClient, type DomainClient } from '../support/domain.ts'
import {
  addClip,
  addFacts,
  addMedia,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'
import { socialRunner } from '../../server/domain/publishing/runner.ts'
import { approved, carryOut, draft, once, post, renderedClip, type PostAnswer } from '../support/social.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

const START = Date.UTC(2026, 5, 1, 12)
let time = START
let server: TestServer
let client: DomainClient
let rival: DomainClient
let clipId: string
beforeAll(async () => {
  server = await startTestServer({ now: () => time })
  client = await domainClient(server)
  createCompany(server.services, { id: 'rival', name: 'Rival' })
  rival = await domainClient(server, { companyId: 'rival' })
  ;({ clipId } = await renderedClip(server))
})
afterAll(() => server.close())

const iso = (moment: number): string => new Date(moment).toISOString()
const call = <T = PostAnswer>(method: string, path: string, json?: unknown, match?: string) =>
  client.call<T>(method, path, {
    ...omitUndefined({ json, match }),
    ...(method === 'GET' || method === 'DELETE' ? {} : { once: once() }),
  })

describe('drafts', () => {
  it('are stored unapproved, for the caller’s company only', async () => {
    const made = await call('POST', '/social/posts', { platform: 'tiktok', clipId, text: 'Hello' })
    expect(made.status).toBe(201)
    expect(made.data).toMatchObject({
      platform: 'tiktok',
      clipId,
      text: 'Hello',
      status: 'draft',
      approved: false,
      account: null,
      destination: 'export',
      visibility: 'public',
      scheduledAt: null,
      operationId: null,
      error: null,
    })
    const path = `/social/posts/${made.data.id}`
    expect((await client.call('GET', path)).etag).toBe(made.etag)
    for (const [method, suffix, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { text: 'Mine' }],
      ['DELETE', '', undefined],
      ['POST', ':prepare-publish', undefined],
      ['POST', ':prepare-cancel', undefined],
      ['POST', ':publish', { confirmationId: 'x' }],
      ['POST', ':cancel', { confirmationId: 'x' }],
    ] as const) {
      const request = { once: once(), match: made.etag, ...omitUndefined({ json: body }) }
      const theirs = await rival.call(method, path + suffix, request)
      expect([method + suffix, theirs.status, theirs.error.code]).toEqual([method + suffix, 404, 'NOT_FOUND'])
    }
    expect((await rival.call('GET', '/social/posts')).data).toEqual([])
    expect(
      (await rival.call('POST', '/social/posts', { json: { platform: 'tiktok', clipId }, once: once() }))
        .error,
    ).toMatchObject({ code: 'VALIDATION_FAILED', details: { field: 'clipId' } })
  })

  it.each([
    ['platform', {}],
    ['platform', { platform: 'myspace' }],
    ['extra', { platform: 'tiktok', extra: 1 }],
    ['clipId', { platform: 'tiktok', clipId: 'nothing' }],
    ['accountId', { platform: 'tiktok', accountId: 'nothing' }],
    ['text', { platform: 'bluesky', text: 'x'.repeat(301) }],
    ['text', { platform: 'twitter', text: '😀'.repeat(141) }],
    ['text', { platform: 'youtube', text: 'ü'.repeat(2501) }],
    ['title', { platform: 'youtube', title: 'x'.repeat(101) }],
    ['title', { platform: 'tiktok', title: 'A title' }],
    ['firstComment', { platform: 'tiktok', firstComment: 'First!' }],
    ['visibility', { platform: 'bluesky', visibility: 'private' }],
    ['scheduledAt', { platform: 'tiktok', scheduledAt: 'soon' }],
    ['scheduledAt', { platform: 'tiktok', scheduledAt: iso(START - 3_600_000) }],
  ])('refuse a wrong %s, example %$', async (field, json) => {
    const { status, error } = await call('POST', '/social/posts', json)
    expect([status, error.code, error.details?.['field']]).toEqual([400, 'VALIDATION_FAILED', field])
  })

  it('count characters as their platform does', async () => {
    for (const [platform, text] of [
      ['bluesky', '👨‍👩‍👧‍👦'.repeat(300)],
      ['twitter', `${'x'.repeat(256)} https://example.com/${'long'.repeat(30)}`],
      ['twitter', '漢'.repeat(140)],
    ] as const)
      expect((await call('POST', '/social/posts', { platform, text })).status, text).toBe(201)
  })

  it('are created once and replayed for the same key', async () => {
    const key = once()
    const json = { platform: 'bluesky', text: 'Once' }
    const first = await client.call<PostAnswer>('POST', '/social/posts', { json, once: key })
    const second = await client.call<PostAnswer>('POST', '/social/posts', { json, once: key })
    expect([second.text, second.headers['idempotency-replayed']]).toEqual([first.text, 'true'])
    const all = await client.call<PostAnswer[]>('GET', '/social/posts?limit=100')
    expect(all.data.filter(({ text }) => text === 'Once')).toHaveLength(1)
  })

  it('are changed under If-Match, and deleted while they are drafts', async () => {
    const { id } = await draft(client, { platform: 'youtube', text: 'One', title: 'T' })
    const path = `/social/posts/${id}`
    const { etag } = await client.call('GET', path)
    expect((await client.call('PATCH', path, { json: { text: 'Two' }, once: once() })).status).toBe(428)
    const changed = await call('PATCH', path, { text: 'Two', title: null }, etag)
    expect([changed.status, changed.data['text'], changed.data['title']]).toEqual([200, 'Two', null])
    expect(changed.etag).not.toBe(etag)
    expect((await call('PATCH', path, { text: 'Three' }, etag)).status).toBe(412)
    expect((await call('PATCH', path, {}, changed.etag)).error.code).toBe('VALIDATION_FAILED')
    expect((await call('DELETE', path)).data).toEqual({ id, deleted: true })
    expect((await call('GET', path)).status).toBe(404)
  })
})

describe('publishing', () => {
  it('without an account writes a package, and the post is a success with a note', async () => {
    const fields = {
      platform: 'youtube',
      clipId,
      text: '../../etc\nLine two',
      title: 'T',
      firstComment: 'Hi',
    }
    const { id } = await draft(client, fields)
    const operationId = await approved(client, id)
    expect(await post(client, id)).toMatchObject({ status: 'publishing', approved: true, operationId })
    await carryOut(server)
    const done = await post(client, id)
    expect(done).toMatchObject({ status: 'success', postUrl: null, nativeId: null, publishedAt: iso(time) })
    expect(done.note).toContain(`exports/post-${id}`)
    const folder = join(server.services.home.root, 'exports', `post-${id}`)
    expect((await readdir(folder)).sort()).toEqual([
      'caption.txt',
      'first-comment.txt',
      'post.json',
      'thumbnail.jpg',
      'title.txt',
      'video.mp4',
    ])
    expect(await readFile(join(folder, 'video.mp4'), 'utf8')).toBe('a video')
    expect(await readFile(join(folder, 'caption.txt'), 'utf8')).toBe('../../etc\nLine two\n')
    expect(JSON.parse(await readFile(join(folder, 'post.json'), 'utf8'))).toMatchObject({
      postId: id,
      platform: 'youtube',
      title: 'T',
      files: { video: 'video.mp4' },
    })
    const operation = await client.call('GET', `/operations/${operationId}`)
    expect(operation.data).toMatchObject({ kind: 'social_publish', state: 'succeeded', progress: 1 })
    expect((await rival.call('GET', `/operations/${operationId}`)).status).toBe(404)
    const listed = await server.call(`/posts?companyId=acme`)
    expect(listed.json<{ posts: { id: string }[] }>().posts.map((one) => one.id)).toContain(id)
    await approved(client, id, 'cancel')
    await carryOut(server)
    expect([(await post(client, id)).status, existsSync(folder)]).toEqual(['cancelled', false])
  })

  it.each([
    ['a clip that is not rendered is rendered first', true, null],
    ['a clip whose rendered file is gone is rendered anew', true, 'gone.mp4'],
    ['a render that fails ends the post with a sentence', false, null],
  ])('%s', async (_rule, works, lost) => {
    const workflowId = addWorkflow(server)
    const runId = addRun(server, { workflowId })
    addFacts(server, runId)
    const gone = lost === null ? null : await addMedia(server, lost, 'was here')
    const row = { renderedMedia: gone?.id ?? null }
    const own = addClip(server, { workflowId, runId, row })
    if (gone !== null) {
      const { renderKey } = planRender(server.services, own)
      server.services.db.orm.update(clips).set({ renderKey }).where(eq(clips.id, own)).run()
      await rm(gone.file)
    }
    const { id } = await draft(client, { platform: 'tiktok', clipId: own, text: 'Fresh' })
    await approved(client, id)
    const runner = socialRunner(server.services)
    const before = server.jobs.waiting.length
    runner.tick()
    while (server.jobs.waiting.length === before) await new Promise((resolve) => setTimeout(resolve, 5))
    const video = await addMedia(server, 'clip.mp4', 'fresh video')
    const failure = { code: 'RENDER_FAILED' as const, message: 'The picture is broken.' }
    server.jobs.settle(server.jobs.waiting.at(-1) ?? '', {
      state: works ? 'succeeded' : 'failed',
      result: works ? { mediaId: video.id } : null,
      failure: works ? null : failure,
    })
    await runner.idle()
    const done = await post(client, id)
    if (works) {
      const folder = join(server.services.home.root, 'exports', `post-${id}`)
      expect([done.status, await readFile(join(folder, 'video.mp4'), 'utf8')]).toEqual([
        'success',
        'fresh video',
      ])
    } else
      expect(done).toMatchObject({
        status: 'error',
        error: { code: 'INVALID_STATE', message: 'The clip could not be rendered: The picture is broken.' },
      })
  })

  it('requires what the platform requires', async () => {
    const empty = await draft(client, { platform: 'bluesky' })
    const bare = await draft(client, { platform: 'youtube', clipId, text: 'No title' })
    const short = await draft(client, { platform: 'snapchat', text: 'No video' })
    for (const [{ id }, field] of [
      [empty, 'text'],
      [bare, 'title'],
      [short, 'clipId'],
    ] as const) {
      const { status, error } = await call('POST', `/social/posts/${id}:prepare-publish`)
      expect([status, error.details?.['field']]).toEqual([400, field])
    }
  })

  it('needs an approved confirmation of this post, at this revision, of this client, once', async () => {
    const { id } = await draft(client, { platform: 'bluesky', text: 'Guarded' })
    const other = await draft(client, { platform: 'bluesky', text: 'Other' })
    const prepare = async (postId = id) =>
      (await call<{ id: string; preview: object }>('POST', `/social/posts/${postId}:prepare-publish`)).data
    const publish = async (confirmationId: string, postId = id) => {
      const { status, error } = await call('POST', `/social/posts/${postId}:publish`, { confirmationId })
      return status === 202 ? 202 : error.code
    }
    const decide = (confirmationId: string, decision: string) =>
      call('POST', `/confirmations/${confirmationId}:decide`, { decision })
    const first = await prepare()
    expect(first.preview).toMatchObject({ text: 'Guarded', destination: 'export', scheduledAt: null })
    expect(await publish(first.id)).toBe('CONFIRMATION_NOT_APPROVED')
    expect(await publish('nothing')).toBe('NOT_FOUND')
    await decide(first.id, 'approve')
    expect(await publish(first.id, other.id)).toBe('CONFIRMATION_MISMATCH')
    const { etag } = await client.call('GET', `/social/posts/${id}`)
    await call('PATCH', `/social/posts/${id}`, { text: 'Changed' }, etag)
    expect(await publish(first.id)).toBe('CONFIRMATION_MISMATCH')
    const declined = await prepare()
    await decide(declined.id, 'decline')
    expect(await publish(declined.id)).toBe('CONFIRMATION_NOT_APPROVED')
    const a = await prepare()
    const b = await prepare()
    await decide(a.id, 'approve')
    await decide(b.id, 'approve')
    expect(await publish(a.id)).toBe(202)
    expect(await publish(b.id)).toBe('INVALID_STATE')
    await carryOut(server)
    expect((await post(client, id)).status).toBe('success')
    const stored = server.services.db.orm
      .select()
      .from(socialActions)
      .where(eq(socialActions.postId, id))
      .all()
    expect(stored).toHaveLength(1)
  })

  it('is refused when the clip was changed after the approval', async () => {
    const own = (await renderedClip(server)).clipId
    const shorten = () => {
      const document = sampleDocument({ endTimestamp: 39, duration: 29 })
      server.services.db.orm.update(clips).set({ document, revision: 2 }).where(eq(clips.id, own)).run()
    }
    const first = await draft(client, { platform: 'tiktok', clipId: own, text: 'A' })
    const prepared = await call<{ id: string }>('POST', `/social/posts/${first.id}:prepare-publish`)
    await call('POST', `/confirmations/${prepared.data.id}:decide`, { decision: 'approve' })
    const later = await draft(client, { platform: 'tiktok', clipId: own, scheduledAt: iso(time + 60_000) })
    await approved(client, later.id)
    shorten()
    const refused = await call('POST', `/social/posts/${first.id}:publish`, {
      confirmationId: prepared.data.id,
    })
    expect([refused.status, refused.error.code]).toEqual([409, 'CONFIRMATION_MISMATCH'])
    time += 60_000
    await carryOut(server)
    const failed = await post(client, later.id)
    expect(failed).toMatchObject({ status: 'error', error: { code: 'INVALID_STATE' } })
    expect(failed.error?.message).toContain('changed after the post was approved')
    const { etag } = await client.call('GET', `/social/posts/${later.id}`)
    const mended = await call('PATCH', `/social/posts/${later.id}`, { scheduledAt: null }, etag)
    expect(mended.data).toMatchObject({ status: 'draft', error: null, approved: false })
    await approved(client, later.id)
    await carryOut(server)
    expect((await post(client, later.id)).status).toBe('success')
  })

  it('is for drafts: a post in progress can neither be changed nor deleted', async () => {
    const { id } = await draft(client, { platform: 'bluesky', text: 'x' })
    await approved(client, id)
    const { etag } = await client.call('GET', `/social/posts/${id}`)
    for (const answer of [
      await call('DELETE', `/social/posts/${id}`),
      await call('PATCH', `/social/posts/${id}`, { text: 'y' }, etag),
      await call('POST', `/social/posts/${id}:prepare-publish`),
    ])
      expect([answer.status, answer.error.code]).toEqual([409, 'INVALID_STATE'])
  })
})

describe('the schedule', () => {
  it('is followed: nothing before the scheduled time, and then at once', async () => {
    const { id } = await draft(client, { platform: 'bluesky', text: 'Later', scheduledAt: iso(time + 5000) })
    const operationId = await approved(client, id)
    time += 4999
    await carryOut(server)
    expect((await post(client, id)).status).toBe('scheduled')
    const service = await serviceClient(server)
    const early = await service.call<{ outcome: string }>(
      'POST',
      `/internal/social-actions/${operationId}/execute`,
    )
    expect([early.status, early.data.outcome]).toEqual([200, 'waiting'])
    time += 1
    await carryOut(server)
    expect(await post(client, id)).toMatchObject({ status: 'success', publishedAt: iso(time) })
  })

  it('is left by a cancel, which nothing can outrun', async () => {
    const { id } = await draft(client, { platform: 'bluesky', text: 'Never', scheduledAt: iso(time + 5000) })
    const publishing = await approved(client, id)
    const cancelling = await approved(client, id, 'cancel')
    time += 5000
    await carryOut(server)
    await carryOut(server)
    expect((await post(client, id)).status).toBe('cancelled')
    const state = async (operation: string) =>
      (await client.call<{ state: string }>('GET', `/operations/${operation}`)).data.state
    expect([await state(publishing), await state(cancelling)]).toEqual(['cancelled', 'succeeded'])
    expect(existsSync(join(server.services.home.root, 'exports', `post-${id}`))).toBe(false)
  })
})

describe('the appliance’s scheduler', () => {
  it('resumes at its start what is overdue and what a dead appliance had leased, and continues on its own', async () => {
    const overdue = await draft(client, {
      platform: 'bluesky',
      text: 'Overdue',
      scheduledAt: iso(time + 1000),
    })
    const left = await draft(client, { platform: 'bluesky', text: 'Left' })
    await approved(client, overdue.id)
    claimForTest(server, await approved(client, left.id), 'a-dead-appliance')
    time += 5000
    // Another life of the appliance: nothing of this one's memory.
    const services = { ...server.services, db: { ...server.services.db } }
    const loop = startSocialLoop(services)
    const until = async (id: string, status: string) => {
      for (let round = 0; (await post(client, id)).status !== status; round++) {
        if (round > 400) throw new Error(`it is ${(await post(client, id)).status}`)
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
    }
    try {
      await until(overdue.id, 'success')
      // The previous lease holder may have begun it, so it pauses as after any failure.
      time += 5000
      await until(left.id, 'success')
      const next = await draft(client, { platform: 'bluesky', text: 'Next', scheduledAt: iso(time + 1000) })
      await approved(client, next.id)
      time += 1000
      await until(next.id, 'success')
    } finally {
      await loop.stop()
    }
  })
})

describe('callbacks', () => {
  it('publish once: then duplicates, 202 while leased, 404 for unknown posts, and services only', async () => {
    const service = await serviceClient(server)
    const { id } = await draft(client, { platform: 'bluesky', text: 'By callback' })
    const operationId = await approved(client, id)
    const path = `/internal/social-actions/${operationId}/execute`
    expect((await client.call('POST', path)).status).toBe(401)
    const release = claimForTest(server, operationId)
    const leased = await service.call('POST', path)
    expect([leased.status, leased.data]).toEqual([
      202,
      { id: operationId, state: 'running', outcome: 'leased' },
    ])
    release()
    const done = await service.call('POST', '/internal/social-actions:execute', { json: { operationId } })
    expect([done.status, done.data]).toEqual([
      200,
      { id: operationId, state: 'succeeded', outcome: 'accepted' },
    ])
    const again = await service.call('POST', path)
    expect([again.status, again.data]).toMatchObject([200, { outcome: 'finished' }])
    expect((await service.call('POST', '/internal/social-actions/nothing/execute')).status).toBe(404)
    const bad = await service.call('POST', '/internal/social-actions:execute', { json: {} })
    expect(bad.error.code).toBe('VALIDATION_FAILED')
  })

  it('reconcile stale posts, and no other', async () => {
    const service = await serviceClient(server)
    const { id } = await draft(client, { platform: 'bluesky', text: 'Lost' })
    const operationId = await approved(client, id)
    claimForTest(server, operationId, 'a-dead-appliance')
    const reconcile = async (json?: object) =>
      (await service.call('POST', '/internal/social-actions:reconcile', omitUndefined({ json }))).data
    expect(await reconcile()).toEqual({ examined: 0, requeued: 0, ended: 0 })
    time += 60_000 + 299_000
    expect(await reconcile()).toEqual({ examined: 0, requeued: 0, ended: 0 })
    time += 1000
    expect(await reconcile({ limit: 5, minimumAgeSeconds: 300 })).toEqual({
      examined: 1,
      requeued: 1,
      ended: 0,
    })
    time += 5000
    await carryOut(server)
    expect((await post(client, id)).status).toBe('success')
    const bad = await service.call('POST', '/internal/social-actions:reconcile', { json: { limit: 501 } })
    expect(bad.error.details?.['field']).toBe('limit')
  })
})
