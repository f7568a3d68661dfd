/** Webhooks: recipients, signatures, retries, and addresses that the appliance refuses to call. */
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWebhookSender, type WebhookSender } from '../../server/adapters/webhook-sender.ts'
import { EVENT_PATTERNS } from '../../server/contract/events.ts'
import { listDueDeliveries } from '../../server/db/webhooks.ts'
import { events, posts, webhookDeliveries, webhooks } from '../../server/db/schema.ts'
import {
  fateOf,
  MAX_ATTEMPTS,
  signWebhook,
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  replayDelivery,
} from '../../server/domain/webhooks/webhooks.ts'
import { newId } from '../../server/ids.ts'
import { startWebhookLoop, type WebhookLoop } from '../../server/jobs/webhook-loop.ts'
import { addCompany, addRun, addWorkflow, startTestServer, type TestServer } from '../support/server.ts'
import type { PostState } from '../../server/domain/publishing/action-rules.ts'

let time = Date.UTC(2026, 0, 1)
let server: TestServer
let receiver: Server
let address = ''
let answers: number[] = []
let received: { headers: IncomingHttpHeaders; body: string }[] = []
let loop: WebhookLoop | null = null

beforeEach(async () => {
  time = Date.UTC(2026, 0, 1)
  server = await startTestServer({ now: () => time })
  answers = []
  received = []
  receiver = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.writeHead(answers.shift() ?? 200, { location: '/elsewhere' }).end('ok')
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterEach(async () => {
  await loop?.stop()
  loop = null
  receiver.closeAllConnections()
  receiver.close()
  await server.close()
})

const start = (sender: WebhookSender = createWebhookSender('any')): WebhookLoop =>
  (loop = startWebhookLoop(server.services, sender, { pollMs: 3_600_000 }))
const create = (patterns: string[] = [], companyId = 'acme') =>
  createWebhook(server.services, { companyId, url: address, events: patterns })
const post = (status: PostState = 'draft', companyId = 'acme'): string => {
  const id = newId()
  const row = {
    id,
    companyId,
    platform: 'bluesky' as const,
    text: 'Hi',
    status,
    publishedAt: time,
    createdAt: time,
    updatedAt: time,
  }
  server.services.db.orm.insert(posts).values(row).run()
  return id
}

it('an unreachable receiver delays no other webhook, however many deliveries are pending', async () => {
  addCompany(server, 'rival')
  const away = 'http://127.0.0.1:9/away'
  createWebhook(server.services, { companyId: 'rival', url: away, events: [] })
  for (let at = 0; at < 210; at += 1) post('draft', 'rival')
  time += 1000
  create()
  const postId = post()
  const sent: string[] = []
  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => (letGo = resolve))
  const sender: WebhookSender = {
    send: async ({ url, body }) => {
      sent.push(url === away ? 'away' : (JSON.parse(body) as { subjectId: string }).subjectId)
      if (url === away) await held
      return 200
    },
    close: () => Promise.resolve(letGo()),
  }
  const ticking = start(sender).tick()
  await expect.poll(() => sent).toContain(postId)
  await loop?.stop()
  await ticking
})

it('finds due deliveries without reading all pending ones', () => {
  const { db } = server.services
  create()
  db.sqlite.transaction(() => {
    for (let at = 0; at < 5000; at += 1) post()
  })()
  const due = listDueDeliveries(db, time, { each: 8, limit: 200 })
  const oldest = db.orm
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .innerJoin(events, eq(events.id, webhookDeliveries.eventId))
    .orderBy(events.seq)
    .limit(8)
  expect(due.map(({ delivery }) => delivery.id)).toEqual(oldest.all().map(({ id }) => id))
  const least = (act: () => unknown): number =>
    Math.min(
      ...Array.from({ length: 9 }, () => {
        const began = performance.now()
        act()
        return performance.now() - began
      }),
    )
  const all = db.sqlite.prepare('select * from webhook_deliveries order by updated_at, id')
  const ours = least(() => listDueDeliveries(db, time, { each: 8, limit: 200 }))
  const floor = least(() => all.all())
  // Beside reading them all, which a look each second must not do.
  expect(ours).toBeLessThan(floor / 3)
})

describe('a webhook', () => {
  it('receives the events that it subscribed to, signed with its secret', async () => {
    const { webhook, secret } = create(['post.published', 'run.*'])
    expect(secret).toMatch(/^whsec_[\w-]{43}$/)
    post('draft')
    const postId = post('success')
    const runId = addRun(server, { workflowId: addWorkflow(server) })
    addCompany(server, 'rival')
    post('success', 'rival')
    await start().tick()
    expect(received.map(({ headers }) => headers['cutroom-event']).sort()).toEqual([
      'post.published',
      'run.queued',
    ])
    const reported = received.find(({ headers }) => headers['cutroom-event'] === 'post.published')
    const body = JSON.parse(reported?.body ?? '{}') as Record<string, unknown>
    expect(body).toEqual({
      id: expect.any(String) as string,
      type: 'post.published',
      companyId: 'acme',
      subjectId: postId,
      createdAt: new Date(time).toISOString(),
      data: { postId, platform: 'bluesky', state: 'success' },
    })
    const header = String(reported?.headers['cutroom-signature'])
    const seconds = Math.floor(time / 1000)
    // As anybody would check it who has read the guide, and nothing of ours.
    const hex = createHmac('sha256', secret)
      .update(`${seconds}.${reported?.body ?? ''}`)
      .digest('hex')
    expect(header).toBe(`t=${seconds},v1=${hex}`)
    const [published, queued] = listDeliveries(server.services, webhook.id, { limit: 10 }).sort((a, b) =>
      a.event.localeCompare(b.event),
    )
    expect(published).toMatchObject({
      event: 'post.published',
      subjectId: postId,
      state: 'delivered',
      attempts: 1,
      responseStatus: 200,
      nextAt: null,
    })
    expect(queued).toMatchObject({ event: 'run.queued', subjectId: runId })
    expect(reported?.headers['cutroom-delivery']).toBe(published?.id)
  })

  it('is retried after pauses, until the delivery is given up, and manually after that', async () => {
    const { webhook } = create()
    post()
    const going = start()
    answers = Array<number>(MAX_ATTEMPTS).fill(503)
    const seen = (): unknown => {
      const [one] = listDeliveries(server.services, webhook.id, { limit: 10 })
      return { state: one?.state, attempts: one?.attempts, answer: one?.responseStatus }
    }
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
      await going.tick()
      expect(seen()).toEqual({ state: 'queued', attempts: attempt, answer: 503 })
      const [one] = listDeliveries(server.services, webhook.id, { limit: 1 })
      const due = Date.parse(one?.nextAt ?? '')
      time = due - 1
      await going.tick()
      expect(received).toHaveLength(attempt)
      time = due
    }
    await going.tick()
    expect(seen()).toEqual({ state: 'dead', attempts: MAX_ATTEMPTS, answer: 503 })
    time += 10 * 86_400_000
    await going.tick()
    expect(received).toHaveLength(MAX_ATTEMPTS)
    const [dead] = listDeliveries(server.services, webhook.id, { state: 'dead', limit: 10 })
    replayDelivery(server.services, dead?.id ?? '')
    await going.tick()
    expect(seen()).toEqual({ state: 'delivered', attempts: 1, answer: 200 })
    expect(new Set(received.map(({ headers }) => headers['cutroom-delivery'])).size).toBe(1)
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
    expect(() => replayDelivery(server.services, 'none')).toThrow(/no delivery/)
  })

  it('is paused when its receiver responds 410, and continues after a replay', async () => {
    const { webhook } = create()
    post()
    const going = start()
    answers = [410]
    await going.tick()
    post()
    time += 86_400_000
    await going.tick()
    expect([received.length, listWebhooks(server.services, 'acme')[0]?.state]).toEqual([1, 'paused'])
    const [dead] = listDeliveries(server.services, webhook.id, { state: 'dead', limit: 10 })
    replayDelivery(server.services, dead?.id ?? '')
    await going.tick()
    expect([received.length, listWebhooks(server.services, 'acme')[0]?.state]).toEqual([2, 'active'])
  })

  it('follows no redirects, and receives no events from before it existed or after it was deleted', async () => {
    post()
    const { webhook } = create()
    const going = start()
    await going.tick()
    expect(received).toEqual([])
    answers = [302]
    post()
    await going.tick()
    expect(received).toHaveLength(1)
    expect(listDeliveries(server.services, webhook.id, { limit: 1 })[0]).toMatchObject({
      state: 'queued',
      responseStatus: 302,
    })
    deleteWebhook(server.services, webhook.id)
    time += 86_400_000
    post()
    await going.tick()
    expect(received).toHaveLength(1)
    expect(server.services.db.orm.select().from(webhookDeliveries).all()).toEqual([])
  })

  it('gets no second delivery during one in progress, and an interrupted delivery is retried', async () => {
    create()
    post()
    const sent: AbortSignal[] = []
    const hang: WebhookSender = {
      send: (_requested, signal) => {
        sent.push(signal)
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('cut off'))),
        )
      },
      close: () => Promise.resolve(),
    }
    const first = start(hang)
    void first.tick()
    void first.tick()
    expect(sent).toHaveLength(1)
    await first.stop()
    expect(server.services.db.orm.select().from(webhookDeliveries).get()).toMatchObject({
      state: 'queued',
      attempts: 0,
    })
    await start().tick()
    expect(received).toHaveLength(1)
  })
})

