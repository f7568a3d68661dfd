/** Metadata of clients on runs and clips: bounded, stored, answered everywhere, and in webhooks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { advanceRun } from '../../server/db/runs.ts'
import { domainClient, type DomainClient } from '../support/domain.ts'
import { addClip, addRun, addWorkflow, startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let workflowId: string
let domain: DomainClient
beforeAll(async () => {
  server = await startTestServer()
  workflowId = addWorkflow(server)
  domain = await domainClient(server)
})
afterAll(() => server.close())

const trigger = (metadata: unknown, headers: Readonly<Record<string, string>> = {}) =>
  server.call('/trigger-template', {
    json: { companyId: 'acme', workflowId, url: 'https://example.com/talk.mp4', metadata },
    headers,
  })
const started = async (metadata: unknown): Promise<string> =>
  (await trigger(metadata)).json<{ triggerId: string }>().triggerId
const listed = async (query: string): Promise<string[]> => {
  const answer = await server.call(`/workflow-results?companyId=acme${query}`)
  return answer.json<{ runs: { triggerId: string }[] }>().runs.map(({ triggerId }) => triggerId)
}
const eventsOf = (subjectId: string): { type: string; data: Record<string, unknown> }[] =>
  server.services.db.sqlite
    .prepare<[string], { type: string; data: string }>(
      'select type, data from events where subject_id = ? order by seq',
    )
    .all(subjectId)
    .map(({ type, data }) => ({ type, data: JSON.parse(data) as Record<string, unknown> }))

const many = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`name-${n}`, 'value']))

describe('on a run', () => {
  it('is answered by its status and its list, and sent with its events', async () => {
    const metadata = { order: '4711', 'Kunde "Ä" 😀': "it's {json}", __proto__x: 'y', empty: '' }
    const { empty: _empty, ...kept } = metadata
    const id = await started(metadata)
    expect((await server.call(`/workflow-results/${id}`)).json()).toMatchObject({ metadata: kept })
    const page = await server.call('/workflow-results?companyId=acme')
    expect(page.json()).toMatchObject({ runs: [{ triggerId: id, metadata: kept }] })
    advanceRun(server.services.db, id, 'Processing', Date.now())
    expect(eventsOf(id)).toEqual([
      { type: 'run.queued', data: expect.objectContaining({ metadata: kept }) as object },
      { type: 'run.processing', data: expect.objectContaining({ metadata: kept }) as object },
    ])
    expect((await domain.call('GET', `/runs/${id}`)).data).toMatchObject({ metadata: kept })
    const bare = await started(undefined)
    expect((await server.call(`/workflow-results/${bare}`)).json()).toMatchObject({ metadata: {} })
    expect(eventsOf(bare)[0]?.data).not.toHaveProperty('metadata')
  })

  it('finds it in the list, by all names that are given', async () => {
    const a = await started({ team: 'a', 'x y': '1&2' })
    const b = await started({ team: 'b', 'x y': '1&2' })
    expect(await listed('&metadata[team]=a')).toEqual([a])
    expect(new Set(await listed(`&metadata%5Bx%20y%5D=${encodeURIComponent('1&2')}`))).toEqual(
      new Set([a, b]),
    )
    expect(await listed('&metadata[team]=b&metadata[x%20y]=1%262')).toEqual([b])
    expect(await listed('&metadata[team]=b&metadata[x%20y]=2')).toEqual([])
    expect(await listed("&metadata[team']=b")).toEqual([])
    const page = await server.call('/workflow-results?companyId=acme&metadata[x%20y]=1%262&limit=1')
    const { cursor } = page.json<{ cursor: string }>()
    expect(await listed(`&metadata[x%20y]=1%262&limit=1&cursor=${cursor}`)).toEqual([a])
    const other = await server.call(`/workflow-results?companyId=acme&cursor=${cursor}`)
    expect(other.json()['code']).toBe('INVALID_CURSOR')
    for (const wrong of [
      'metadata[team]=a&metadata[team]=b',
      'metadata=a',
      'metadata[]=a',
      'metadata[a][b]=c',
    ]) {
      const answer = await server.call(`/workflow-results?companyId=acme&${wrong}`)
      expect([wrong, answer.status]).toEqual([wrong, 400])
    }
  })

  it.each([
    ['a list', ['a'], 'metadata'],
    ['a number', { a: 1 }, 'metadata.a'],
    ['a long value', { a: 'x'.repeat(501) }, 'metadata.a'],
    ['a long name', { ['x'.repeat(41)]: 'a' }, `metadata.${'x'.repeat(41)}`],
    ['no name', { '': 'a' }, 'metadata.'],
    ['brackets', { 'a[b]': 'a' }, 'metadata.a[b]'],
    ['too many', many(17), 'metadata'],
  ])('is refused with the field named: %s', async (_what, metadata, field) => {
    const answer = await trigger(metadata)
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { code: 'INVALID_REQUEST', details: { field } },
    ])
  })

  it('takes as much as it may, and is part of what an Idempotency-Key compares', async () => {
    expect((await trigger({ ...many(15), ['x'.repeat(40)]: 'ä'.repeat(500) })).status).toBe(200)
    const first = await trigger({ a: '1' }, { 'idempotency-key': 'meta' })
    const again = await trigger({ a: '1' }, { 'idempotency-key': 'meta' })
    expect(again.text).toBe(first.text)
    expect((await trigger({ a: '2' }, { 'idempotency-key': 'meta' })).json()['code']).toBe(
      'IDEMPOTENCY_CONFLICT',
    )
  })
})

describe('on a clip', () => {
  const update = (clipId: string, more: object) =>
    server.call('/update-clip', { json: { companyId: 'acme', clipId, ...more } })
  const read = async (clipId: string): Promise<Record<string, unknown>> =>
    (await server.call(`/clip?companyId=acme&clipId=${clipId}`)).json<{ clip: Record<string, unknown> }>()
      .clip

  it('is merged or replaced, answered beside that of its run, and sent with its events', async () => {
    const runId = addRun(server, { workflowId, metadata: { order: '4711' } })
    const clipId = addClip(server, { workflowId, runId })
    expect(await read(clipId)).toMatchObject({ metadata: {}, runMetadata: { order: '4711' } })
    const first = await update(clipId, { metadata: { shelf: 'a', row: '1' } })
    expect(first.json()).toMatchObject({
      updatedFields: ['metadata'],
      updates: { metadata: { shelf: 'a', row: '1' } },
    })
    await update(clipId, { updates: { metadata: { row: '', place: '2' } } })
    expect(await read(clipId)).toMatchObject({ metadata: { shelf: 'a', place: '2' } })
    const { type, data } = eventsOf(clipId).at(-1) ?? expect.fail('there is no event')
    expect([type, data]).toMatchObject([
      'clip.updated',
      { metadata: { shelf: 'a', place: '2' }, runMetadata: { order: '4711' } },
    ])
    const clips = await server.call(`/workflow-results/${runId}`)
    expect(clips.json()).toMatchObject({ clips: [{ id: clipId, metadata: { shelf: 'a', place: '2' } }] })
    expect((await domain.call('GET', `/clips/${clipId}`)).data).toMatchObject({
      metadata: { shelf: 'a', place: '2' },
      runMetadata: { order: '4711' },
    })
    await update(clipId, { metadata: { only: 'this' }, merge: false })
    expect((await read(clipId))['metadata']).toEqual({ only: 'this' })
    await server.call(`/clip?companyId=acme&clipId=${clipId}`, { method: 'DELETE' })
    expect(eventsOf(clipId).at(-1)).toMatchObject({
      type: 'clip.deleted',
      data: { runMetadata: { order: '4711' } },
    })
  })

  it('does not make its film out of date', async () => {
    const clipId = addClip(server, { workflowId, runId: addRun(server, { workflowId }) })
    server.services.db.sqlite.prepare("update clips set rendered_media = 'film' where id = ?").run(clipId)
    await update(clipId, { metadata: { a: 'b' } })
    const film = server.services.db.sqlite.prepare('select rendered_media from clips where id = ?').pluck()
    expect(film.get(clipId)).toBe('film')
  })

  it('is bounded, merged too, and refused with the field named', async () => {
    const clipId = addClip(server, { workflowId, runId: addRun(server, { workflowId }) })
    await update(clipId, { metadata: many(16) })
    for (const metadata of [{ more: 'x' }, { a: 1 }, { 'a[b]': 'c' }, { a: 'x'.repeat(501) }, many(17)]) {
      const answer = await update(clipId, { metadata })
      expect([answer.status, answer.json()]).toMatchObject([
        400,
        { code: 'INVALID_CLIP_UPDATE', details: { field: 'metadata' } },
      ])
    }
    expect((await read(clipId))['metadata']).toEqual(many(16))
  })
})
