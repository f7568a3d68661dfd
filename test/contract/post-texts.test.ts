/** GET /clips/{clipId}/post-texts and titleProposals over a real socket: proposals that can be drafted and edited as they are. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DomainClip } from '../../server/contract/tenant-api/clip.ts'
import type { PostText, SocialPost } from '../../server/contract/tenant-api/social.ts'
import { PLATFORMS } from '../../server/contract/post.ts'
import { createCompany } from '../../server/domain/people/companies.ts'
import { domainClient, type DomainClient } from '../support/domain.ts'
import { addClip, addWorkflow, startTestServer, type TestServer } from '../support/server.ts'

const TITLES = [
  { text: 'A cup moves in number twelve', from: 'model' as const },
  { text: 'You jump at number six', from: 'line' as const },
]
let server: TestServer
let client: DomainClient
let clipId = ''

beforeAll(async () => {
  server = await startTestServer()
  client = await domainClient(server)
  const document = { title: TITLES[1]?.text ?? '', titles: TITLES, keywords: ['terrace', 'cup'] }
  clipId = addClip(server, { workflowId: addWorkflow(server), document })
})
afterAll(() => server.close())

const readTexts = (query = '') => client.call<PostText[]>('GET', `/clips/${clipId}/post-texts${query}`)

it('proposes a text for each platform, or for those that are named', async () => {
  expect((await readTexts()).data.map(({ platform }) => platform)).toEqual([...PLATFORMS])
  const { data } = await readTexts('?platform=bluesky&platform=youtube')
  expect(data.map(({ platform, title }) => [platform, title])).toEqual([
    ['youtube', 'You jump at number six'],
    ['bluesky', null],
  ])
  expect((await readTexts('?platform=myspace')).status).toBe(400)
})

it('is drafted as it is on every platform, and changed there alone', async () => {
  for (const { hashtags: _tags, ...text } of (await readTexts()).data) {
    const made = await client.call<SocialPost>('POST', '/social/posts', {
      json: { ...text, clipId },
      once: `draft-${text.platform}`,
    })
    expect(made.status, made.text).toBe(201)
    expect(made.data).toMatchObject(text)
  }
  const all = await client.call<SocialPost[]>('GET', '/social/posts?platform=twitter')
  const [post] = all.data
  const held = await client.call<SocialPost>('GET', `/social/posts/${post?.id ?? ''}`)
  const changed = await client.call<SocialPost>('PATCH', `/social/posts/${post?.id ?? ''}`, {
    json: { text: 'Mine' },
    match: held.etag ?? '',
    once: 'change',
  })
  expect(changed.data.text).toBe('Mine')
  const other = await client.call<SocialPost[]>('GET', '/social/posts?platform=bluesky')
  expect(other.data[0]?.text).toContain('You jump at number six')
})

it('follows the title that was chosen of those that the clip proposes', async () => {
  const clip = await client.call<DomainClip>('GET', `/clips/${clipId}`)
  expect(clip.data.titleProposals).toEqual(TITLES)
  const json = { title: TITLES[0]?.text }
  await client.call('PATCH', `/clips/${clipId}`, { json, match: clip.etag ?? '', once: 'title' })
  expect((await readTexts('?platform=snapchat')).data[0]?.text).toMatch(/^A cup moves in number twelve/)
})

it('is for the company of the clip alone, and lacks nothing for clips of before', async () => {
  createCompany(server.services, { id: 'rival', name: 'Rival' })
  const rival = await domainClient(server, { companyId: 'rival' })
  expect((await rival.call('GET', `/clips/${clipId}/post-texts`)).status).toBe(404)
  const { workflowId } = (await client.call<DomainClip>('GET', `/clips/${clipId}`)).data
  const old = addClip(server, { workflowId })
  expect((await client.call<DomainClip>('GET', `/clips/${old}`)).data).not.toHaveProperty('titleProposals')
  const texts = await client.call<PostText[]>('GET', `/clips/${old}/post-texts?platform=linkedin`)
  expect(texts.data[0]).toMatchObject({ title: 'Why we switched', text: 'A short answer.\n\n#switch' })
})
