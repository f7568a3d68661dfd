/**
 * Every platform's adapter against a local server that responds as documented: published exactly once, whatever request
 * the appliance is killed at, or whichever response is lost; refusals reported; metrics; no secret in readable places.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PLATFORMS, type Platform } from '../../server/contract/post.ts'
import { ADAPTERS } from '../../server/adapters/social/registry.ts'
import { openDatabase } from '../../server/db/client.ts'
import { getAction } from '../../server/db/social-actions.ts'
import { socialAccounts, socialActions } from '../../server/db/schema.ts'
import type { SocialPost } from '../../server/contract/tenant-api/social.ts'
import type { Caller } from '../../server/domain/access/authorise.ts'
import { decideConfirmation } from '../../server/domain/operations/confirmations.ts'
import { preparePublish, publishPost } from '../../server/domain/publishing/actions.ts'
import { createDraft, readPost } from '../../server/domain/publishing/posts.ts'
import { issueDelegation } from '../../server/domain/access/delegations.ts'
import { storeAccount, withAccount } from '../../server/domain/publishing/accounts.ts'
import { socialRunner } from '../../server/domain/publishing/runner.ts'
import type { Services } from '../../server/domain/services.ts'
import type { Charge } from '../../server/domain/standby/shipping.ts'
import { bundledTools } from '../support/stage-harness.ts'
import { domainClient, type DomainClient } from '../support/domain.ts'
import { startFake, type Platformer } from '../support/fake-platforms.ts'
import { FAKES } from '../support/fakes.ts'
import { h264, makeMedia, picture, tone } from '../support/make-media.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { approved, carryOut, draft, post, renderedClip } from '../support/social.ts'

const START = Date.UTC(2026, 5, 1, 12)
const SECRET = 'token-that-nobody-may-see'
let time = START
let server: TestServer
let client: DomainClient
let clipId: string
let bytes: number
let folder: string
const fakes = {} as Record<Platform, Platformer>
const accounts = {} as Record<Platform, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-social-'))
  const { ffmpeg, ffprobe } = bundledTools()
  const args = [...picture(6, '576x1024', '10'), ...tone(6), ...h264(), '-shortest']
  const file = await makeMedia(folder, 'clip.mp4', args)
  bytes = (await stat(file)).size
  const addresses: Partial<Record<Platform, string>> = {}
  for (const platform of PLATFORMS) {
    fakes[platform] = await startFake(FAKES[platform], () => time)
    addresses[platform] = fakes[platform].url
  }
  const apps = Object.fromEntries(PLATFORMS.map((name) => [name, { clientId: 'app', clientSecret: SECRET }]))
  server = await startTestServer({
    now: () => time,
    config: { ffmpeg, ffprobe, social: { apps, addresses }, publicUrl: 'https://cutroom.test' },
  })
  // This tests the order of operations; durability of the disk is tested in other files.
  server.services.db.sqlite.pragma('synchronous = OFF')
  const domain = await domainClient(server)
  const { clientId } = domain
  // Hours pass in these tests: every call has a delegation of its own.
  const requested = { clientId, companyId: 'acme', subject: 'ada', lifeSeconds: 60 }
  client = {
    ...domain,
    call: async (method, path, request = {}) =>
      domain.call(method, path, { ...request, token: await issueDelegation(server.services, requested) }),
  }
  ;({ clipId } = await renderedClip(server, await readFile(file)))
  for (const platform of PLATFORMS)
    accounts[platform] = storeAccount(server.services, {
      companyId: 'acme',
      platform,
      identified: {
        nativeId: platform === 'bluesky' ? 'did:plc:me' : 'UCme',
        handle: '@me',
        tokens: { access: SECRET, refresh: SECRET },
      },
    }).id
}, 60_000)
afterAll(async () => {
  await Promise.all(Object.values(fakes).map((fake) => fake.close()))
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

let posts = 0
const fieldsOf = (platform: Platform) => ({
  platform,
  clipId,
  text: `Look at this ${++posts} #clip`,
  ...(ADAPTERS[platform].limits.title?.required === true ? { title: `Title ${posts}` } : {}),
})

/** Lets time pass until the action has ended: by another life of the appliance where `services` are other ones. */
async function untilEnded(services: Services, operationId: string): Promise<void> {
  const runner = socialRunner(services)
  for (let round = 0; round < 60; round++) {
    runner.tick()
    await runner.idle()
    const state = getAction(services.db, operationId)?.state
    if (state !== 'queued' && state !== 'running') return
    time += 20_000
  }
  throw new Error(`it has not ended: ${JSON.stringify(getAction(services.db, operationId))}`)
}