describe('addresses', () => {
  it('that are unreachable are reported by host name, however many addresses the name has', async () => {
    const url = address.replace('127.0.0.1', 'localhost')
    await new Promise((resolve) => receiver.close(resolve))
    const { webhook } = createWebhook(server.services, { companyId: 'acme', url, events: [] })
    post()
    await start().tick()
    expect(listDeliveries(server.services, webhook.id, { limit: 1 })[0]).toMatchObject({
      state: 'queued',
      responseStatus: null,
      error: `The server ${new URL(url).host} refuses connections.`,
    })
  })

  it('that the appliance may not connect to are refused, at creation and at delivery', async () => {
    for (const url of [
      'ftp://x.test/',
      'nothing',
      'http://u:p@x.test/',
      'http://169.254.169.254/latest',
      'http://[fe80::1]/',
      `http://x.test/${'a'.repeat(2000)}`,
    ])
      expect(() => createWebhook(server.services, { companyId: 'acme', url, events: [] })).toThrow(
        /webhook|connect/,
      )
    const strict = { ...server.services, config: { ...server.services.config, sources: 'public' as const } }
    expect(() => createWebhook(strict, { companyId: 'acme', url: address, events: [] })).toThrow(/connect/)
    const { webhook } = createWebhook(strict, {
      companyId: 'acme',
      url: address.replace('127.0.0.1', 'localhost'),
      events: [],
    })
    post()
    await start(createWebhookSender('public')).tick()
    expect(received).toEqual([])
    expect(listDeliveries(server.services, webhook.id, { limit: 1 })[0]?.error).toMatch(/does not fetch from/)
  })

  it('are accepted for known events of an existing company', () => {
    expect(() => create(['post.exploded'])).toThrow(/no events "post.exploded"/)
    expect(() => create([], 'nobody')).toThrow(/nobody/)
    for (const pattern of EVENT_PATTERNS) expect(create([pattern]).webhook.events).toEqual([pattern])
  })
})

