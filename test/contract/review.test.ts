/** The routes of Review: what they answer, what they refuse, and that a decision changes nothing but itself. */
import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Pick, RenderKept, ReviewTranscript, StudioReview } from '../../server/contract/review.ts'
import { StudioStrip } from '../../server/contract/studio-footage.ts'
import { listOpenPicks } from '../../server/db/picks.ts'
import { runStages } from '../../server/db/schema.ts'
import { issueSignInLink } from '../../server/domain/people/sign-in.ts'
import { addSpokenRun, spokenWords } from '../support/spoken-runs.ts'
import {
  addClip,
  addCompany,
  addFacts,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'

let server: TestServer
let workflowId: string
let headers: Record<string, string>
let runId: string
let ids: string[]

beforeAll(async () => {
  server = await startTestServer()
  workflowId = addWorkflow(server)
  const link = new URL(issueSignInLink(server.services, server.url))
  const answer = await server.call(link.pathname + link.search, { key: null })
  headers = { cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '', origin: server.url }
})
afterAll(() => server.close())
beforeEach(async () => {
  const words = spokenWords(['One two three four.', 'Five six seven eight.'])
  runId = await addSpokenRun(server, { workflowId, words, snapshot: { endsAt: 'found' } })
  addFacts(server, runId)
  ids = [10, 30, 20].map((viralityScore, ordinal) =>
    addClip(server, {
      workflowId,
      runId,
      words,
      document: {
        startTimestamp: 10 * ordinal,
        endTimestamp: 10 * ordinal + 5,
        viralityScore,
        segments: [],
        cuts: [],
      },
      row: { ordinal, viralityScore },
    }),
  )
})

const get = (path: string) => server.call(`/studio/runs/${runId}/${path}`, { headers, key: null })
const post = (path: string, body: object) =>
  server.call(`/studio/runs/${runId}/${path}`, { method: 'POST', json: body, headers, key: null })
const checked = <Schema extends TSchema>(schema: Schema, answer: { status: number; json: () => unknown }) => {
  expect(answer.status).toBe(200)
  expect([...Value.Errors(schema, answer.json())]).toEqual([])
  return answer.json() as Static<Schema>
}
const code = (answer: { json: () => unknown }) => (answer.json() as { code?: string }).code

it('GET review answers the run with its clips, best first, and nobody else’s', async () => {
  const review = checked(StudioReview, await get('review'))
  expect(review).toMatchObject({ endsAt: 'found', isStopped: false, source: null, topics: [], picks: [] })
  expect(review.clips.map(({ id }) => id)).toEqual([ids[1], ids[2], ids[0]])
  expect(review.clips).toMatchObject([
    {},
    {},
    { firstLine: 'One two three four.', review: 'undecided', pick: 0 },
  ])
  const { companyId } = addCompany(server, `other-${runId.slice(0, 8).toLowerCase()}`)
  const others = await server.call(`/studio/runs/${runId}/review?companyId=${companyId}`, {
    headers,
    key: null,
  })
  expect([others.status, code(others)]).toEqual([404, 'TRIGGER_NOT_FOUND'])
})

it('GET review answers the topics that were found; an older result has none', async () => {
  const result = { candidates: [], considered: 0, summary: '', warnings: [] }
  const topics = [
    { start: 0, end: 20, label: 'Lime putty' },
    { start: 20, end: 60, label: '' },
  ]
  const stage = { runId, slot: 'find-clips', stage: 'find-clips' as const, key: 'k', startedAt: 0 }
  const { orm } = server.services.db
  orm
    .insert(runStages)
    .values({ ...stage, state: 'finished', output: result })
    .run()
  expect(checked(StudioReview, await get('review')).topics).toEqual([])
  orm
    .update(runStages)
    .set({ output: { ...result, topics } })
    .where(eq(runStages.slot, 'find-clips'))
    .run()
  expect(checked(StudioReview, await get('review')).topics).toEqual([
    { start: 0, end: 20, title: 'Lime putty' },
  ])
})

it('GET transcript answers the words of the whole source, page by page', async () => {
  expect(checked(ReviewTranscript, await get('transcript'))).toMatchObject({ count: 8, language: 'en' })
  const page = checked(ReviewTranscript, await get('transcript?from=6&limit=5'))
  expect(page.words).toMatchObject([{ index: 6, word: 'seven' }, { index: 7 }])
  runId = addRun(server, { workflowId })
  const none = await get('transcript')
  expect([none.status, code(none)]).toEqual([409, 'NO_TRANSCRIPT'])
})

it('GET filmstrip answers as that of a clip does', async () => {
  expect(checked(StudioStrip, await get('filmstrip?level=1&sheet=0'))).toEqual({ state: 'none' })
  expect((await get('filmstrip?level=9&sheet=0')).status).toBe(400)
})

describe('POST decisions', () => {
  it('stores them in their order, and takes them back', async () => {
    const [a = '', b = ''] = ids
    const kept = await post('decisions', {
      decisions: [
        { clipId: b, review: 'kept' },
        { clipId: a, review: 'kept' },
        { clipId: a, review: 'kept' },
      ],
    })
    expect(kept.json()).toEqual({
      clips: [
        { clipId: b, review: 'kept', keptOrder: 1 },
        { clipId: a, review: 'kept', keptOrder: 2 },
      ],
    })
    const back = await post('decisions', { decisions: [{ clipId: b, review: 'undecided' }] })
    expect(back.json()).toEqual({ clips: [{ clipId: b, review: 'undecided', keptOrder: null }] })
    const again = await post('decisions', { decisions: [{ clipId: b, review: 'kept' }] })
    expect(again.json()).toMatchObject({ clips: [{ keptOrder: 3 }] })
  })

  it('stores none where one is of another run', async () => {
    const other = addClip(server, { workflowId })
    const answer = await post('decisions', {
      decisions: [
        { clipId: ids[0], review: 'kept' },
        { clipId: other, review: 'kept' },
      ],
    })
    expect([answer.status, code(answer)]).toEqual([404, 'CLIP_NOT_FOUND'])
    const review = checked(StudioReview, await get('review'))
    expect(review.clips.map((clip) => clip.review)).toEqual(ids.map(() => 'undecided'))
    expect((await post('decisions', { decisions: [] })).status).toBe(400)
  })
})

it('POST picks, ranges and merges store what is picked, and one operation carries it out', async () => {
  const found = checked(
    Pick,
    await post('picks', { prompt: 'money', minLength: 5, maxLength: 20, maxClips: 3 }),
  )
  expect(found).toMatchObject({ kind: 'find', number: 1, state: 'open', progress: 0, error: null })
  expect(checked(Pick, await post('ranges', { start: 3, end: 900 }))).toMatchObject({
    request: { kind: 'range', start: 3, end: 60 },
  })
  expect(checked(Pick, await post('merges', { clipIds: [ids[2], ids[0]] }))).toMatchObject({
    number: 3,
    request: {
      ranges: [
        { start: 0, end: 5 },
        { start: 20, end: 25 },
      ],
    },
  })
  expect(listOpenPicks(server.services.db, runId)).toHaveLength(3)
  const open = server.services.db.sqlite.prepare(
    `select count(*) from operations where kind = 'pick' and subject_id = ?`,
  )
  expect(open.pluck().get(runId)).toBe(1)
  expect(checked(StudioReview, await get('review')).picks).toHaveLength(3)
  for (const [path, body] of [
    ['picks', { minLength: 9, maxLength: 5 }],
    ['picks', { prompts: 'x' }],
    ['ranges', { start: 5, end: 5.5 }],
    ['merges', { clipIds: [ids[0]] }],
    ['merges', { clipIds: [ids[0], ids[0]] }],
  ] as const)
    expect([path, (await post(path, body)).status]).toEqual([path, 400])
  expect((await post('merges', { clipIds: [ids[0], 'nobody'] })).status).toBe(404)
  // Stopping ends what is picked, too.
  expect((await post('cancel', {})).status).toBe(200)
  expect(listOpenPicks(server.services.db, runId)).toEqual([])
})

it('refuses to pick from a livestream', async () => {
  runId = addRun(server, { workflowId, snapshot: { source: { kind: 'url', url: 'rtmp://x/app/s' } } })
  expect(code(await post('picks', {}))).toBe('INVALID_STATE')
})

it('POST render-kept queues what is kept in the order of keeping, and nothing else', async () => {
  expect(checked(RenderKept, await post('render-kept', {}))).toEqual({ renders: [] })
  const decisions = [2, 0].map((place) => ({ clipId: ids[place], review: 'kept' }))
  await post('decisions', { decisions })
  const { renders } = checked(RenderKept, await post('render-kept', {}))
  expect(renders.map(({ clipId }) => clipId)).toEqual([ids[2], ids[0]])
  expect(checked(RenderKept, await post('render-kept', {})).renders).toEqual(renders)
  const one = checked(RenderKept, await post('render-kept', { clipIds: [ids[0]] }))
  expect(one.renders).toMatchObject([{ clipId: ids[0] }])
  const review = checked(StudioReview, await get('review'))
  const clip = review.clips.find(({ id }) => id === ids[2])
  expect(clip?.render).toMatchObject({ state: 'queued', progress: 0, error: null })
})
