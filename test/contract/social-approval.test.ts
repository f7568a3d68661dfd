/** What an approval of a post is good for: once, and for what was approved of the post and of its clip. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClipDocument } from '../../server/contract/clip.ts'
import { getClip } from '../../server/db/clips.ts'
import { saveClipEdit, saveClipWords } from '../../server/db/edit-clips.ts'
import { clips, clipTranscripts, confirmations, socialActions } from '../../server/db/schema.ts'
import { storeAccount } from '../../server/domain/publishing/accounts.ts'
import { updateClip, type ClipUpdate } from '../../server/domain/clips/update-clip.ts'
import { listWaiting } from '../../server/domain/operations/confirmations.ts'
import { domainClient, type DomainClient } from '../support/domain.ts'
import { sampleDocument } from '../support/sample-document.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { approved, carryOut, draft, once, post, renderedClip } from '../support/social.ts'

let time = Date.UTC(2026, 5, 1, 12)
let server: TestServer
let client: DomainClient
beforeAll(async () => {
  server = await startTestServer({ now: () => time })
  client = await domainClient(server)
})
afterAll(() => server.close())

interface Confirmed {
  readonly id: string
  readonly state: string
}

async function prepared(id: string, verb: 'publish' | 'cancel' = 'publish', decision?: 'approve') {
  const path = `/social/posts/${id}:prepare-${verb}`
  const { data } = await client.call<Confirmed>('POST', path, { once: once() })
  if (decision !== undefined) expect(await decide(data.id)).toBe(200)
  return data.id
}

/** 200, or the code of the refusal. */
async function decide(id: string) {
  const json = { decision: 'approve' }
  const { status, error } = await client.call('POST', `/confirmations/${id}:decide`, { json, once: once() })
  return status === 200 ? 200 : error.code
}

/** 202, or the code of the refusal. */
async function use(id: string, confirmationId: string, verb = 'publish', by = client) {
  const request = { json: { confirmationId }, once: once() }
  const { status, error } = await by.call('POST', `/social/posts/${id}:${verb}`, request)
  return status === 202 ? 202 : error.code
}

const stateOf = async (id: string) => (await client.call<Confirmed>('GET', `/confirmations/${id}`)).data.state

async function patch(id: string, json: object) {
  const path = `/social/posts/${id}`
  const { etag } = await client.call('GET', path)
  expect((await client.call('PATCH', path, { json, match: etag, once: once() })).status).toBe(200)
}

describe('a confirmation that was used', () => {
  it('is reported as used to its client, whatever state the post has by then', async () => {
    const { id } = await draft(client, { platform: 'bluesky', text: 'Once' })
    const other = await draft(client, { platform: 'bluesky', text: 'Other' })
    const stranger = await domainClient(server, { clientId: 'stranger' })
    const yes = await prepared(id, 'publish', 'approve')
    expect(await use(id, yes)).toBe(202)
    for (const status of ['publishing', 'success']) {
      expect((await post(client, id)).status).toBe(status)
      expect(await use(id, yes)).toBe('CONFIRMATION_CONSUMED')
      expect(await use(id, yes, 'publish', stranger)).toBe('INVALID_STATE')
      expect(await use(other.id, yes)).toBe('CONFIRMATION_MISMATCH')
      expect(await use(id, yes, 'cancel')).toBe('CONFIRMATION_MISMATCH')
      await carryOut(server)
    }
    const no = await prepared(id, 'cancel', 'approve')
    expect(await use(id, no, 'cancel')).toBe(202)
    expect(await use(id, no, 'cancel')).toBe('CONFIRMATION_CONSUMED')
    await carryOut(server)
    expect((await post(client, id)).status).toBe('cancelled')
    expect(await use(id, no, 'cancel')).toBe('CONFIRMATION_CONSUMED')
  })

  it('is reported as used for a post that is a draft again', async () => {
    const scheduledAt = new Date(time + 60_000).toISOString()
    const { id } = await draft(client, { platform: 'bluesky', text: 'Later', scheduledAt })
    const yes = await prepared(id, 'publish', 'approve')
    expect(await use(id, yes)).toBe(202)
    await patch(id, { text: 'Changed' })
    expect(await use(id, yes)).toBe('CONFIRMATION_CONSUMED')
    expect(await stateOf(yes)).toBe('consumed')
  })
})

