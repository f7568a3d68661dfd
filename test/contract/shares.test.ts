/** Share links: made in the studio, opened by reviewers, and closed to everything else. */
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createWebhookSender } from '../../server/adapters/webhook-sender.ts'
import type { ClipFeedback, ShareLinks, ShareMade, SharedView } from '../../server/contract/sharing.ts'
import { clips, events } from '../../server/db/schema.ts'
import { forgetCopiesOfClosedLinks, saveShareCopy } from '../../server/db/share-copies.ts'
import { resetAccess } from '../../server/domain/access/after-restore.ts'
import { registerMedia } from '../../server/domain/rendering/register-media.ts'
import { planRender } from '../../server/domain/rendering/render-clip.ts'
import { listDueCopies } from '../../server/domain/sharing/review-copies.ts'
import { createWebhook } from '../../server/domain/webhooks/webhooks.ts'
import { createApp } from '../../server/http/app.ts'
import { RAW_ROUTES } from '../../server/http/bridge.ts'
import { DOMAIN_ROUTES } from '../../server/http/tenant-api/routes.ts'
import { startWebhookLoop } from '../../server/jobs/webhook-loop.ts'
import { signInAs, type SignedIn } from '../support/people.ts'
import {
  addClip,
  addFacts,
  addMedia,
  addRun,
  addWorkflow,
  startTestServer,
  type TestAnswer,
  type TestServer,
} from '../support/server.ts'

const DAY = 86_400_000
const FILE = 'the whole rendered file'
let time = Date.UTC(2026, 5, 1)
let server: TestServer
let editor: SignedIn
let clipId: string
let otherClip: string
let mediaId: string

/** A clip as a render left it. */
async function rendered(): Promise<{ id: string; mediaId: string }> {
  const workflowId = addWorkflow(server)
  const runId = addRun(server, { workflowId })
  addFacts(server, runId)
  const media = await addMedia(server, 'clip.mp4', FILE)
  const id = addClip(server, { workflowId, runId, row: { renderedMedia: media.id } })
  const { renderKey } = planRender(server.services, id)
  server.services.db.orm.update(clips).set({ renderKey }).where(eq(clips.id, id)).run()
  return { id, mediaId: media.id }
}

beforeAll(async () => {
  server = await startTestServer({ now: () => time })
  editor = signInAs(server, 'editor', undefined, 'Ada of the studio')
  ;({ id: clipId, mediaId } = await rendered())
  ;({ id: otherClip } = await rendered())
})
afterAll(() => server.close())

const make = async (more: object = {}): Promise<ShareMade & { id: string; token: string }> => {
  const json = { title: 'For the client', clipIds: [clipId], ...more }
  const answer = await editor.call('/studio/shares', { json })
  expect(answer.status, answer.text).toBe(200)
  const made = answer.json<ShareMade>()
  const [, id = '', token = ''] = /#([\w-]+)\.([\w-]+)$/.exec(made.address) ?? []
  return { ...made, id, token }
}

/** A reviewer's browser: a cookie, and requests of the page of the link. */
function createReviewer(id: string) {
  let cookie = ''
  const call = (path: string, json?: object): Promise<TestAnswer> =>
    server.call(path, {
      key: null,
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
      ...(json === undefined ? {} : { json }),
    })
  return {
    call,
    open: async (token: string, password?: string): Promise<TestAnswer> => {
      const answer = await call(`/shared/links/${id}/open`, {
        token,
        ...(password === undefined ? {} : { password }),
      })
      cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? cookie
      return answer
    },
    view: () => call(`/shared/links/${id}`),
    comment: (json: object) => call(`/shared/links/${id}/comments`, { clipId, author: 'Rita', ...json }),
    decide: (json: object) => call(`/shared/links/${id}/decisions`, { clipId, reviewer: 'Rita', ...json }),
    cookie: () => cookie,
  }
}
const codeOf = (answer: TestAnswer): unknown => answer.json<{ code?: string }>().code
const links = async (): Promise<ShareLinks> => (await editor.call('/studio/shares')).json()

