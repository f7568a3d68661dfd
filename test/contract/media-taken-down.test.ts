/** A deleted clip takes its addresses along, whoever else has the file; everybody else's go on. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ShareMade } from '../../server/contract/sharing.ts'
import { getMedia } from '../../server/db/media.ts'
import { clips, media, posts } from '../../server/db/schema.ts'
import { planRender } from '../../server/domain/rendering/render-clip.ts'
import { registerMedia } from '../../server/domain/rendering/register-media.ts'
import { newId } from '../../server/ids.ts'
import { signInAs, type SignedIn } from '../support/people.ts'
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
let editor: SignedIn
beforeAll(async () => {
  server = await startTestServer()
  editor = signInAs(server, 'editor')
})
afterAll(() => server.close())

const FILES = ['video.mp4', 'still.jpg', 'extended.mp4', 'thumbnail.jpg', 'words.json', 'source.mp4'] as const
type Files = Readonly<Record<(typeof FILES)[number], string>>

/** Files that several clips have, as runs with the same result leave them. */
async function sharedFiles(): Promise<Files> {
  const made = await Promise.all(
    FILES.map(async (name) => [name, (await addMedia(server, name, `bytes of ${name}`)).file] as const),
  )
  return Object.fromEntries(made) as Files
}

/** A rendered clip whose addresses are its own; `own: false`: as earlier versions of the program stored them. */
function clipWith(files: Files, own = true): string {
  const workflowId = addWorkflow(server)
  const runId = addRun(server, { workflowId })
  addFacts(server, runId)
  const id = addClip(server, { workflowId, runId })
  const add = (name: (typeof FILES)[number]): string =>
    registerMedia(server.services, {
      companyId: server.companyId,
      ...(own ? { clipId: id } : {}),
      path: files[name],
      name,
      mediaType: 'video/mp4',
    })
  const { orm } = server.services.db
  const [row] = orm.select().from(clips).where(eq(clips.id, id)).all()
  if (row === undefined) throw new Error('no clip')
  const names = {
    extended: add('extended.mp4'),
    thumbnail: add('thumbnail.jpg'),
    transcript: add('words.json'),
    source: add('source.mp4'),
  }
  const document = { ...row.document, media: names }
  const renders = { renderedMedia: add('video.mp4'), renderedThumbnailMedia: add('still.jpg') }
  orm
    .update(clips)
    .set({ document, ...renders })
    .where(eq(clips.id, id))
    .run()
  orm
    .update(clips)
    .set({ renderKey: planRender(server.services, id).renderKey })
    .where(eq(clips.id, id))
    .run()
  return id
}

/** Every address of this appliance's files in an answer. */
const addressesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/https?:\/\/[^"]+?(\/media\/[^"]+)/g)].map(([, path = '']) => path)),
]

/** All that the APIs and the studio give away of a clip. */
async function addressesOf(clipId: string): Promise<string[]> {
  const answers = await Promise.all([
    server.call(`/clip?clipId=${clipId}&companyId=${server.companyId}`),
    server.call('/render', { json: { clipId, companyId: server.companyId } }),
    editor.call(`/studio/clips/${clipId}/editor`),
    editor.call(`/studio/clips/${clipId}/renders`),
  ])
  for (const answer of answers) expect(answer.status, answer.text).toBe(200)
  return [...new Set(answers.flatMap(({ text }) => addressesIn(text)))]
}

const statuses = async (paths: readonly string[]): Promise<number[]> =>
  Promise.all(paths.map(async (path) => (await server.call(path, { key: null })).status))
const all = (status: number, paths: readonly string[]): number[] => paths.map(() => status)

const remove = async (clipId: string): Promise<void> => {
  const answer = await editor.call(`/studio/clips/${clipId}`, { method: 'DELETE' })
  expect(answer.status, answer.text).toBe(200)
}