describe('a change of a draft', () => {
  const waiting = () =>
    listWaiting(server.services, { companyId: 'acme' }).map(({ confirmation }) => confirmation.id)

  it('voids the post’s prepared and approved confirmations, and none of another post', async () => {
    const { id } = await draft(client, { platform: 'bluesky', text: 'Before' })
    const other = await draft(client, { platform: 'bluesky', text: 'Other' })
    const open = await prepared(id)
    const yes = await prepared(id, 'publish', 'approve')
    const theirs = await prepared(other.id)
    await patch(id, { text: 'After' })
    expect([await stateOf(open), await stateOf(yes), await stateOf(theirs)]).toEqual([
      'expired',
      'expired',
      'pending',
    ])
    expect(await decide(open)).toBe('CONFIRMATION_EXPIRED')
    expect(waiting()).toEqual([theirs])
    // It was of another revision.
    expect([await use(id, yes), await use(id, open)]).toEqual([
      'CONFIRMATION_MISMATCH',
      'CONFIRMATION_MISMATCH',
    ])
    await approved(client, id)
    await carryOut(server)
    expect(await post(client, id)).toMatchObject({ status: 'success', text: 'After' })
    expect(await decide(theirs)).toBe(200)
    expect(await use(other.id, theirs)).toBe(202)
  })

  it('voids nothing when it is refused, and its deletion does', async () => {
    const { id } = await draft(client, { platform: 'bluesky', text: 'Draft' })
    const yes = await prepared(id, 'publish', 'approve')
    const path = `/social/posts/${id}`
    const { etag } = await client.call('GET', path)
    const wrong = { json: { text: 'x'.repeat(400) }, match: etag, once: once() }
    expect((await client.call('PATCH', path, wrong)).status).toBe(400)
    expect(await stateOf(yes)).toBe('approved')
    expect((await client.call('DELETE', path)).status).toBe(200)
    expect([await stateOf(yes), await use(id, yes)]).toEqual(['expired', 'NOT_FOUND'])
  })
})

/** A rendered clip with these fields and a word of its own. */
async function clipWith(changes: Partial<ClipDocument> = {}): Promise<string> {
  const { clipId } = await renderedClip(server)
  const { orm } = server.services.db
  orm
    .update(clips)
    .set({ document: sampleDocument(changes) })
    .where(eq(clips.id, clipId))
    .run()
  const words = [{ word: 'Hello', start: 11, end: 12 }]
  orm
    .insert(clipTranscripts)
    .values({ clipId, origin: 'speech', language: 'en', words, updatedAt: time })
    .run()
  return clipId
}

const update = (clipId: string, edit: Omit<ClipUpdate, 'companyId' | 'clipId' | 'merge'>) =>
  updateClip(server.services, { companyId: 'acme', clipId, merge: true, ...edit })

/** One post whose confirmation is approved, and one that waits for its scheduled time. */
async function approvedPosts(clipId: string) {
  const open = await draft(client, { platform: 'tiktok', clipId, text: 'Open' })
  const confirmationId = await prepared(open.id, 'publish', 'approve')
  const scheduledAt = new Date(time + 60_000).toISOString()
  const later = await draft(client, { platform: 'tiktok', clipId, text: 'Later', scheduledAt })
  return { open: open.id, confirmationId, later: later.id, operationId: await approved(client, later.id) }
}

const DESIGN = { moment: 12, clipLayers: true, items: [] }
const REFUSED = 'The clip was changed after the post was approved. Look at it and approve the post again.'
const ends = async (id: string) => {
  const { status, error } = await post(client, id)
  return status === 'error' ? error?.message : status
}

