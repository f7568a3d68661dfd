/** PATCH /clip-transcript over a real socket. The rules of single operations are in transcript-operations.test.ts. */
import { Value } from '@sinclair/typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CaptionLayer } from '../../server/contract/composition.ts'
import { PatchTranscriptResponse } from '../../server/contract/clip-transcript.ts'
import { getClip, getClipTranscript } from '../../server/db/clips.ts'
import { planRender } from '../../server/domain/rendering/render-clip.ts'
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

const words = [
  { word: 'Before', start: 8, end: 9 },
  { word: 'Mr', start: 10, end: 10.5, speaker: 0 },
  { word: 'Schwarz,', start: 10.5, end: 11, speaker: 0 },
  { word: 'hello', start: 12, end: 12.5, speaker: 1 },
  { word: 'Schwarz', start: 40.1, end: 41 },
]

async function renderedClip(): Promise<string> {
  const runId = addRun(server, { workflowId })
  addFacts(server, runId)
  const film = await addMedia(server, 'clip.mp4', 'r')
  const still = await addMedia(server, 'still.jpg', 'i')
  return addClip(server, {
    workflowId,
    runId,
    words,
    document: { subtitleConfig: {} },
    row: { renderedMedia: film.id, renderedThumbnailMedia: still.id, renderKey: 'k' },
  })
}

const patch = (clipId: string, operations: unknown, key?: string) =>
  server.call('/clip-transcript', {
    method: 'PATCH',
    json: { companyId: 'acme', clipId, operations },
    ...omitUndefined({ key }),
  })

const captionsOf = (clipId: string): string[] => {
  const { layers } = planRender(server.services, clipId).composition
  return layers
    .filter((layer): layer is CaptionLayer => layer.kind === 'captions')
    .flatMap((layer) => layer.cues.flatMap((cue) => cue.words.map((word) => word.text)))
}

describe('a patch', () => {
  it('returns clipId, status, applied, replaced, appliedToHiddenWords, warnings and the full updated transcript', async () => {
    const clipId = await renderedClip()
    const answer = await patch(clipId, [
      { from: 'schwarz', to: 'Cozz' },
      { from: 'nobody', to: 'x' },
    ])
    const body = answer.json<PatchTranscriptResponse>()
    expect(answer.status).toBe(200)
    expect(Value.Check(PatchTranscriptResponse, body)).toBe(true)
    expect(body).toMatchObject({
      clipId,
      status: 'success',
      applied: 2,
      replaced: 2,
      appliedToHiddenWords: 1,
      warnings: ['operations[1] matched no words.'],
    })
    expect(body.words.map((word) => [word.word, word.visible])).toEqual([
      ['Before', false],
      ['Mr', true],
      ['Cozz,', true],
      ['hello', true],
      ['Cozz', false],
    ])
    const read = await server.call(`/companies/acme/clips/${clipId}/transcript`)
    expect(read.json()['words']).toEqual(body.words)
  })

  it('cached renderedUrl is cleared automatically by any patch, and both revisions rise', async () => {
    const clipId = await renderedClip()
    const clip = async () =>
      (await server.call(`/clip?companyId=acme&clipId=${clipId}`)).json<{ clip: Record<string, unknown> }>()
        .clip
    expect((await clip())['renderedUrl']).toMatch(/^http/)
    expect((await patch(clipId, [{ from: 'nobody', to: 'x' }])).status).toBe(200)
    expect(await clip()).not.toHaveProperty('renderedUrl')
    expect(await clip()).not.toHaveProperty('renderedThumbnailUrl')
    const { db } = server.services
    expect(getClip(db, 'acme', clipId)).toMatchObject({ revision: 2, renderKey: null })
    expect(getClipTranscript(db, clipId)?.revision).toBe(2)
  })

  it('changes the captions of the next render', async () => {
    const clipId = await renderedClip()
    const before = planRender(server.services, clipId).renderKey
    expect(captionsOf(clipId)).toEqual(['Mr', 'Schwarz,', 'hello'])
    await patch(clipId, [
      { index: 1, to: 'Ms' },
      { start: 12, end: 12.4, to: '' },
      { from: 'Schwarz', to: 'Cozz' },
    ])
    expect(captionsOf(clipId)).toEqual(['Ms', 'Cozz,'])
    expect(planRender(server.services, clipId).renderKey).not.toBe(before)
  })

  it('the files at transcriptUrl and the other addresses hold the corrected words, under new addresses', async () => {
    const clipId = await renderedClip()
    const files = async () => {
      const { clip } = (await server.call(`/clip?companyId=acme&clipId=${clipId}`)).json<{
        clip: { transcriptUrl: string; wordTranscriptJSON: string; transcriptSrtUrl: string }
      }>()
      const text = async (url: string) => (await server.call(new URL(url).pathname, { key: null })).text
      return { ...clip, json: await text(clip.transcriptUrl), srt: await text(clip.transcriptSrtUrl) }
    }
    await patch(clipId, [{ index: 1, to: 'Ms' }])
    const first = await files()
    await patch(clipId, [
      { from: 'Schwarz', to: 'Cozz' },
      { index: 3, to: '' },
    ])
    const second = await files()
    expect(second.transcriptUrl).not.toBe(first.transcriptUrl)
    expect(second.wordTranscriptJSON).toBe(second.transcriptUrl)
    expect(JSON.parse(second.json)).toEqual({
      language: 'en',
      words: [
        { word: 'Before', start: 3, end: 4, visible: false },
        { word: 'Ms', start: 5, end: 5.5, speaker: 0, visible: true },
        { word: 'Cozz,', start: 5.5, end: 6, speaker: 0, visible: true },
        { word: 'Cozz', start: 35.1, end: 36, visible: false },
      ],
    })
    expect(second.srt).toContain('Ms Cozz,')
    expect((await server.call(new URL(first.transcriptUrl).pathname, { key: null })).text).toBe(first.json)
  })

  it('applies the valid operations when others are invalid', async () => {
    const clipId = await renderedClip()
    const body = (await patch(clipId, [{ to: 'x' }, { index: 3, to: 'bye' }])).json<PatchTranscriptResponse>()
    expect(body).toMatchObject({ applied: 1, replaced: 1 })
    expect(body.warnings[0]).toMatch(/^operations\[0\] was left out/)
  })
})