/** A receiver of webhooks, which checks each signature as the guide says. */
async function receiveEvents(secretOf: () => string) {
  const received: { type: string; data: Record<string, unknown>; signed: boolean }[] = []
  const receiver = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      const [, seconds = '', hex = ''] =
        /^t=(\d+),v1=([0-9a-f]+)$/.exec(String(request.headers['cutroom-signature'])) ?? []
      const expected = createHmac('sha256', secretOf()).update(`${seconds}.${body}`).digest('hex')
      received.push({
        ...(JSON.parse(body) as { type: string; data: Record<string, unknown> }),
        signed: hex === expected,
      })
      response.end()
    })
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  onTestFinished(() => void receiver.close())
  return { received, url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook` }
}

describe('what reviewers say', () => {
  it('goes to a webhook, signed, as documented', async () => {
    let secret = ''
    const { received, url } = await receiveEvents(() => secret)
    ;({ secret } = createWebhook(server.services, { companyId: 'acme', url, events: ['share.*'] }))
    const loop = startWebhookLoop(server.services, createWebhookSender('any'), { pollMs: 3_600_000 })
    onTestFinished(() => loop.stop())
    const { id: own } = await rendered()
    const { id, token } = await make({ clipIds: [own] })
    const rita = createReviewer(id)
    await rita.open(token)
    await rita.comment({ clipId: own, text: 'The logo is late', frame: 75 })
    await rita.decide({ clipId: own, decision: 'changes', note: 'Shorter, please' })
    await loop.tick()
    const said = received.toSorted((a, b) => a.type.localeCompare(b.type))
    expect(said).toMatchObject([
      {
        type: 'share.commented',
        signed: true,
        data: {
          shareId: id,
          clipId: own,
          by: 'reviewer',
          author: 'Rita',
          text: 'The logo is late',
          frame: 75,
        },
      },
      {
        type: 'share.decided',
        signed: true,
        data: { shareId: id, clipId: own, decision: 'changes', reviewer: 'Rita', note: 'Shorter, please' },
      },
    ])
    // All that is sent is in the guide's table; what has no value is left out.
    const guide = await readFile(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8')
    for (const { type, data } of said) {
      const row = guide.split('\n').find((line) => line.startsWith(`| \`${type}\``)) ?? ''
      const named = [...row.replace(/\([^)]*\)/g, '').matchAll(/`([\w.]+)`/g)]
        .map(([, name]) => name)
        .slice(1)
      expect(named).toEqual(expect.arrayContaining(Object.keys(data)))
    }
  })
})