/** The same home in another process: nothing of this one's memory. */
const nextLife = (): Services => ({ ...server.services, db: { ...server.services.db } })

/** A life whose database is shipped where it waits for that, and only there; what was acknowledged is. */
function shipping() {
  const { db } = server.services
  let shipped = db.sqlite.serialize()
  const settled = (): Promise<void> => {
    shipped = db.sqlite.serialize()
    return Promise.resolve()
  }
  const charge = { settled } as unknown as Charge
  return { services: { ...nextLife(), charge }, shipped: () => shipped }
}

/** Another machine with a database that was shipped, and the same media. */
async function standbyOf(shipped: Buffer): Promise<Services> {
  const file = join(folder, `standby-${randomUUID()}.sqlite`)
  await writeFile(file, shipped)
  return { ...server.services, db: openDatabase(file) }
}

const caller: Caller = {
  companyId: 'acme',
  clientId: 'c',
  principalId: 'ada',
  via: 'delegation',
  scopes: null,
}

/** Drafted, approved and in the outbox: by the domain's functions, for there are many of these. */
function begun(platform: Platform, more: Record<string, unknown> = {}) {
  fakes[platform].reset()
  const { services } = server
  const made = createDraft(services, { caller, draft: { ...fieldsOf(platform), ...more } })
  const { id, text } = made.post
  const confirmation = preparePublish(services, { caller, id, baseUrl: '' })
  decideConfirmation(services, { caller, id: confirmation.id, decision: { decision: 'approve' } })
  const { id: operationId } = publishPost(services, { caller, id, confirmationId: confirmation.id })
  return { id, text, operationId }
}

const seen = (id: string): SocialPost => readPost(server.services, { caller, id }).post

