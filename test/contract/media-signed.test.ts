/** Addresses of files that are signed and end, and all addresses of one clip that are ended at once. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { clips, idempotentAnswers } from '../../server/db/schema.ts'
import { mediaAddresses, registerMedia } from '../../server/domain/rendering/register-media.ts'
import { eq } from 'drizzle-orm'
import { signInAs, type SignedIn } from '../support/people.ts'
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

const HOUR = 3_600_000
const START = Date.UTC(2026, 5, 1)
let time = START
let signed: TestServer
let open: TestServer
let editor: SignedIn
let client: DomainClient
beforeAll(async () => {
  signed = await startTestServer({ now: () => time, config: { mediaLinks: 'signed' } })
  open = await startTestServer({ now: () => time })
  editor = signInAs(signed, 'editor')
  client = await domainClient(signed)
})
afterEach(() => void (time = START))
afterAll(async () => {
  await signed.close()
  await open.close()
})

/** A clip with a finished video and a thumbnail of its own. */
async function renderedClip(server: TestServer): Promise<string> {
  const workflowId = addWorkflow(server)
  const runId = addRun(server, { workflowId })
  addFacts(server, runId)
  const clipId = addClip(server, { workflowId, runId })
  const { companyId } = server
  const { file } = await addMedia(server, 'video.mp4', '0123456789')
  const add = (name: string): string =>
    registerMedia(server.services, { companyId, clipId, path: file, name, mediaType: 'video/mp4' })
  const { orm } = server.services.db
  const [row] = orm.select().from(clips).where(eq(clips.id, clipId)).all()
  if (row === undefined) throw new Error('no clip')
  const document = { ...row.document, media: { thumbnail: add('thumbnail.jpg'), extended: add('long.mp4') } }
  orm
    .update(clips)
    .set({ document, renderedMedia: add('video.mp4') })
    .where(eq(clips.id, clipId))
    .run()
  return clipId
}

const pathsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/https?:\/\/[^"]+?(\/media\/[^"]+)/g)].map(([, path = '']) => path)),
]

async function addressesOf(clipId: string): Promise<string[]> {
  const answers = [
    await signed.call(`/clip?clipId=${clipId}&companyId=${signed.companyId}`),
    await editor.call(`/studio/clips/${clipId}/editor`),
    await editor.call('/studio/clips'),
    await client.call('GET', `/clips/${clipId}`),
    await client.call('GET', '/clips'),
  ]
  return answers.flatMap(({ status, text }) => {
    expect(status, text).toBe(200)
    const paths = pathsIn(text)
    expect(paths).not.toEqual([])
    return paths
  })
}