describe('a share link', () => {
  it('shows its clips, and the file in parts, to whoever has it', async () => {
    const { id, token, link, address } = await make()
    expect(link).toMatchObject({ state: 'open', createdBy: 'Ada of the studio', openedAt: null })
    expect(new URL(address).pathname).toBe('/shared')
    const rita = createReviewer(id)
    const opened = await rita.open(token)
    expect(opened.status, opened.text).toBe(200)
    expect(opened.headers['set-cookie']?.[0]).toMatch(/; Path=\/shared; .*HttpOnly; SameSite=Strict/)
    const view = (await rita.view()).json<SharedView>()
    expect(view).toMatchObject({ title: 'For the client', by: 'Ada of the studio', comments: [] })
    const [shown] = view.clips
    expect(shown).toMatchObject({
      id: clipId,
      state: 'ready',
      media: `/shared/media/${id}/${clipId}/${mediaId}`,
    })
    const file = await rita.call(shown?.media ?? '')
    expect([file.status, file.text, file.headers['cache-control']]).toEqual([200, FILE, 'private, no-store'])
    const part = await server.call(shown?.media ?? '', {
      key: null,
      headers: { cookie: rita.cookie(), range: 'bytes=4-8' },
    })
    expect([part.status, part.text]).toEqual([206, FILE.slice(4, 9)])
    // Saving was not allowed.
    expect((await rita.call(`${shown?.media ?? ''}?save`)).status).toBe(404)
    const [listed] = (await links()).links
    expect(listed?.openedAt).toBe(new Date(time).toISOString())
    // Neither the token nor the cookie is written down anywhere.
    const stored = server.services.db.sqlite.prepare('select * from share_links').all()
    for (const text of [JSON.stringify(stored), JSON.stringify(server.log)]) expect(text).not.toContain(token)
  })

  it('lets files be saved where it says so', async () => {
    const { id, token } = await make({ download: true })
    const rita = createReviewer(id)
    await rita.open(token)
    const saved = await rita.call(`/shared/media/${id}/${clipId}/${mediaId}?save`)
    expect([saved.status, saved.headers['content-disposition']]).toEqual([
      200,
      expect.stringContaining('attachment'),
    ])
  })

  it('has a password where one was given, which cannot be tried for ever', async () => {
    expect(
      (await editor.call('/studio/shares', { json: { title: 'x', clipIds: [clipId], password: 'short' } }))
        .status,
    ).toBe(400)
    const { id, token, link } = await make({ password: 'heron at noon' })
    expect(link.hasPassword).toBe(true)
    const rita = createReviewer(id)
    expect([codeOf(await rita.open(token)), codeOf(await rita.open(token, 'wrong'))]).toEqual([
      'SHARE_PASSWORD_NEEDED',
      'SIGN_IN_REFUSED',
    ])
    expect(codeOf(await rita.view())).toBe('UNAUTHENTICATED')
    expect((await rita.open(token, 'heron at noon')).status).toBe(200)
    expect((await rita.view()).status).toBe(200)
    const guesser = createReviewer(id)
    const codes: unknown[] = []
    for (let n = 0; n < 14; n += 1) codes.push(codeOf(await guesser.open(token, `guess ${n}`)))
    expect(codes.at(-1)).toBe('RATE_LIMITED')
    const stored = JSON.stringify(server.services.db.sqlite.prepare('select * from share_links').all())
    expect(`${stored}${JSON.stringify(server.log)}`).not.toContain('heron')
    time += 20 * 60_000
  })

  it('closes when it is over or revoked, and for a wrong token: with one sentence', async () => {
    const { id, token } = await make({ days: 1 })
    const rita = createReviewer(id)
    expect([(await rita.open(`${token}x`)).status, codeOf(await rita.open(`${token}x`))]).toEqual([
      410,
      'SHARE_CLOSED',
    ])
    expect(codeOf(await createReviewer('no-such-link').open(token))).toBe('SHARE_CLOSED')
    await rita.open(token)
    time += DAY + 1
    const media = `/shared/media/${id}/${clipId}/${mediaId}`
    for (const answer of [await rita.view(), await rita.comment({ text: 'x' }), await rita.call(media)])
      expect([answer.status, codeOf(answer)]).toEqual([410, 'SHARE_CLOSED'])
    // Extended, it opens again; revoked, it never does.
    await editor.call(`/studio/shares/${id}`, { method: 'PATCH', json: { days: 3 } })
    expect((await rita.view()).status).toBe(200)
    await editor.call(`/studio/shares/${id}`, { method: 'DELETE' })
    for (const answer of [await rita.view(), await rita.call(media), await rita.open(token)])
      expect(answer.status).toBe(410)
    expect((await editor.call(`/studio/shares/${id}`, { method: 'PATCH', json: { days: 3 } })).status).toBe(
      409,
    )
    expect((await links()).links.find((one) => one.id === id)?.state).toBe('revoked')
  })

  it('opens nothing else: no other route of the appliance, no other clip, no other link', async () => {
    const { id, token } = await make()
    const other = await make({ clipIds: [otherClip] })
    const rita = createReviewer(id)
    await rita.open(token)
    expect((await rita.call(`/shared/links/${other.id}`)).status).toBe(401)
    expect((await rita.call(`/shared/media/${other.id}/${otherClip}/${mediaId}`)).status).toBe(401)
    expect((await rita.call(`/shared/media/${id}/${otherClip}/${mediaId}`)).status).toBe(404)
    expect((await rita.comment({ clipId: otherClip, text: 'x' })).status).toBe(404)
    const app = createApp(server.services, '0')
    const OPEN =
      /^\/(health|ready|public\/openapi\.json|shared\/.*|studio\/sign-in.*|studio\/social\/callback)$/
    const closed = [
      ...[...app.routes, ...RAW_ROUTES].map(({ method, path }) => ({
        method,
        path: path.replaceAll(/:\w+/g, clipId),
      })),
      ...DOMAIN_ROUTES.map(({ method, path }) => ({ method, path: path.replaceAll(/\{\w+\}/g, clipId) })),
    ].filter(({ path }) => !OPEN.test(path) && !path.includes('openapi.json') && path !== '/metrics')
    expect(closed.length).toBeGreaterThan(150)
    const reached: string[] = []
    for (const { method, path } of closed) {
      const answer = await server.call(path, {
        key: null,
        headers: { cookie: rita.cookie(), 'sec-fetch-site': 'same-origin', 'x-share-token': token },
        ...(method === 'GET' ? { method } : { method, json: {} }),
      })
      if (![401, 403, 404].includes(answer.status)) reached.push(`${method} ${path}: ${answer.status}`)
    }
    expect(reached).toEqual([])
  })

  it('is made by those who edit, of clips of their company only', async () => {
    const viewer = signInAs(server, 'viewer')
    expect((await viewer.call('/studio/shares', { json: { title: 'x', clipIds: [clipId] } })).status).toBe(
      403,
    )
    expect((await viewer.call('/studio/shares')).status).toBe(200)
    expect((await editor.call('/studio/shares', { json: { title: 'x', clipIds: ['none'] } })).status).toBe(
      404,
    )
    expect((await editor.call('/studio/shares', { json: { title: 'x', clipIds: [] } })).status).toBe(400)
  })
})