it('seals secrets', () => {
  const { secret } = create()
  const stored = server.services.db.orm.select().from(webhooks).get()
  expect(stored?.sealedSecret).toMatch(/^v1\./)
  expect(JSON.stringify(listWebhooks(server.services, null))).not.toContain(secret)
  expect(JSON.stringify(stored)).not.toContain(secret.slice(6))
})

it('pauses a webhook whose secret cannot be opened instead of delivering unsigned', async () => {
  const { webhook } = create()
  server.services.db.orm
    .update(webhooks)
    .set({ sealedSecret: 'v1.AAAA' })
    .where(eq(webhooks.id, webhook.id))
    .run()
  post()
  await start().tick()
  expect(received).toEqual([])
  expect(listWebhooks(server.services, null)[0]?.state).toBe('paused')
})

it('deletes old events with their deliveries', async () => {
  create()
  post()
  const going = start()
  await going.tick()
  time += 13 * 86_400_000
  going.sweep()
  expect(server.services.db.orm.select().from(events).all()).toHaveLength(1)
  time += 2 * 86_400_000
  going.sweep()
  expect(server.services.db.orm.select().from(events).all()).toEqual([])
  expect(server.services.db.orm.select().from(webhookDeliveries).all()).toEqual([])
})

it('computes the same signature as other implementations', () => {
  // printf '1000.body' | openssl dgst -sha256 -hmac s
  expect(signWebhook('s', 1000, 'body')).toBe(
    't=1000,v1=1117425c55cd9f09b3efeefb2c8698e648e11a5329eda2d8d0bc02c0a56f32be',
  )
})

it('increases pauses up to a limit', () => {
  const states = Array.from({ length: MAX_ATTEMPTS }, (_, index) =>
    fateOf({ status: 500, error: '' }, index + 1, 0),
  )
  const pauses = states.flatMap((fate) => (fate.state === 'queued' ? [fate.availableAt] : []))
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b))
  expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThan(20 * 3_600_000)
  expect(states.at(-1)).toEqual({ state: 'dead', gone: false })
  expect(fateOf({ status: null, error: 'x' }, 1, 5)).toMatchObject({ state: 'queued' })
  expect(fateOf({ status: 204, error: null }, 8, 5)).toEqual({ state: 'delivered' })
})