describe.each(PLATFORMS)('%s', (platform) => {
  it('publishes the video with its text, and reports its address', async () => {
    const { id, operationId } = begun(platform)
    await untilEnded(server.services, operationId)
    const done = await post(client, id)
    expect([done.status, done.error]).toEqual(['success', null])
    expect(done.nativeId).not.toBeNull()
    expect(done.postUrl).toMatch(/^https:\/\//)
    const listed = (await server.call('/posts?companyId=acme')).json<{
      posts: { id: string; mediaUrl: string }[]
    }>()
    expect(listed.posts.find((one) => one.id === id)?.mediaUrl).toMatch(
      /^https:\/\/cutroom.test\/media\/.+mp4$/,
    )
    const [made, ...others] = fakes[platform].state.posts
    expect(others).toEqual([])
    if (platform === 'tiktok')
      expect(done.postUrl).toBe(`https://www.tiktok.com/@me/video/73012345678${made?.id.slice(-8) ?? ''}`)
    if (platform === 'youtube') expect(made?.text).toBe(done['title'])
    else expect(made?.text.replaceAll(/\{hashtag\|\\#\|(\w+)\}/g, '#$1')).toBe(done['text'])
    // Threads fetches it, and Snapchat's is padded by its cipher.
    if (platform === 'snapchat') expect(made?.bytes).toBe(bytes - (bytes % 16) + 16)
    else if (platform !== 'threads') expect(made?.bytes).toBe(bytes)
  })

  it.each([
    ['after the platform has done what it asks', 'hang'],
    ['before the platform gets it', 'drop'],
  ] as const)('is published once when the appliance is killed at any request, %s', async (_when, kind) => {
    for (let after = 0; ; after++) {
      const { id, operationId } = begun(platform)
      const fake = fakes[platform]
      fake.fault = { after, kind }
      const struck = fake.struck()
      const first = nextLife()
      const killed = untilEnded(first, operationId)
      const end = await Promise.race([struck.then(() => 'struck'), killed.then(() => 'ended')])
      if (end === 'ended') {
        expect(after).toBeGreaterThan(0)
        return
      }
      time += 61_000
      await untilEnded(nextLife(), operationId)
      const found = seen(id)
      expect([after, found.status, found.error]).toEqual([after, 'success', null])
      expect([after, fake.state.posts.length, found.nativeId !== null]).toEqual([after, 1, true])
      // What was killed wakes up again, and can change nothing any more.
      fake.release()
      await killed
      expect([fake.state.posts.length, seen(id)]).toEqual([1, found])
    }
  })

  it.each([
    ['after the platform has done what it asks', 'hang'],
    ['before the platform gets it', 'drop'],
  ] as const)('is published once when a standby takes over at any request, %s', async (_when, kind) => {
    for (let after = 0; ; after++) {
      const { id, operationId } = begun(platform)
      const fake = fakes[platform]
      fake.fault = { after, kind }
      const struck = fake.struck()
      const first = shipping()
      const killed = untilEnded(first.services, operationId)
      const end = await Promise.race([struck.then(() => 'struck'), killed.then(() => 'ended')])
      if (end === 'ended') {
        expect(after).toBeGreaterThan(0)
        return
      }
      time += 61_000
      // Of what was not shipped it knows nothing.
      const second = await standbyOf(first.shipped())
      try {
        await untilEnded(second, operationId)
        const found = readPost(second, { caller, id }).post
        expect([after, found.status, found.error]).toEqual([after, 'success', null])
        expect([after, fake.state.posts.length, found.nativeId !== null]).toEqual([after, 1, true])
      } finally {
        second.db.close()
        fake.release()
        await killed
      }
    }
  })

  it('is published once when any answer is lost on the way', async () => {
    for (let after = 0; ; after++) {
      const { id, operationId } = begun(platform)
      const fake = fakes[platform]
      fake.fault = { after, kind: 'cut' }
      await untilEnded(server.services, operationId)
      const found = seen(id)
      expect([after, found.status, fake.state.posts.length]).toEqual([after, 'success', 1])
      if (fake.fault !== null) return
    }
  })

  it('waits as long as the platform requires, and ends with a message when it refuses', async () => {
    const limited = begun(platform)
    const answer = { status: 429, headers: { 'retry-after': '120' }, json: { message: 'slow down' } }
    fakes[platform].instead.push(answer)
    await carryOut(server)
    const waiting = getAction(server.services.db, limited.operationId)
    expect([waiting?.state, (waiting?.availableAt ?? 0) - time, waiting?.attempts]).toEqual([
      'queued',
      120_000,
      0,
    ])
    time += 120_000
    await untilEnded(server.services, limited.operationId)
    expect((await post(client, limited.id)).status).toBe('success')
    const refused = begun(platform)
    const error = { code: 'file_format_check_failed', message: 'this is not a nice video' }
    fakes[platform].instead.push({
      status: 422,
      json: { error, message: error.message, detail: error.message, debug_message: error.message },
    })
    await carryOut(server)
    const failed = await post(client, refused.id)
    expect([failed.status, failed.error?.code]).toEqual(['error', 'VALIDATION_FAILED'])
    expect(failed.error?.message).toContain('not a nice video')
    expect((await client.call('GET', `/operations/${refused.operationId}`)).data).toMatchObject({
      state: 'failed',
    })
  })

  it('reports counters of posts, and leaves out deleted ones', async () => {
    const input = { companyId: 'acme', accountId: accounts[platform], signal: new AbortController().signal }
    const ids = ['71', 'gone']
    const found = await withAccount(server.services, input, (call) => ADAPTERS[platform].metrics(call, ids))
    expect([...found.keys()]).toEqual(['71'])
    const counters = found.get('71')
    expect((counters?.likes ?? 0) + (counters?.comments ?? 0)).toBeGreaterThan(0)
    expect(Object.keys(counters?.platformMetrics ?? {}).length).toBeGreaterThan(0)
  })

  it('deletes published posts where the platform can', async () => {
    const { id, operationId } = begun(platform, firstCommentOf(platform))
    await untilEnded(server.services, operationId)
    const { nativeId } = await post(client, id)
    const { comment, remove } = ADAPTERS[platform]
    if (comment !== null && !['instagram', 'threads', 'facebook'].includes(platform))
      expect(fakes[platform].state.comments.at(-1)).toEqual({ id: nativeId, text: 'First!' })
    if (remove === null) {
      const calls = await client.call('POST', `/social/posts/${id}:prepare-cancel`, { once: `c-${platform}` })
      expect([calls.status, calls.error.code]).toEqual([409, 'INVALID_STATE'])
      return
    }
    await approved(client, id, 'cancel')
    await carryOut(server)
    expect((await post(client, id)).status).toBe('cancelled')
    expect(fakes[platform].state.removed.at(-1)).toBe(
      platform === 'bluesky' ? nativeId?.split('/').at(-1) : nativeId,
    )
  })
})

const firstCommentOf = (platform: Platform) =>
  ADAPTERS[platform].comment === null ? {} : { firstComment: 'First!' }

describe('secrets of accounts', () => {
  it('are in no row, no log and no response', async () => {
    const rows = [
      ...server.services.db.orm.select().from(socialAccounts).all(),
      ...server.services.db.orm.select().from(socialActions).all(),
    ]
    const listed = await client.call('GET', '/social/accounts')
    expect(listed.data).toHaveLength(PLATFORMS.length)
    for (const text of [JSON.stringify(rows), JSON.stringify(server.log), listed.text]) {
      expect(text).not.toContain(SECRET)
      expect(text).not.toContain('/session/')
    }
    expect(rows.length).toBeGreaterThan(50)
  })

  it('are requested again when the platform no longer accepts them', async () => {
    const { id, operationId } = begun('threads')
    const ended = { status: 400, json: { error: { code: 190, message: 'Session has expired' } } }
    fakes.threads.instead.push(ended, { status: 400, json: { error: { message: 'no', code: 190 } } })
    await untilEnded(server.services, operationId)
    const failed = await post(client, id)
    expect([failed.status, failed.error?.code]).toEqual(['error', 'UNAUTHENTICATED'])
    expect(failed.error?.message).toContain('cutroom social connect')
    const { data } = await client.call<{ platform: string; state: string }[]>('GET', '/social/accounts')
    expect(data.find(({ platform }) => platform === 'threads')?.state).toBe('expired')
    const next = await draft(client, fieldsOf('threads'))
    const prepared = await client.call('POST', `/social/posts/${next.id}:prepare-publish`, {
      once: 'expired',
    })
    expect([prepared.status, prepared.error.code]).toEqual([409, 'INVALID_STATE'])
  })
})

it('a video that TikTok could not process is uploaded again, and each attempt counts', async () => {
  const { id, operationId } = begun('tiktok')
  await carryOut(server)
  time += 6000
  fakes.tiktok.instead.push({ json: { data: { status: 'FAILED', fail_reason: 'internal' } } })
  await carryOut(server)
  expect(getAction(server.services.db, operationId)).toMatchObject({ attempts: 1, sendingAt: null })
  await untilEnded(server.services, operationId)
  expect(seen(id).status).toBe('success')
  expect(fakes.tiktok.requests.filter((one) => one.endsWith('/init/'))).toHaveLength(2)
})

it('does not request the status of a post that a platform refused for now', async () => {
  const { id, operationId } = begun('twitter', { clipId: null })
  const { instead, requests, state } = fakes.twitter
  instead.push({ status: 429, headers: { 'retry-after': '60' }, json: { detail: 'Too Many Requests' } })
  await carryOut(server)
  expect(getAction(server.services.db, operationId)).toMatchObject({ state: 'queued', sendingAt: null })
  time += 60_000
  await untilEnded(server.services, operationId)
  expect([seen(id).status, state.posts.length]).toEqual(['success', 1])
  expect(requests).toEqual(['POST /2/tweets', 'POST /2/tweets'])
})

describe('two publishers at once', () => {
  it('one takes it, the other sees the lease', async () => {
    const { id, operationId } = begun('bluesky')
    const a = socialRunner(nextLife())
    const b = socialRunner(nextLife())
    const outcomes = await Promise.all([a.execute(operationId), b.execute(operationId)])
    expect(outcomes.sort()).toEqual(['accepted', 'leased'])
    expect([seen(id).status, fakes.bluesky.state.posts.length]).toEqual(['success', 1])
  })
})

describe('a cancel while it is under way', () => {
  it('takes effect as soon as the attempt ends, whatever its result', async () => {
    const { id, operationId } = begun('youtube')
    const fake = fakes.youtube
    fake.fault = { after: 0, kind: 'drop' }
    const struck = fake.struck()
    const runner = socialRunner(server.services)
    runner.tick()
    await struck
    const cancelling = await approved(client, id, 'cancel')
    expect(getAction(server.services.db, operationId)).toMatchObject({
      state: 'running',
      cancelRequested: true,
    })
    expect(await runner.execute(cancelling)).toBe('waiting')
    fake.release()
    await runner.idle()
    expect(getAction(server.services.db, operationId)?.state).toBe('cancelled')
    await carryOut(server)
    expect([seen(id).status, fake.state.posts]).toEqual(['cancelled', []])
  })
})

describe('a cancel while it is unknown whether the post was sent', () => {
  it.each([
    ['takes back what is there after all', true],
    ['ends without a post where nothing is there', false],
  ])('%s', async (_what, arrived) => {
    const { id, operationId } = begun('twitter', { clipId: null })
    const fake = fakes.twitter
    fake.state.removed.length = 0
    if (arrived) fake.fault = { after: 0, kind: 'cut' }
    else fake.instead.push({ status: 503, json: { detail: 'over capacity' } })
    await carryOut(server)
    expect(getAction(server.services.db, operationId)).toMatchObject({ state: 'queued', sendingAt: time })
    const cancelling = await approved(client, id, 'cancel')
    await untilEnded(server.services, cancelling)
    expect(seen(id).status).toBe('cancelled')
    expect(getAction(server.services.db, operationId)?.state).toBe(arrived ? 'succeeded' : 'cancelled')
    expect(fake.state.removed).toEqual(fake.state.posts.map((one) => one.id))
    expect(fake.state.posts).toHaveLength(arrived ? 1 : 0)
  })
})

describe('an account that ends after something was sent', () => {
  it('is connected again, and the post is found, not sent again', async () => {
    const { id } = begun('twitter', { clipId: null })
    const fake = fakes.twitter
    fake.fault = { after: 0, kind: 'cut' }
    await carryOut(server)
    time += 5000
    fake.instead.push({ status: 401, json: { detail: 'Unauthorized' } })
    await carryOut(server)
    const failed = seen(id)
    expect([failed.status, failed.error?.code]).toEqual(['error', 'UNAUTHENTICATED'])
    expect(failed.error?.message).toContain('may be there all the same')
    storeAccount(server.services, {
      companyId: 'acme',
      platform: 'twitter',
      identified: { nativeId: 'UCme', handle: '@me', tokens: { access: SECRET, refresh: SECRET } },
    })
    const again = await approved(client, id)
    await untilEnded(server.services, again)
    expect([seen(id).status, fake.state.posts.length]).toEqual(['success', 1])
  })
})

describe('a persistent failure', () => {
  it('ends after ten attempts, and reports the last error', async () => {
    const { id, operationId } = begun('twitter')
    const fake = fakes.twitter
    for (let n = 0; n < 40; n++) fake.instead.push({ status: 503, json: { detail: 'over capacity' } })
    await untilEnded(server.services, operationId).catch(() => untilEnded(server.services, operationId))
    const failed = await post(client, id)
    expect([failed.status, failed.error?.code]).toEqual(['error', 'INTERRUPTED'])
    expect(failed.error?.message).toMatch(/10 tries.*over capacity/)
    expect(fake.requests).toHaveLength(10)
    fake.instead.length = 0
    await approved(client, id)
    await carryOut(server)
    await untilEnded(server.services, (await post(client, id)).operationId ?? '')
    expect((await post(client, id)).status).toBe('success')
  })
})