/** The copy of a link, as the operation leaves it. */
async function makeCopies(id: string, text: string): Promise<void> {
  const { services } = server
  for (const due of listDueCopies(services, planRender(services, id))) {
    const { file: path } = await addMedia(server, `copy-${due.key.slice(0, 8)}.mp4`, text)
    const media = { companyId: 'acme', clipId: id, path, name: 'clip.mp4', mediaType: 'video/mp4' }
    const copy = { key: due.key, mediaId: registerMedia(services, media) }
    const { linkId, watermark } = due
    saveShareCopy(services.db, { linkId, clipId: id, watermark, now: time }, copy)
    server.services.db.sqlite
      .prepare("update operations set state = 'succeeded' where kind = 'review_copy'")
      .run()
  }
}
/** An edit of the clip. */
function shorten(id: string): void {
  const { db } = server.services
  const [row] = db.orm.select().from(clips).where(eq(clips.id, id)).all()
  if (row === undefined) throw new Error('the clip is gone')
  const document = { ...row.document, segments: [{ startSeconds: 0, endSeconds: 2 }] }
  db.orm.update(clips).set({ document, renderKey: null }).where(eq(clips.id, id)).run()
}
const copiesInUse = (): unknown[] =>
  server.services.db.sqlite
    .prepare("select id from media where name = 'clip.mp4' and clip_id is not null")
    .all()

