/** Where the public lists say that a published video is: what really went out, at the address that the request came to. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PostAnalyticsResponse, PostsResponse } from '../../server/contract/post.ts'
import { getClip } from '../../server/db/clips.ts'
import { saveClipEdit } from '../../server/db/edit-clips.ts'
import { clips, posts } from '../../server/db/schema.ts'
import { storeAccount } from '../../server/domain/publishing/accounts.ts'
import { socialRunner } from '../../server/domain/publishing/runner.ts'
import { mediaAddresses } from '../../server/domain/rendering/register-media.ts'
import { domainClient, type DomainClient } from '../support/domain.ts'
import { startFake, type Platformer } from '../support/fake-platforms.ts'
import { FAKES } from '../support/fakes.ts'
import { h264, makeMedia, picture, tone } from '../support/make-media.ts'
import {
  addClip,
  addFacts,
  addMedia,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'
import { approved, carryOut, draft, post, renderedClip } from '../support/social.ts'
import { bundledTools } from '../support/stage-harness.ts'

let server: TestServer
let client: DomainClient
let folder: string
let video: Buffer
let fake: Platformer
let meanwhile: () => void = () => undefined
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-published-'))
  const args = [...picture(4, '90x160', '10'), ...tone(4), ...h264(), '-shortest']
  video = await readFile(await makeMedia(folder, 'clip.mp4', args))
  fake = await startFake((request, state) => {
    meanwhile()
    return FAKES.facebook(request, state)
  }, Date.now)
  const { ffmpeg, ffprobe } = bundledTools()
  const social = { apps: {}, addresses: { facebook: fake.url } }
  server = await startTestServer({ config: { ffmpeg, ffprobe, social } })
  client = await domainClient(server)
  const identified = { nativeId: 'page', handle: '@me', tokens: { access: 'a', refresh: 'r' } }
  storeAccount(server.services, { companyId: 'acme', platform: 'facebook', identified })
})
afterAll(async () => {
  await server.close()
  await fake.close()
  await rm(folder, { recursive: true, force: true })
})

/** The post as both public routes present it, requested under a name of this machine. */
async function reported(id: string, name = '127.0.0.1') {
  const host = `${name}:${server.port}`
  const get = (path: string) => server.call(path, { headers: { host } })
  const list = (await get('/posts?companyId=acme')).json<PostsResponse>().posts
  const one = (await get(`/post-analytics?companyId=acme&postId=${id}`)).json<PostAnalyticsResponse>().post
  const { mediaUrl, thumbnailUrl } = list.find((each) => each.id === id) ?? {}
  expect([one.mediaUrl, one.thumbnailUrl]).toEqual([mediaUrl, thumbnailUrl])
  return { mediaUrl, thumbnailUrl }
}

const clipOf = (clipId: string) => getClip(server.services.db, 'acme', clipId)

it('is on the host of the request, whatever the appliance listens on', async () => {
  const { clipId } = await renderedClip(server)
  const { renderedMedia, renderedThumbnailMedia } = clipOf(clipId) ?? {}
  const { id } = await draft(client, { platform: 'tiktok', clipId, text: 'A package' })
  await approved(client, id)
  await carryOut(server)
  for (const name of ['127.0.0.1', 'localhost']) {
    const { mediaUrl, thumbnailUrl } = await reported(id, name)
    const ids = [renderedMedia, renderedThumbnailMedia]
    const address = mediaAddresses(server.services, `http://${name}:${server.port}`, ids)
    expect([mediaUrl, thumbnailUrl]).toEqual(ids.map(address))
  }
  const address = new URL((await reported(id)).mediaUrl ?? '')
  expect((await server.call(address.pathname)).text).toBe('a video')
  // As earlier versions stored it.
  const stored = { mediaUrl: 'http://0.0.0.0:4810/media/x/clip.mp4', thumbnailUrl: null }
  server.services.db.orm.update(posts).set(stored).where(eq(posts.id, id)).run()
  expect(await reported(id)).toEqual(stored)
})

it('is the uploaded video, although the clip was changed during the upload', async () => {
  const { clipId } = await renderedClip(server, video)
  const { renderedMedia } = clipOf(clipId) ?? {}
  const { id } = await draft(client, { platform: 'facebook', clipId, text: 'Sent' })
  await approved(client, id)
  meanwhile = () =>
    saveClipEdit(server.services.db, { companyId: 'acme', clipId, clearRender: true, now: Date.now() })
  await carryOut(server)
  meanwhile = () => undefined
  expect([(await post(client, id)).status, fake.state.posts.length]).toEqual(['success', 1])
  expect(clipOf(clipId)?.renderedMedia).toBeNull()
  const address = mediaAddresses(server.services, '', [renderedMedia])(renderedMedia)
  expect((await reported(id)).mediaUrl).toMatch(new RegExp(`${address ?? 'none'}$`))
})

it('is never unapproved: a clip that is changed while it is rendered for its post is not sent', async () => {
  const workflowId = addWorkflow(server)
  const runId = addRun(server, { workflowId })
  addFacts(server, runId)
  const clipId = addClip(server, { workflowId, runId })
  const { id } = await draft(client, { platform: 'tiktok', clipId, text: 'Changed' })
  await approved(client, id)
  const runner = socialRunner(server.services)
  runner.tick()
  await expect.poll(() => server.jobs.waiting.length).toBeGreaterThan(0)
  const document = clipOf(clipId)?.document
  if (document === undefined) throw new Error('the clip is gone')
  const cut = { ...document, endTimestamp: document.endTimestamp - 1 }
  server.services.db.orm.update(clips).set({ document: cut, revision: 2 }).where(eq(clips.id, clipId)).run()
  const { id: mediaId } = await addMedia(server, 'clip.mp4', 'other')
  const settled = { state: 'succeeded', result: { mediaId }, failure: null } as const
  server.jobs.settle(server.jobs.waiting.at(-1) ?? '', settled)
  await runner.idle()
  const refused = await post(client, id)
  expect([refused.status, refused.error?.code]).toEqual(['error', 'INVALID_STATE'])
  expect(refused.error?.message).toContain('changed after the post was approved')
})
