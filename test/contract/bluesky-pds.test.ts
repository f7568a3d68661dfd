/** Bluesky's adapter against a real server of the AT Protocol, from connecting by app password to taking a post back. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getAction } from '../../server/db/social-actions.ts'
import { socialAccounts } from '../../server/db/schema.ts'
import { issueDelegation } from '../../server/domain/access/delegations.ts'
import { connectByPassword } from '../../server/domain/publishing/connect.ts'
import { domainClient, type DomainClient } from '../support/domain.ts'
import { h264, makeMedia, picture, tone } from '../support/make-media.ts'
import { lossyProxy, startPds, whyNoPds, type RealPds } from '../support/pds.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { approved, carryOut, draft, post, renderedClip } from '../support/social.ts'
import { bundledTools } from '../support/stage-harness.ts'

if (whyNoPds !== null) console.warn(whyNoPds)

describe.skipIf(whyNoPds !== null)('Bluesky', () => {
  let late = 0
  let pds: RealPds
  let proxy: Awaited<ReturnType<typeof lossyProxy>>
  let server: TestServer
  let client: DomainClient
  let clipId: string
  let video: Buffer
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cutroom-bluesky-'))
    const file = await makeMedia(folder, 'clip.mp4', [...picture(2), ...tone(2), ...h264(), '-shortest'])
    video = await readFile(file)
    pds = await startPds()
    proxy = await lossyProxy(pds.url)
    server = await startTestServer({
      now: () => Date.now() + late,
      config: { ...bundledTools(), social: { apps: {}, addresses: { bluesky: proxy.url } } },
    })
    const domain = await domainClient(server)
    const requested = { clientId: domain.clientId, companyId: 'acme', subject: 'ada', lifeSeconds: 60 }
    client = {
      ...domain,
      call: async (method, path, request = {}) =>
        domain.call(method, path, { ...request, token: await issueDelegation(server.services, requested) }),
    }
    ;({ clipId } = await renderedClip(server, video))
  }, 120_000)
  afterAll(async () => {
    await server.close()
    await proxy.close()
    await pds.close()
    await rm(folder, { recursive: true, force: true })
  })

  const connect = (password: string) =>
    connectByPassword(server.services, {
      companyId: 'acme',
      platform: 'bluesky',
      handle: `@${pds.handle}`,
      password,
      server: pds.url,
      signal: AbortSignal.timeout(60_000),
    })

  const POSTS = 'app.bsky.feed.post'
  async function records(): Promise<{ uri: string; value: Record<string, unknown> }[]> {
    const answer = await pds.get('com.atproto.repo.listRecords', { repo: pds.did, collection: POSTS })
    return ((await answer.json()) as { records: { uri: string; value: Record<string, unknown> }[] }).records
  }

  it('connects an account by handle and app password, and reports a wrong password without showing it', async () => {
    const wrong = connect('not-the-app-password')
    await expect(wrong).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    await expect(wrong).rejects.not.toThrow(/not-the-app-password/)
    const account = await connect(pds.appPassword)
    expect(account).toMatchObject({
      platform: 'bluesky',
      handle: pds.handle,
      nativeId: pds.did,
      state: 'connected',
    })
    expect((await connect(pds.appPassword)).id).toBe(account.id)
    const rows = JSON.stringify(server.services.db.orm.select().from(socialAccounts).all())
    expect([rows.includes(pds.appPassword), rows.includes('eyJ')]).toEqual([false, false])
  })

  it('publishes a clip once although the response is lost, comments on it, and deletes it', async () => {
    const text = 'Grüße aus dem Studio 🎬 #podcast https://example.com/talk'
    const { id } = await draft(client, { platform: 'bluesky', clipId, text, firstComment: 'More soon' })
    const operationId = await approved(client, id)
    proxy.loses = 'com.atproto.repo.putRecord'
    await carryOut(server)
    expect(getAction(server.services.db, operationId)).toMatchObject({ state: 'queued', attempts: 1 })
    expect(await records()).toHaveLength(1)
    late += 10_000
    await carryOut(server)
    const done = await post(client, id)
    expect([done.status, done.error, done.note]).toEqual(['success', null, null])
    expect(done.postUrl).toMatch(new RegExp(`^https://bsky.app/profile/${pds.handle}/post/[2-7a-z]{13}$`))
    const all = await records()
    const [made, ...others] = all.filter(({ value }) => value['reply'] === undefined)
    expect([others, made?.uri]).toEqual([[], done.nativeId])
    const record = made?.value as {
      text: string
      facets: { index: { byteStart: number; byteEnd: number }; features: { $type: string }[] }[]
      embed: { $type: string; video: { ref: { $link: string }; size: number }; aspectRatio: object }
    }
    expect(record).toMatchObject({
      text,
      embed: { $type: 'app.bsky.embed.video', aspectRatio: { width: 320, height: 180 } },
    })
    const marked = record.facets.map(({ index }) =>
      Buffer.from(text).subarray(index.byteStart, index.byteEnd).toString(),
    )
    expect(marked).toEqual(['#podcast', 'https://example.com/talk'])
    const blob = await pds.get('com.atproto.sync.getBlob', {
      did: pds.did,
      cid: record.embed.video.ref.$link,
    })
    expect(Buffer.from(await blob.arrayBuffer()).equals(video)).toBe(true)
    const [reply] = all.filter(({ value }) => value['reply'] !== undefined)
    expect(reply?.value).toMatchObject({ text: 'More soon', reply: { root: { uri: done.nativeId } } })
    expect(proxy.seen.filter((name) => name.endsWith('putRecord'))).toHaveLength(1)
    await approved(client, id, 'cancel')
    await carryOut(server)
    expect((await post(client, id)).status).toBe('cancelled')
    expect((await records()).filter(({ value }) => value['reply'] === undefined)).toEqual([])
  })

  it('renews an expired token before it is used', async () => {
    const sealed = () => server.services.db.orm.select().from(socialAccounts).all()[0]?.sealedTokens
    const before = sealed()
    late += 3 * 3_600_000
    const { id } = await draft(client, { platform: 'bluesky', text: 'Three hours later' })
    await approved(client, id)
    await carryOut(server)
    expect((await post(client, id)).status).toBe('success')
    expect(proxy.seen).toContain('com.atproto.server.refreshSession')
    expect(sealed()).not.toBe(before)
    expect((await records()).map(({ value }) => value['text'])).toContain('Three hours later')
  })
})
