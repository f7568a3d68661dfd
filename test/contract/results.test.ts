/** GET /workflow-results, GET /clip, GET /clip-transcript, GET /workflows, GET /workflow, POST /render. */
import { Value } from '@sinclair/typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClipTranscriptResponse } from '../../server/contract/clip-transcript.ts'
import { PublicClip } from '../../server/contract/public-clip.ts'
import { WorkflowResults, WorkflowDocument } from '../../server/contract/workflow.ts'
import { insertOperation } from '../../server/db/operations.ts'
import {
  addClip,
  addCompany,
  addFacts,
  addMedia,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

let server: TestServer
let workflowId: string
beforeAll(async () => {
  server = await startTestServer()
  workflowId = addWorkflow(server)
})
afterAll(() => server.close())

const BASIC_FIELDS = [
  'id',
  'title',
  'bio',
  'keywords',
  'people',
  'duration',
  'startTimestamp',
  'endTimestamp',
  'segments',
  'timestampBoundary',
  'aspectRatio',
  'metadata',
  'renderedUrl',
  'rawUrl',
  'thumbnailURL',
  'transcriptUrl',
  'fps',
  'videoHeight',
  'videoResolution',
  'viralityScore',
].sort()

async function clipWithMedia(changes: { runId?: string; score?: number } = {}) {
  const files = {
    extended: await addMedia(server, 'extended.mp4', 'e'),
    thumbnail: await addMedia(server, 'thumbnail.jpg', 't', 'image/jpeg'),
    transcript: await addMedia(server, 'transcript.json', '{}', 'application/json'),
    source: await addMedia(server, 'source.mp4', 's'),
    rendered: await addMedia(server, 'clip.mp4', 'r'),
    still: await addMedia(server, 'still.jpg', 'i', 'image/jpeg'),
  }
  const id = addClip(server, {
    workflowId,
    ...omitUndefined({ runId: changes.runId }),
    document: {
      viralityScore: changes.score ?? 70,
      subtitleConfig: { fontSize: '60', speakerStyles: { 0: { fontColor: '#ffffff' } } },
      media: {
        extended: files.extended.id,
        thumbnail: files.thumbnail.id,
        transcript: files.transcript.id,
        source: files.source.id,
      },
    },
    row: { renderedMedia: files.rendered.id, renderedThumbnailMedia: files.still.id },
  })
  return { id, files }
}

describe('workflow results', () => {
  it('clips is [] until Completed, also when there are clips already', async () => {
    for (const status of ['Pending', 'Processing', 'Learning'] as const) {
      const runId = addRun(server, {
        workflowId,
        status,
        progress: 0.5,
        stage: 'Finding clips',
        startedAt: 1000,
      })
      addClip(server, { workflowId, runId, row: { published: false } })
      const answer = await server.call(`/workflow-results/${runId}`)
      const body = answer.json<WorkflowResults>()
      expect(Value.Check(WorkflowResults, body)).toBe(true)
      expect(body).toEqual({
        status,
        clips: [],
        ...(status === 'Pending' ? { waitsFor: 'queue' } : {}),
        progress: 0.5,
        stage: 'Finding clips',
        warnings: [],
        startedAt: '1970-01-01T00:00:01.000Z',
        finishedAt: null,
        metadata: {},
      })
    }
  })

  it('a completed run carries its clips by viralityScore, highest first, with the basic fields only', async () => {
    const runId = addRun(server, { workflowId, progress: 1, finishedAt: 2000, warnings: ['A thing.'] })
    const low = await clipWithMedia({ runId, score: 12 })
    const high = await clipWithMedia({ runId, score: 88.5 })
    const middle = addClip(server, { workflowId, runId, document: { viralityScore: 50 } })
    addClip(server, { workflowId, runId, document: { viralityScore: 99 }, row: { published: false } })
    const body = (await server.call(`/workflow-results/${runId}`)).json<WorkflowResults>()
    expect(Value.Check(WorkflowResults, body)).toBe(true)
    expect(body.clips.map((clip) => clip.id)).toEqual([high.id, middle, low.id])
    expect(Object.keys(body.clips[0] ?? {}).sort()).toEqual(BASIC_FIELDS)
    expect(body).toMatchObject({ warnings: ['A thing.'], finishedAt: '1970-01-01T00:00:02.000Z' })
    expect(body.error).toBeUndefined()
  })

  it('fields of a clip appear only when available', async () => {
    const runId = addRun(server, { workflowId })
    addClip(server, { workflowId, runId, document: { viralityScore: 60 } })
    addClip(server, { workflowId, runId, document: { viralityScore: 40, relevance: 80 } })
    const { clips } = (await server.call(`/workflow-results/${runId}`)).json<WorkflowResults>()
    expect(clips.map(({ relevance }) => relevance)).toEqual([undefined, 80])
    expect(Object.keys(clips[0] ?? {})).not.toContain('renderedUrl')
    expect(JSON.stringify(clips)).not.toContain('null')
  })

  it('a failed run has a message and a code', async () => {
    const runId = addRun(server, {
      workflowId,
      status: 'Error',
      errorCode: 'NO_SPEECH',
      error: 'No speech was found.',
    })
    const body = (await server.call(`/workflow-results/${runId}`)).json()
    expect(body).toMatchObject({
      status: 'Error',
      error: 'No speech was found.',
      code: 'NO_SPEECH',
      clips: [],
    })
  })
})

describe('one clip', () => {
  it('GET /clip and its path form return the saved document with every field of 2.4', async () => {
    const runId = addRun(server, { workflowId })
    const { id, files } = await clipWithMedia({ runId })
    const byQuery = await server.call(`/clip?companyId=acme&clipId=${id}`)
    const byPath = await server.call(`/companies/acme/clips/${id}`)
    expect([byQuery.status, byPath.status]).toEqual([200, 200])
    expect(byPath.json()).toEqual(byQuery.json())
    const { clip } = byQuery.json<{ clip: PublicClip }>()
    expect(Value.Check(PublicClip, clip)).toBe(true)
    const address = (path: string) => `http://127.0.0.1:${server.port}${path}`
    expect(clip).toMatchObject({
      id,
      companyId: 'acme',
      workflowId,
      runId,
      taskId: 'task-1',
      taskID: 'task-1',
      sourceId: 'a'.repeat(64),
      sourceID: 'a'.repeat(64),
      sourceInputId: 'input-1',
      clipHash: 'hash-1',
      originalUrl: 'https://example.com/talk.mp4',
      speakers: ['Ada'],
      url: address(files.extended.path),
      publicURL: address(files.extended.path),
      extendedClipURL: address(files.extended.path),
      rawUrl: address(files.extended.path),
      renderedUrl: address(files.rendered.path),
      thumbnailURL: address(files.thumbnail.path),
      renderedThumbnailUrl: address(files.still.path),
      transcriptUrl: address(files.transcript.path),
      wordTranscriptJSON: address(files.transcript.path),
      normalizedUrl: address(files.source.path),
      sourceUrl: address(files.source.path),
      subtitleConfig: { fontSize: '60', speakerStyles: { 0: { fontColor: '#ffffff' } } },
      scoreReasons: [{ name: 'hook', score: 80 }],
    })
    expect(clip.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(Object.keys(clip)).not.toContain('nodes')
    expect(Object.keys(clip)).not.toContain('media')
    const fetched = await server.call(new URL(clip.renderedUrl ?? '').pathname, { key: null })
    expect([fetched.status, fetched.text]).toEqual([200, 'r'])
  })

  it('media addresses follow the Host of the request', async () => {
    const { id } = await clipWithMedia()
    const answer = await server.call(`/clip?companyId=acme&clipId=${id}`, {
      headers: { host: 'localhost:9' },
    })
    expect(answer.json<{ clip: PublicClip }>().clip.rawUrl).toMatch(/^http:\/\/localhost:9\/media\//)
  })

  it('media addresses begin with CUTROOM_PUBLIC_URL where it is set', async () => {
    const behind = await startTestServer({ config: { publicUrl: 'https://clips.example/cutroom' } })
    const file = await addMedia(behind, 'extended.mp4', 'e')
    const id = addClip(behind, { workflowId: 'w', document: { media: { extended: file.id } } })
    const answer = await behind.call(`/clip?companyId=acme&clipId=${id}`, {
      headers: { host: 'clips.example' },
    })
    const { clip } = answer.json<{ clip: PublicClip }>()
    expect(clip.rawUrl).toBe(`https://clips.example/cutroom${file.path}`)
    await behind.close()
  })

  it('an unknown clip, and one that its run has not published, are 404 CLIP_NOT_FOUND', async () => {
    const hidden = addClip(server, { workflowId, row: { published: false } })
    for (const id of ['none', hidden, encodeURIComponent('a/b')]) {
      for (const path of [`/clip?companyId=acme&clipId=${id}`, `/companies/acme/clips/${id}`]) {
        const answer = await server.call(path)
        expect([path, answer.status, answer.json()['code']]).toEqual([path, 404, 'CLIP_NOT_FOUND'])
      }
    }
  })

  it.each([
    ['/clip', 'companyId'],
    ['/clip?clipId=x', 'companyId'],
    ['/clip?companyId=acme', 'clipId'],
    ['/clip?companyId=acme&clipId=', 'clipId'],
    ['/clip?companyId=acme&clipId=a&clipId=b', 'clipId'],
    ['/companies/acme/clips/x?companyId=other', 'companyId'],
    ['/companies/acme/clips/x?clipId=y', 'clipId'],
    ['/workflows', 'companyId'],
    ['/companies/acme/workflows?companyId=other', 'companyId'],
    ['/workflow?companyId=acme', 'workflowId'],
  ])('%s: 400 INVALID_REQUEST that names %s', async (path, field) => {
    const answer = await server.call(path)
    expect([answer.status, answer.json()['code']]).toEqual([400, 'INVALID_REQUEST'])
    expect(answer.json()['details']).toMatchObject({ field })
  })

  it('companyId in the path and in the query may both be given when they agree', async () => {
    const { id } = await clipWithMedia()
    expect((await server.call(`/companies/acme/clips/${id}?companyId=acme&clipId=${id}`)).status).toBe(200)
  })

  it('unknown query parameters are ignored, and commas in values preserved', async () => {
    const answer = await server.call('/clip?companyId=acme&clipId=a,b&utm=1&utm=2')
    expect(answer.json()).toMatchObject({ code: 'CLIP_NOT_FOUND', details: { clipId: 'a,b' } })
  })
})

describe('the words of a clip', () => {
  const words = [
    { word: 'Before', start: 8, end: 9 },
    { word: 'First', start: 10, end: 10.5, speaker: 0 },
    { word: 'gone,', start: 15, end: 15.4, speaker: 1, isDeleted: true },
    { word: 'trimmed', start: 21, end: 21.5 },
    { word: 'last.', start: 39, end: 39.8 },
    { word: 'After', start: 40.1, end: 41 },
  ]

  it('GET /clip-transcript and its path form: padding and words outside segments are not visible', async () => {
    const segments = [
      { startSeconds: 0, endSeconds: 10 },
      { startSeconds: 20, endSeconds: 30 },
    ]
    const id = addClip(server, { workflowId, words, document: { segments } })
    const answer = await server.call(`/clip-transcript?companyId=acme&clipId=${id}`)
    const body = answer.json<ClipTranscriptResponse>()
    expect(Value.Check(ClipTranscriptResponse, body)).toBe(true)
    expect(body).toMatchObject({ clipId: id, source: 'embedded-captions', wordCount: 6 })
    expect(body.words.map((word) => word.visible)).toEqual([false, true, true, false, true, false])
    expect(body.words[2]).toEqual({
      index: 2,
      word: 'gone,',
      start: 15,
      end: 15.4,
      speaker: 1,
      isDeleted: true,
      visible: true,
    })
    expect(body.words[0]).not.toHaveProperty('speaker')
    const byPath = await server.call(`/companies/acme/clips/${id}/transcript`)
    expect(byPath.json()).toEqual(body)
  })

  it('a clip without a transcript: 409 NO_TRANSCRIPT; an unknown clip: 404 CLIP_NOT_FOUND', async () => {
    const id = addClip(server, { workflowId })
    const none = await server.call(`/clip-transcript?companyId=acme&clipId=${id}`)
    expect([none.status, none.json()['code']]).toEqual([409, 'NO_TRANSCRIPT'])
    const unknown = await server.call('/clip-transcript?companyId=acme&clipId=x')
    expect([unknown.status, unknown.json()['code']]).toEqual([404, 'CLIP_NOT_FOUND'])
  })
})

describe('saved workflows', () => {
  it('the list returns only id, name and description, by query and by path', async () => {
    const answer = await server.call('/workflows?companyId=acme')
    const { workflows } = answer.json<{ workflows: Record<string, unknown>[] }>()
    expect(workflows).toContainEqual({
      id: workflowId,
      name: 'Vertical shorts',
      description: expect.any(String) as string,
    })
    expect(new Set(workflows.flatMap((one) => Object.keys(one)))).toEqual(
      new Set(['id', 'name', 'description']),
    )
    expect((await server.call('/companies/acme/workflows')).json()).toEqual({ workflows })
  })

  it('one workflow carries its nodes and edges, by query and by path', async () => {
    const answer = await server.call(`/workflow?companyId=acme&workflowId=${workflowId}`)
    const { workflow } = answer.json<{ workflow: WorkflowDocument }>()
    expect(Value.Check(WorkflowDocument, workflow)).toBe(true)
    expect(workflow.nodes.map((node) => node.type)).toContain('find_clips')
    expect(workflow.edges.length).toBeGreaterThan(0)
    expect((await server.call(`/companies/acme/workflows/${workflowId}`)).json()).toEqual({ workflow })
  })

  it('an unknown workflow, or one of another company, is 404 WORKFLOW_NOT_FOUND', async () => {
    const other = addCompany(server, 'rival')
    for (const id of ['none', addWorkflow(server, other.companyId)]) {
      const answer = await server.call(`/workflow?companyId=acme&workflowId=${id}`)
      expect([answer.status, answer.json()['code']]).toEqual([404, 'WORKFLOW_NOT_FOUND'])
    }
  })
})

describe('render', () => {
  const openOperation = (clipId: string): string =>
    insertOperation(server.services.db, { companyId: 'acme', kind: 'render', subjectId: clipId, now: 0 })

  /** A clip whose render is in progress: the route joins it. */
  function renderingClip(): { clipId: string; operationId: string } {
    const runId = addRun(server, { workflowId })
    addFacts(server, runId)
    const clipId = addClip(server, { workflowId, runId })
    return { clipId, operationId: openOperation(clipId) }
  }
  const render = (clipId: string) => server.call('/render', { json: { companyId: 'acme', clipId } })
  const waitFor = async (operationId: string): Promise<void> => {
    await expect.poll(() => server.jobs.waiting.includes(operationId)).toBe(true)
  }

  it('waits, and returns finished with an address that anyone can fetch', async () => {
    const { clipId, operationId } = renderingClip()
    const pending = render(clipId)
    await waitFor(operationId)
    const file = await addMedia(server, 'clip.mp4', 'finished film')
    server.jobs.settle(operationId, { state: 'succeeded', result: { mediaId: file.id }, failure: null })
    const answer = await pending
    expect(answer.status).toBe(200)
    expect(answer.json()).toEqual({
      status: 'finished',
      renderUrl: `http://127.0.0.1:${server.port}${file.path}`,
    })
  })

  it('a failed render returns HTTP 200 with status failed, error and code', async () => {
    const { clipId, operationId } = renderingClip()
    server.jobs.settle(operationId, {
      state: 'failed',
      result: null,
      failure: { code: 'DISK_FULL', message: 'The disk is full.' },
    })
    const answer = await render(clipId)
    expect([answer.status, answer.json()]).toEqual([
      200,
      { status: 'failed', error: 'The disk is full.', code: 'DISK_FULL' },
    ])
  })

  it('continues when the client disconnects', async () => {
    const { clipId, operationId } = renderingClip()
    const controller = new AbortController()
    const gone = fetch(`${server.url}/render`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}` },
      body: JSON.stringify({ companyId: 'acme', clipId }),
      signal: controller.signal,
    })
    await waitFor(operationId)
    controller.abort()
    await expect(gone).rejects.toThrow()
    const state = server.services.db.sqlite
      .prepare('select state, cancel_requested as cancelled from operations where id = ?')
      .get(operationId)
    expect(state).toEqual({ state: 'queued', cancelled: 0 })
    server.jobs.settle(operationId, { state: 'failed', result: null, failure: null })
    expect((await server.call('/health')).status).toBe(200)
  })

  it('an unknown clip is 404 CLIP_NOT_FOUND; a missing field is 400 INVALID_REQUEST', async () => {
    const unknown = await render('none')
    expect([unknown.status, unknown.json()['code']]).toEqual([404, 'CLIP_NOT_FOUND'])
    const missing = await server.call('/render', { json: { companyId: 'acme' } })
    expect([missing.status, missing.json()['details']]).toMatchObject([400, { field: 'clipId' }])
  })
})