describe('a deleted clip', () => {
  it('answers 404 at every address that was given away, at once, while a clip with the same files plays', async () => {
    const files = await sharedFiles()
    const clip = clipWith(files)
    const other = clipWith(files)
    const gone = await addressesOf(clip)
    const staying = await addressesOf(other)
    expect(gone.length).toBeGreaterThanOrEqual(FILES.length)
    expect(gone.filter((path) => staying.includes(path))).toEqual([])
    expect(await statuses([...gone, ...staying])).toEqual(all(200, [...gone, ...staying]))
    await remove(clip)
    expect(await statuses(gone)).toEqual(all(404, gone))
    for (const method of ['GET', 'HEAD'])
      expect((await server.call(gone[0] ?? '', { method, headers: { range: 'bytes=0-1' } })).status).toBe(404)
    expect(await statuses(staying)).toEqual(all(200, staying))
    expect(await addressesOf(other)).toEqual(staying)
  })

  it('is in no cache for longer than a minute', async () => {
    const [path = ''] = await addressesOf(clipWith(await sharedFiles()))
    const cached = (await server.call(path, { key: null })).headers['cache-control'] ?? ''
    expect(Number(/max-age=(\d+)/.exec(cached)?.[1])).toBeLessThanOrEqual(60)
    expect(cached).toContain('must-revalidate')
  })

  it('answers 404 also where files had one address for all clips; the others get new ones', async () => {
    const files = await sharedFiles()
    const clip = clipWith(files, false)
    const other = clipWith(files, false)
    const gone = await addressesOf(clip)
    expect(await addressesOf(other)).toEqual(gone)
    await remove(clip)
    expect(await statuses(gone)).toEqual(all(404, gone))
    const after = await addressesOf(other)
    expect(after).toHaveLength(gone.length)
    expect(await statuses(after)).toEqual(all(200, after))
  })

  it('leaves posts, without addresses', async () => {
    const clip = clipWith(await sharedFiles())
    const [row] = server.services.db.orm.select().from(clips).where(eq(clips.id, clip)).all()
    const stored = getMedia(server.services.db, row?.renderedMedia ?? '')
    const post = {
      companyId: server.companyId,
      clipId: clip,
      platform: 'youtube' as const,
      text: 'Hello',
      status: 'success' as const,
      mediaUrl: `/media/${stored?.id ?? ''}/video.mp4`,
      publishedAt: 1,
      createdAt: 1,
      updatedAt: 1,
    }
    server.services.db.orm
      .insert(posts)
      .values({ id: newId(), ...post })
      .run()
    const listed = async () =>
      (await server.call(`/posts?clipId=${clip}&companyId=${server.companyId}`)).json<{
        posts: { mediaUrl: string | null }[]
      }>().posts
    const [before] = await listed()
    expect(before?.mediaUrl).toContain(`/media/${stored?.token ?? ''}/video.mp4`)
    await remove(clip)
    expect((await listed()).map(({ mediaUrl }) => mediaUrl)).toEqual([null])
  })

  it('is in no share link, by no address', async () => {
    const clip = clipWith(await sharedFiles())
    const json = { title: 'For the client', clipIds: [clip] }
    const { address } = (await editor.call('/studio/shares', { json })).json<ShareMade>()
    const [, id = '', token = ''] = /#([\w-]+)\.([\w-]+)$/.exec(address) ?? []
    const headers = { 'sec-fetch-site': 'same-origin' }
    const opened = await server.call(`/shared/links/${id}/open`, { key: null, headers, json: { token } })
    const cookie = opened.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    const seen = async () =>
      server.call(`/shared/links/${id}`, { key: null, headers: { ...headers, cookie } })
    const { clips: shown } = (await seen()).json<{ clips: { media: string }[] }>()
    const path = shown[0]?.media ?? ''
    expect((await server.call(path, { key: null, headers: { cookie } })).status).toBe(200)
    // What a reviewer reads of the file is no address: it would outlive the link.
    expect(await statuses([`/media/${path.split('/').at(-1) ?? ''}/video.mp4`])).toEqual([404])
    await remove(clip)
    expect((await server.call(path, { key: null, headers: { cookie } })).status).toBe(404)
    expect((await seen()).json<{ clips: unknown[] }>().clips).toEqual([])
  })

  it('gets no address any more from work that was still going on', async () => {
    const files = await sharedFiles()
    const clip = clipWith(files)
    await remove(clip)
    const late = {
      companyId: server.companyId,
      clipId: clip,
      path: files['video.mp4'],
      name: 'late.mp4',
      mediaType: 'video/mp4',
    }
    expect(() => registerMedia(server.services, late)).toThrow(/clip/i)
    const rows = server.services.db.orm.select().from(media).where(eq(media.name, 'late.mp4')).all()
    expect(rows).toEqual([])
  })
})
