/** Edits of many clips: made clip by clip, and taken back as one where nobody has changed a clip since. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClipEditMade, ClipEditUndone } from '../../server/contract/clip-edits.ts'
import { clipEditParts, clips } from '../../server/db/schema.ts'
import { deleteClip } from '../../server/domain/clips/update-clip.ts'
import { signInAs, type SignedIn } from '../support/people.ts'
import {
  addClip,
  addCompany,
  addFacts,
  addRun,
  addWorkflow,
  startTestServer,
  type TestAnswer,
  type TestServer,
} from '../support/server.ts'

let server: TestServer
let editor: SignedIn
let clipIds: string[]

beforeAll(async () => {
  server = await startTestServer()
  editor = signInAs(server, 'editor', undefined, 'Ada of the studio')
  const workflowId = addWorkflow(server)
  clipIds = ['one', 'two', 'three'].map((title) => {
    const runId = addRun(server, { workflowId })
    addFacts(server, runId)
    return addClip(server, { workflowId, runId, document: { title }, row: { title } })
  })
})
afterAll(() => server.close())

const codeOf = (answer: TestAnswer): unknown => answer.json<{ code?: string }>().code
const documentOf = (clipId: string) => {
  const row = server.services.db.orm.select().from(clips).where(eq(clips.id, clipId)).get()
  if (row === undefined) throw new Error('no such clip')
  const { editedBy: _by, earlierRenders: _renders, ...document } = row.document
  return document
}
const parts = () => server.services.db.orm.select().from(clipEditParts).all()
const styled = (preset: string) => [{ name: 'caption_style', arguments: { preset } }]
const shaped = (ratio: string) => [{ name: 'aspect', arguments: { ratio } }]
const edit = (clipId: string, calls: unknown, editId = 'edit-of-many') =>
  editor.call(`/studio/clips/${clipId}/edits`, { json: { editId, calls } })
const undo = async (editId = 'edit-of-many') => {
  const answer = await editor.call(`/studio/clip-edits/${editId}/undo`, { json: {} })
  expect(answer.status, answer.text).toBe(200)
  return answer.json<ClipEditUndone>()
}
/** As another person, in the clip editor. */
async function retitle(clipId: string, title: string): Promise<void> {
  const { etag } = (await editor.call(`/studio/clips/${clipId}/editor`)).json<{ etag: string }>()
  const json = { etag, updates: { title } }
  expect((await editor.call(`/studio/clips/${clipId}`, { method: 'PATCH', json })).status).toBe(200)
}

describe('an edit of many clips', () => {
  it('is taken back from all but one that was changed since, which is named', async () => {
    const [first = '', second = '', third = ''] = clipIds
    const before = clipIds.map(documentOf)
    for (const id of clipIds) {
      expect((await edit(id, styled('karaoke'))).json<ClipEditMade>()).toEqual({ state: 'done', why: null })
      expect(documentOf(id).subtitleConfig).toMatchObject({ styleId: 'karaoke' })
    }
    expect((await edit(first, styled('karaoke'))).json()).toEqual({ state: 'unchanged', why: null })
    await retitle(second, 'Changed by somebody')
    expect(await undo()).toEqual({
      restored: [first, third],
      left: [{ clipId: second, title: 'Changed by somebody' }],
    })
    expect([documentOf(first), documentOf(third)]).toEqual([before[0], before[2]])
    expect(documentOf(second).subtitleConfig).toMatchObject({ styleId: 'karaoke' })
    expect(await undo()).toEqual({ restored: [], left: [] })
  })

  it('of two things is taken back to the state before the first', async () => {
    const [first = ''] = clipIds
    const before = documentOf(first)
    await edit(first, styled('pill'))
    await edit(first, shaped('1:1'))
    expect(documentOf(first).aspectRatio).toBe('1:1')
    expect(await undo()).toEqual({ restored: [first], left: [] })
    expect(documentOf(first)).toEqual(before)
  })

  it('leaves a clip that was changed between the two', async () => {
    const [, , third = ''] = clipIds
    await edit(third, styled('pill'))
    await retitle(third, 'In between')
    await edit(third, shaped('1:1'))
    expect(await undo()).toEqual({ restored: [], left: [{ clipId: third, title: 'In between' }] })
    expect(documentOf(third)).toMatchObject({ title: 'In between', aspectRatio: '1:1' })
  })

  it('says what cannot be done, and leaves the clip as it is', async () => {
    const [, , third = ''] = clipIds
    const before = documentOf(third)
    const why = 'The picture is 1:1 already.'
    expect((await edit(third, shaped('1:1'))).json()).toEqual({ state: 'refused', why })
    expect(documentOf(third)).toEqual(before)
    for (const calls of [[], undefined, [{ name: 'undo', arguments: {} }], shaped('7:3')])
      expect(codeOf(await edit(third, calls))).toBe('INVALID_REQUEST')
    expect(codeOf(await edit(third, styled('pop'), 'short'))).toBe('INVALID_REQUEST')
    expect(codeOf(await edit('another', styled('pop')))).toBe('CLIP_NOT_FOUND')
    expect(parts()).toEqual([])
  })

  it('is not made by those who only look, and not undone by another company', async () => {
    const [first = ''] = clipIds
    const viewer = signInAs(server, 'viewer', undefined, 'Vic')
    const json = { editId: 'edit-of-viewer', calls: styled('pop') }
    expect(codeOf(await viewer.call(`/studio/clips/${first}/edits`, { json }))).toBe('ROLE_NOT_ALLOWED')
    await edit(first, styled('neon'))
    addCompany(server, 'other')
    const stranger = signInAs(server, 'editor', 'other', 'Sam')
    const theirs = await stranger.call('/studio/clip-edits/edit-of-many/undo', { json: {} })
    expect(theirs.json()).toEqual({ restored: [], left: [] })
    expect(documentOf(first).subtitleConfig).toMatchObject({ styleId: 'neon' })
  })

  it('forgets a clip with the clip, and everything after a day', async () => {
    const { companyId, services } = server
    const [first = '', second = ''] = clipIds
    await edit(second, styled('pill'))
    expect(parts()).toHaveLength(2)
    deleteClip(services, { companyId, clipId: first })
    expect(parts()).toHaveLength(1)
    services.db.orm
      .update(clipEditParts)
      .set({ createdAt: services.now() - 25 * 3_600_000 })
      .run()
    await edit(second, styled('pop'), 'another-edit')
    expect(parts().map(({ editId }) => editId)).toEqual(['another-edit'])
  })
})