describe('refusals', () => {
  it.each<[string, unknown]>([
    ['operations missing', undefined],
    ['operations null', null],
    ['operations empty', []],
    ['operations no list', 'all'],
    ['every operation invalid', [{ to: 'x' }, { from: 'a', index: 1, to: 'x' }]],
  ])('%s: 400 INVALID_OPERATIONS, and nothing is changed', async (_name, operations) => {
    const clipId = await renderedClip()
    const answer = await patch(clipId, operations)
    expect([answer.status, answer.json()['code']]).toEqual([400, 'INVALID_OPERATIONS'])
    expect(getClip(server.services.db, 'acme', clipId)).toMatchObject({ revision: 1, renderKey: 'k' })
  })

  it('no transcript yet: 409 NO_TRANSCRIPT; no such clip: 404 CLIP_NOT_FOUND; not this company: 401', async () => {
    const operations = [{ index: 0, to: 'x' }]
    const bare = await patch(addClip(server, { workflowId }), operations)
    expect([bare.status, bare.json()['code']]).toEqual([409, 'NO_TRANSCRIPT'])
    const unknown = await patch('none', operations)
    expect([unknown.status, unknown.json()['code']]).toEqual([404, 'CLIP_NOT_FOUND'])
    const { key } = addCompany(server, 'transcript-rival')
    const foreign = await patch(await renderedClip(), operations, key)
    expect([foreign.status, foreign.json()['code']]).toEqual([401, 'INVALID_API_KEY'])
  })

  it('a hidden clip of an unfinished run is not found either', async () => {
    const clipId = addClip(server, { workflowId, words, row: { published: false } })
    expect((await patch(clipId, [{ index: 0, to: 'x' }])).json()['code']).toBe('CLIP_NOT_FOUND')
  })

  it.each(['companyId', 'clipId'])('%s missing: 400 INVALID_REQUEST', async (field) => {
    const json = { companyId: 'acme', clipId: 'x', operations: [], [field]: undefined }
    const answer = await server.call('/clip-transcript', { method: 'PATCH', json })
    expect(answer.json()).toMatchObject({ code: 'INVALID_REQUEST', details: { field } })
  })
})