describe('a link with a watermark', () => {
  const MARK = 'For review · Acme'

  it('gives out its own copy and never the file of the clip', async () => {
    const { id: clipId, mediaId } = await rendered()
    const clipIds = [clipId]
    const { id, token, link } = await make({ clipIds, watermark: `  ${MARK}\n`, download: true })
    expect(link).toMatchObject({ watermark: MARK, rendering: 1 })
    const rita = createReviewer(id)
    await rita.open(token)
    // The clip is rendered; the copy is not.
    const before = (await rita.view()).json<SharedView>().clips[0]
    expect(before).toMatchObject({ state: 'rendering', media: null, progress: 0 })
    const own = `/shared/media/${id}/${clipId}/${mediaId}`
    const head = { key: null, method: 'HEAD', headers: { cookie: rita.cookie() } }
    const part = { key: null, headers: { cookie: rita.cookie(), range: 'bytes=0-3' } }
    const answers = [
      await rita.call(own),
      await rita.call(`${own}?save`),
      await server.call(own, head),
      await server.call(own, part),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    for (const { text } of answers) expect(text).not.toContain(FILE)
    expect((await rita.decide({ clipId, decision: 'approved' })).status).toBe(409)
    await makeCopies(clipId, 'the marked copy')
    const shown = (await rita.view()).json<SharedView>().clips[0]
    expect(shown).toMatchObject({ state: 'ready', progress: 1 })
    expect(shown?.media).not.toBe(own)
    const copy = shown?.media ?? ''
    expect((await rita.call(copy)).text).toBe('the marked copy')
    expect((await rita.call(`${copy}?save`)).text).toBe('the marked copy')
    expect((await server.call(copy, part)).text).toBe('the ')
    expect((await rita.call(own)).status).toBe(404)
    // A link without one shows the clip's file, and not the copy.
    const plain = await make({ clipIds })
    const paul = createReviewer(plain.id)
    await paul.open(plain.token)
    expect((await paul.view()).json<SharedView>().clips[0]?.media).toContain(mediaId)
    const other = copy.replace(id, plain.id)
    expect((await paul.call(other)).status).toBe(404)
  })

  it('takes decisions that grow old by the look of the clip, not by the text', async () => {
    const { id: own } = await rendered()
    const { id, token } = await make({ clipIds: [own], watermark: MARK })
    const rita = createReviewer(id)
    await rita.open(token)
    await makeCopies(own, 'first copy')
    const said = await rita.comment({ clipId: own, text: 'Here', frame: 75 })
    const { frameRate = 1 } = (await rita.view()).json<SharedView>().clips[0] ?? {}
    expect(said.json<{ comment: { seconds: number } }>().comment.seconds).toBeCloseTo(75 / frameRate, 2)
    await rita.decide({ clipId: own, decision: 'approved' })
    const outdated = async (): Promise<boolean[]> => {
      const seen = (await rita.view()).json<SharedView>().decisions
      const studio = (await editor.call(`/studio/shares/clips/${own}`)).json<ClipFeedback>().decisions
      return [...seen, ...studio].map((one) => one.outdated)
    }
    expect(await outdated()).toEqual([false, false])
    await editor.call(`/studio/shares/${id}`, { method: 'PATCH', json: { watermark: 'Another text' } })
    expect((await rita.view()).json<SharedView>().clips[0]).toMatchObject({ state: 'rendering', media: null })
    await makeCopies(own, 'second copy')
    expect(await outdated()).toEqual([false, false])
    shorten(own)
    expect(await outdated()).toEqual([true, true])
    // The copy shows what the clip was: it is made again.
    expect((await rita.view()).json<SharedView>().clips[0]).toMatchObject({ state: 'rendering', media: null })
  })

  it('loses its copies when it closes; those of another link stay', async () => {
    const { id: own } = await rendered()
    const before = copiesInUse().length
    const one = await make({ clipIds: [own], watermark: MARK, days: 1 })
    const two = await make({ clipIds: [own], watermark: 'Another', days: 1 })
    await makeCopies(own, 'a copy')
    expect(copiesInUse()).toHaveLength(before + 2)
    await editor.call(`/studio/shares/${one.id}`, { method: 'DELETE' })
    expect(copiesInUse()).toHaveLength(before + 1)
    forgetCopiesOfClosedLinks(server.services.db, time + DAY - 1)
    expect(copiesInUse()).toHaveLength(before + 1)
    forgetCopiesOfClosedLinks(server.services.db, time + DAY)
    expect(copiesInUse()).toHaveLength(before)
    expect((await links()).links.find(({ id }) => id === two.id)?.watermark).toBe('Another')
  })

  it('is given up with an empty text, and refuses one that shows nothing', async () => {
    const { id } = await make({ watermark: MARK })
    const change = (json: object) => editor.call(`/studio/shares/${id}`, { method: 'PATCH', json })
    expect((await change({})).status).toBe(400)
    expect((await change({ watermark: '…' })).status).toBe(400)
    expect((await change({ watermark: 'x'.repeat(81) })).status).toBe(400)
    expect((await change({ watermark: '' })).status).toBe(200)
    expect((await links()).links.find((one) => one.id === id)).toMatchObject({ watermark: null })
  })
})

describe('what reviewers say', () => {
  it('is tied to a frame, answered by the studio, resolved, and an event for webhooks', async () => {
    const { id, token } = await make()
    const rita = createReviewer(id)
    await rita.open(token)
    const before = (await links()).unseen
    const made = await rita.comment({ text: 'The logo is late', frame: 75 })
    expect(made.status, made.text).toBe(200)
    const { comment } = made.json<{ comment: { id: string; seconds: number } }>()
    const { frameRate = 0 } = (await rita.view()).json<SharedView>().clips[0] ?? {}
    expect(comment.seconds).toBeCloseTo(75 / frameRate, 2)
    expect((await links()).unseen).toBe(before + 1)
    const feedback = (await editor.call(`/studio/shares/clips/${clipId}`)).json<ClipFeedback>()
    expect(feedback.comments.at(-1)).toMatchObject({ author: 'Rita', frame: 75, text: 'The logo is late' })
    expect((await links()).unseen).toBeLessThan(before + 1)
    time += 1000
    await editor.call(`/studio/shares/comments/${comment.id}/answers`, {
      json: { text: 'Moved to the start' },
    })
    await editor.call(`/studio/shares/comments/${comment.id}/resolved`, {
      method: 'PUT',
      json: { resolved: true },
    })
    const seen = (await rita.view()).json<SharedView>().comments
    expect(seen).toMatchObject([
      { text: 'The logo is late', resolved: true },
      {
        text: 'Moved to the start',
        side: 'studio',
        author: 'Ada of the studio',
        replyTo: comment.id,
        frame: null,
      },
    ])
    const stored = server.services.db.orm
      .select()
      .from(events)
      .where(and(eq(events.type, 'share.commented'), eq(events.subjectId, clipId)))
      .all()
    expect(stored.map(({ data }) => [data['by'], data['text'], data['frame']])).toEqual([
      ['reviewer', 'The logo is late', 75],
      ['studio', 'Moved to the start', null],
    ])
    const wrong = [
      await rita.comment({ text: '' }),
      await rita.comment({ text: 'x', frame: -1 }),
      await rita.comment({ text: 'x', author: '' }),
    ]
    expect(wrong.map(({ status }) => status)).toEqual([400, 400, 400])
    expect((await rita.comment({ text: 'x', replyTo: 'none' })).status).toBe(404)
  })

  it('is a decision about the file that was seen: an edit afterwards makes it an old one', async () => {
    const { id, token } = await make()
    const rita = createReviewer(id)
    await rita.open(token)
    await rita.decide({ decision: 'changes', note: 'Shorter, please' })
    const after = (await rita.decide({ decision: 'approved' })).json<SharedView>()
    expect(after.decisions).toMatchObject([{ reviewer: 'Rita', decision: 'approved', outdated: false }])
    expect((await links()).links.find((one) => one.id === id)).toMatchObject({ approved: 1, changes: 0 })
    const decided = server.services.db.orm
      .select()
      .from(events)
      .where(and(eq(events.type, 'share.decided'), eq(events.subjectId, clipId)))
      .all()
    expect(decided.map(({ data }) => data['decision'])).toEqual(['changes', 'approved'])
    shorten(clipId)
    const { decisions } = (await editor.call(`/studio/shares/clips/${clipId}`)).json<ClipFeedback>()
    expect(decisions.at(-1)?.outdated).toBe(true)
    // What cannot be seen cannot be decided: it is rendered first.
    const unseen = await rita.decide({ decision: 'approved' })
    expect([unseen.status, codeOf(unseen)]).toEqual([409, 'INVALID_STATE'])
    expect((await rita.view()).json<SharedView>().clips[0]).toMatchObject({ state: 'rendering', media: null })
  })

  it('renders what failed once for each version, and shows the file of a clip whose run is gone', async () => {
    const workflowId = addWorkflow(server)
    const runId = addRun(server, { workflowId })
    addFacts(server, runId)
    const unrendered = addClip(server, { workflowId, runId })
    const media = await addMedia(server, 'old.mp4', FILE)
    const orphan = addClip(server, { workflowId, row: { renderedMedia: media.id } })
    const { id, token } = await make({ clipIds: [unrendered, orphan] })
    const rita = createReviewer(id)
    await rita.open(token)
    const states = async () => (await rita.view()).json<SharedView>().clips.map(({ state }) => state)
    expect(await states()).toEqual(['rendering', 'ready'])
    time += 1000
    const renders = () =>
      server.services.db.sqlite
        .prepare(`select state from operations where kind = 'render' and subject_id = ?`)
        .pluck()
        .all(unrendered)
    server.services.db.sqlite
      .prepare(`update operations set state = 'failed', updated_at = ? where subject_id = ?`)
      .run(time, unrendered)
    expect([await states(), await states()]).toEqual([
      ['failed', 'ready'],
      ['failed', 'ready'],
    ])
    expect(renders()).toEqual(['failed'])
    // Somebody changed it: it is tried again.
    server.services.db.orm
      .update(clips)
      .set({ updatedAt: time + 1 })
      .where(eq(clips.id, unrendered))
      .run()
    expect(await states()).toEqual(['rendering', 'ready'])
    expect(renders()).toHaveLength(2)
  })

  it('goes with its clip, and a restored backup revokes every link', async () => {
    const { id: own } = await rendered()
    const { id, token } = await make({ clipIds: [own, otherClip] })
    const rita = createReviewer(id)
    await rita.open(token)
    await rita.comment({ clipId: own, text: 'Gone soon' })
    await editor.call(`/studio/clips/${own}`, { method: 'DELETE' })
    const view = (await rita.view()).json<SharedView>()
    expect([view.clips.map((one) => one.id), view.comments]).toEqual([[otherClip], []])
    resetAccess(server.services.db, time)
    expect((await rita.view()).status).toBe(410)
  })
})