describe('an approval of a clip', () => {
  it('stays valid when the clip is labelled, renamed or changed back: nothing of that is published', async () => {
    storeAccount(server.services, {
      companyId: 'acme',
      platform: 'facebook',
      identified: { nativeId: 'page', handle: '@me', tokens: { access: 'a', refresh: 'r' } },
    })
    const clipId = await clipWith()
    const { revision } = getClip(server.services.db, 'acme', clipId) ?? {}
    const packages = await approvedPosts(clipId)
    const scheduledAt = new Date(time + 300 * 86_400_000).toISOString()
    const sent = await draft(client, { platform: 'facebook', clipId, text: 'By an account', scheduledAt })
    const yes = await prepared(sent.id, 'publish', 'approve')
    await update(clipId, { body: { bio: 'Another', keywords: ['other'], people: ['Bob'] }, tags: ['best'] })
    await update(clipId, { body: {}, overrides: { speakers: ['Bob'] } })
    await update(clipId, { body: { startTimestamp: 11 } })
    await update(clipId, { body: { startTimestamp: 10 } })
    expect(getClip(server.services.db, 'acme', clipId)?.revision).toBe((revision ?? 0) + 4)
    expect(await use(packages.open, packages.confirmationId)).toBe(202)
    // Accounts are given the video and the post's own words.
    await update(clipId, { body: { title: 'Renamed' }, overrides: { thumbnail: DESIGN } })
    expect(await use(sent.id, yes)).toBe(202)
  })

  it('lets a scheduled post be published although the clip was labelled since', async () => {
    const clipId = await clipWith()
    const { later } = await approvedPosts(clipId)
    await update(clipId, { body: { bio: 'Another' }, tags: ['best'] })
    time += 60_000
    await carryOut(server)
    expect(await ends(later)).toBe('success')
  })

  it.each<[string, Partial<ClipDocument>, Omit<ClipUpdate, 'companyId' | 'clipId' | 'merge'>]>([
    ['its cut', {}, { body: { startTimestamp: 11 } }],
    ['its segments', {}, { body: { segments: [{ startSeconds: 0, endSeconds: 5 }] } }],
    ['a config', {}, { body: { titleConfig: { text: 'Shown' } } }],
    ['a title that is shown', { titleConfig: {} }, { body: { title: 'Other' } }],
    ['the title of a package', {}, { body: { title: 'Other' } }],
    ['highlighted keywords', { subtitleConfig: { highlightKeywords: true } }, { body: { keywords: ['a'] } }],
    [
      'keywords that are zoomed at',
      { nodes: [{ id: 'z', type: 'smart_zoom', enabled: true, config: {} }] },
      { body: { keywords: ['a'] } },
    ],
    ['the thumbnail of a package', {}, { body: {}, overrides: { thumbnail: DESIGN } }],
  ])('ends with a change of %s', async (_what, before, edit) => {
    const clipId = await clipWith(before)
    const { open, confirmationId, later } = await approvedPosts(clipId)
    await update(clipId, edit)
    expect(await use(open, confirmationId)).toBe('CONFIRMATION_MISMATCH')
    time += 60_000
    await carryOut(server)
    expect(await ends(later)).toBe(REFUSED)
  })

  it('ends with a change of its words', async () => {
    const clipId = await clipWith()
    const { open, confirmationId, later } = await approvedPosts(clipId)
    saveClipWords(server.services.db, clipId, [{ word: 'Goodbye', start: 11, end: 12 }], time)
    expect(await use(open, confirmationId)).toBe('CONFIRMATION_MISMATCH')
    time += 60_000
    await carryOut(server)
    expect(await ends(later)).toBe(REFUSED)
  })

  it.each([
    ['revisions', { clipRevision: 1, transcriptRevision: 1 }, 'success'],
    ['a digest of another form', { clipRevision: 1, transcriptRevision: 1, published: '0:x' }, 'success'],
    ['other revisions', { clipRevision: 2, transcriptRevision: 1 }, REFUSED],
    ['nothing that can be compared', {}, REFUSED],
  ])('of another version of the program holds as its %s require', async (_what, payload, outcome) => {
    const clipId = await clipWith()
    const { open, confirmationId, later, operationId } = await approvedPosts(clipId)
    const { orm } = server.services.db
    orm.update(confirmations).set({ payload }).where(eq(confirmations.id, confirmationId)).run()
    orm.update(socialActions).set({ approved: payload }).where(eq(socialActions.id, operationId)).run()
    const good = outcome === 'success'
    expect(await use(open, confirmationId)).toBe(good ? 202 : 'CONFIRMATION_MISMATCH')
    if (good) saveClipEdit(server.services.db, { companyId: 'acme', clipId, clearRender: false, now: time })
    time += 60_000
    await carryOut(server)
    // Edited since, in whatever: that version knew no better.
    expect([await ends(open), await ends(later)]).toEqual([good ? REFUSED : 'draft', REFUSED])
  })
})