const get = (server: TestServer, path: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.call(path, { method, headers, key: null })

describe('signed addresses', () => {
  it('are given away by every answer, and open, whole, in part and for HEAD', async () => {
    const paths = await addressesOf(await renderedClip(signed))
    for (const path of paths) {
      expect(path).toMatch(/\?expires=\d+&signature=[\w-]{43}$/)
      expect((await get(signed, path)).text).toBe('0123456789')
    }
    const [path = ''] = paths
    const part = await get(signed, path, { range: 'bytes=2-4' })
    expect([part.status, part.text]).toEqual([206, '234'])
    const head = await get(signed, path, {}, 'HEAD')
    expect([head.status, head.headers['content-length']]).toEqual([200, '10'])
    expect(part.headers['cache-control']).toContain('private')
  })

  it('open for a day at least, and then 403; a new answer has one that opens', async () => {
    const clipId = await renderedClip(signed)
    const [path = ''] = await addressesOf(clipId)
    time += 24 * HOUR - 1000
    expect((await get(signed, path)).status).toBe(200)
    time += 2 * HOUR
    for (const method of ['GET', 'HEAD']) expect((await get(signed, path, {}, method)).status).toBe(403)
    expect((await get(signed, path, { range: 'bytes=0-1' })).json()['code']).toBe('MEDIA_LINK_ENDED')
    const again =
      pathsIn((await signed.call(`/clip?clipId=${clipId}&companyId=${signed.companyId}`)).text)[0] ?? ''
    expect((await get(signed, again)).status).toBe(200)
  })

  it('are made anew where an answer is sent again for its key, also after they were revoked', async () => {
    const clipId = await renderedClip(signed)
    const { etag } = await client.call('GET', `/clips/${clipId}`)
    const patch = async () => {
      const answer = await client.call('PATCH', `/clips/${clipId}`, {
        json: { title: 'Told twice' },
        match: etag,
        once: `patch-${clipId}`,
      })
      expect(answer.status, answer.text).toBe(200)
      return answer
    }
    const first = await patch()
    // As long as the delegation lives.
    time += HOUR / 2
    const [old = ''] = pathsIn(first.text)
    expect(pathsIn((await patch()).text)[0]).not.toBe(old)
    expect((await get(signed, old)).status).toBe(200)
    await editor.call(`/studio/clips/${clipId}/addresses/revoke`, { method: 'POST' })
    expect((await get(signed, old)).status).toBe(404)
    const again = await patch()
    expect(again.headers['idempotency-replayed']).toBe('true')
    const paths = pathsIn(again.text)
    expect(paths).toHaveLength(pathsIn(first.text).length)
    for (const path of paths) expect((await get(signed, path)).text).toBe('0123456789')
    const { orm } = signed.services.db
    expect(JSON.stringify(orm.select().from(idempotentAnswers).all())).not.toMatch(/signature=/)
  })

  it('open nothing without their signature, with another moment, or with that of another file', async () => {
    const [one = '', other = ''] = await addressesOf(await renderedClip(signed))
    const [bare = '', query = ''] = one.split('?')
    const later = query.replace(/expires=(\d+)/, (_all, at: string) => `expires=${Number(at) + 1}`)
    const wrong = [
      bare,
      `${bare}?${later}`,
      `${bare}?${other.split('?')[1] ?? ''}`,
      `${bare}?${query.slice(0, -1)}`,
      `${bare}?expires=1e99&signature=x`,
      `${bare}?${query.split('&')[0] ?? ''}`,
    ]
    expect(other.startsWith(bare)).toBe(false)
    for (const path of wrong) expect([path, (await get(signed, path)).status]).toEqual([path, 403])
  })

  it('may be asked to open for longer, for platforms that fetch a video by themselves', async () => {
    const media = await addMedia(signed, 'sent.mp4', 'sent')
    const path = mediaAddresses(signed.services, '', [media.id], 48 * 3600)(media.id) ?? ''
    time += 47 * HOUR
    expect((await get(signed, path)).status).toBe(200)
    time += 4 * HOUR
    expect((await get(signed, path)).status).toBe(403)
  })
})

describe('open addresses', () => {
  it('have no query, do not end, and ignore one that was added', async () => {
    const media = await addMedia(open, 'clip.mp4', 'open')
    expect(media.path).not.toContain('?')
    time += 365 * 24 * HOUR
    expect((await get(open, media.path)).text).toBe('open')
    expect((await get(open, `${media.path}?expires=1&signature=old`)).text).toBe('open')
  })
})

describe('addresses of a clip that are revoked', () => {
  it('answer 404, all of them; what is read of the clip has new ones, and other clips keep theirs', async () => {
    const clipId = await renderedClip(signed)
    const other = await addressesOf(await renderedClip(signed))
    const own = async () => pathsIn((await editor.call(`/studio/clips/${clipId}/editor`)).text)
    const before = await own()
    const revoked = await editor.call(`/studio/clips/${clipId}/addresses/revoke`, { method: 'POST' })
    expect(revoked.status, revoked.text).toBe(200)
    for (const path of before) expect((await get(signed, path)).status).toBe(404)
    const after = await own()
    expect([after.length, after.filter((path) => before.includes(path))]).toEqual([before.length, []])
    for (const path of [...after, ...other.slice(0, 1)]) expect((await get(signed, path)).status).toBe(200)
  })

  it('take a person who may edit, and a clip of their company', async () => {
    const viewer = signInAs(signed, 'viewer')
    const clipId = await renderedClip(signed)
    const path = `/studio/clips/${clipId}/addresses/revoke`
    expect((await viewer.call(path, { method: 'POST' })).status).toBe(403)
    const none = await editor.call('/studio/clips/none/addresses/revoke', { method: 'POST' })
    expect([none.status, none.json()['code']]).toEqual([404, 'CLIP_NOT_FOUND'])
  })
})
