/** POST /update-clip over a real socket. The rules of single fields are in clip-edits.test.ts. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PublicWord } from '../../server/contract/clip-transcript.ts'
import type { PublicClip } from '../../server/contract/public-clip.ts'
import type { ManualThumbnail } from '../../server/contract/manual-overrides/thumbnail.ts'
import type { StudioThumbnail } from '../../server/contract/studio-editor.ts'
import { ticksToSeconds } from '../../server/contract/time.ts'
import { UpdateClipResponse } from '../../server/contract/update-clip.ts'
import { getClip } from '../../server/db/clips.ts'
import { saveThumbnail } from '../../server/db/edit-clips.ts'
import { operations, runStages } from '../../server/db/schema.ts'
import { planRender } from '../../server/domain/rendering/render-clip.ts'
import { updateClip } from '../../server/domain/clips/update-clip.ts'
import { artefactFolder } from '../../workers/paths.ts'
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

const word = (text: string, start: number) => ({ word: text, start, end: start + 0.5 })

/** A clip, 10 to 40 s of a source of 60 s, extracted from 5 to 45 s, with a finished render. */
async function renderedClip(): Promise<{ clipId: string; runId: string }> {
  const runId = addRun(server, { workflowId })
  addFacts(server, runId)
  const film = await addMedia(server, 'clip.mp4', 'r')
  const clipId = addClip(server, {
    workflowId,
    runId,
    words: [word('padding', 6), { ...word('Edited.', 12), isDeleted: false }, word('end.', 39)],
    document: { subtitleConfig: { fontSize: '60' }, titleConfig: {} },
    row: { renderedMedia: film.id, renderKey: 'k' },
  })
  return { clipId, runId }
}

const update = (clipId: string, fields: Record<string, unknown>, key?: string) =>
  server.call('/update-clip', {
    json: { companyId: 'acme', clipId, ...fields },
    ...omitUndefined({ key }),
  })

const read = async (clipId: string): Promise<PublicClip> =>
  (await server.call(`/clip?companyId=acme&clipId=${clipId}`)).json<{ clip: PublicClip }>().clip

describe('an update', () => {
  it('returns clipId, status, updatedFields and updates; the clip is saved, and nothing is rendered', async () => {
    const { clipId } = await renderedClip()
    const wakes = server.jobs.wakes
    const answer = await update(clipId, {
      bio: 'top',
      updates: { title: 'New', bio: 'inside', keywords: ['k'] },
    })
    expect(answer.status).toBe(200)
    expect(Value.Check(UpdateClipResponse, answer.json())).toBe(true)
    expect(answer.json()).toEqual({
      clipId,
      status: 'success',
      updatedFields: ['title', 'bio', 'keywords'],
      updates: { title: 'New', bio: 'inside', keywords: ['k'] },
    })
    expect(await read(clipId)).toMatchObject({ title: 'New', bio: 'inside', keywords: ['k'] })
    expect(getClip(server.services.db, 'acme', clipId)).toMatchObject({ revision: 2, title: 'New' })
    expect(server.jobs.wakes).toBe(wakes)
  })

  it('takes the thumbnail again when it may have changed, once for updates in quick succession', async () => {
    const { clipId } = await renderedClip()
    const asked = () =>
      server.services.db.orm
        .select()
        .from(operations)
        .where(eq(operations.subjectId, clipId))
        .all()
        .map(({ kind, state }) => [kind, state])
    await update(clipId, { bio: 'not seen' })
    expect(asked()).toEqual([])
    await update(clipId, { titleConfig: { text: 'seen' } })
    await update(clipId, { startTimestamp: 12 })
    expect(asked()).toEqual([['thumbnail', 'queued']])
    // One that is taken already may have looked at the clip before.
    server.services.db.orm
      .update(operations)
      .set({ state: 'running' })
      .where(eq(operations.subjectId, clipId))
      .run()
    await update(clipId, { startTimestamp: 11 })
    expect(asked()).toEqual([
      ['thumbnail', 'running'],
      ['thumbnail', 'queued'],
    ])
  })

  it('takes a designed thumbnail, and keeps the render, which does not contain it', async () => {
    const { clipId } = await renderedClip()
    const clip = () => getClip(server.services.db, 'acme', clipId)
    const save = (thumbnail: ManualThumbnail | null) =>
      updateClip(server.services, {
        companyId: 'acme',
        clipId,
        merge: true,
        body: {},
        overrides: { thumbnail },
      })
    const asked = () =>
      server.services.db.orm.select().from(operations).where(eq(operations.subjectId, clipId)).all()
    const key = clip()?.renderedMedia
    expect(key).toMatch(/^[\w-]{20,}$/)
    await save({ moment: 15, clipLayers: true, items: [] })
    expect(clip()?.document.overrides?.thumbnail).toMatchObject({ moment: 15 })
    expect(clip()?.renderedMedia).toBe(key)
    expect(asked().map(({ kind, state }) => [kind, state])).toEqual([['thumbnail', 'queued']])
    const design = { moment: 16, clipLayers: false, items: [] }
    const body = JSON.stringify({ updates: {}, overrides: { thumbnail: design }, size: '1280x720' })
    const path = `/studio/clips/${clipId}/thumbnail?companyId=acme`
    const looked = await server.call(path, { method: 'POST', body })
    expect(looked.status).toBe(200)
    const made = looked.json<StudioThumbnail>()
    expect(made.composition.output).toMatchObject({ width: 1280, height: 720 })
    expect(made.moments.length).toBeGreaterThan(0)
    expect(clip()?.document.overrides?.thumbnail).toMatchObject({ moment: 15 })
    const person = {
      kind: 'cutout',
      id: 'c',
      xPercent: 50,
      yPercent: 50,
      form: 'person',
      sizePercent: 80,
      ratio: 1.1,
      fromX: 50,
      fromY: 50,
      fromWidth: 40,
      ringColour: '#fff',
      ringWidth: 12,
      outlineBias: 0.4,
    }
    const asPerson = async (over: object) => {
      const thumbnail = { ...design, items: [{ ...person, ...over }] }
      return await server.call(path, {
        method: 'POST',
        body: JSON.stringify({ updates: {}, overrides: { thumbnail }, size: 'clip' }),
      })
    }
    expect((await asPerson({})).json<StudioThumbnail>().composition.layers).toMatchObject([
      { kind: 'image', ellipse: true, person: { faces: [], others: [], bias: 0.4 }, ring: { width: 12 } },
    ])
    for (const bad of [{ form: 'outline' }, { outlineBias: 2 }, { outlineBias: '1' }, { ringWidth: -1 }]) {
      const refused = await asPerson(bad)
      expect([bad, refused.status]).toEqual([bad, 400])
    }
    // An edit of the clip preserves the design.
    await update(clipId, { startTimestamp: 12 })
    expect(clip()?.document.overrides?.thumbnail).toMatchObject({ moment: 15 })
    expect(clip()?.renderedMedia).toBeNull()
    await save(null)
    expect(clip()?.document.overrides).toBeUndefined()
    const twice = {
      id: 'a',
      kind: 'picture' as const,
      url: 'x',
      xPercent: 0,
      yPercent: 0,
      sizePercent: 9,
      opacity: 1,
    }
    await expect(save({ moment: 15, clipLayers: true, items: [twice, twice] })).rejects.toMatchObject({
      code: 'INVALID_CLIP_UPDATE',
    })
  })

  it('keeps a thumbnail that was taken during the update', async () => {
    const { clipId } = await renderedClip()
    const { db } = server.services
    const going = updateClip(server.services, {
      companyId: 'acme',
      clipId,
      merge: true,
      body: { updates: { bio: 'edited' } },
    })
    expect(saveThumbnail(db, clipId, getClip(db, 'acme', clipId)?.revision ?? 0, 'taken')).toBe(true)
    await going
    const { document } = getClip(db, 'acme', clipId) ?? {}
    expect([document?.bio, document?.media.thumbnail]).toEqual(['edited', 'taken'])
    // A still that was taken of an outdated clip is not stored.
    expect(saveThumbnail(db, clipId, 1, 'of before')).toBe(false)
    expect(getClip(db, 'acme', clipId)?.document.media.thumbnail).toBe('taken')
  })

  it('segments: duration is updated automatically, and the response echoes both', async () => {
    const { clipId } = await renderedClip()
    const segments = [
      { start: 20, end: 30 },
      { startSeconds: 0, endSeconds: 12.5 },
    ]
    const body = (await update(clipId, { segments })).json<UpdateClipResponse>()
    expect(body.updatedFields).toEqual(['segments', 'duration'])
    expect(body.updates).toEqual({
      duration: 22.5,
      segments: [
        { startSeconds: 0, endSeconds: 12.5 },
        { startSeconds: 20, endSeconds: 30 },
      ],
    })
    expect(await read(clipId)).toMatchObject({
      duration: 22.5,
      segments: [
        { startSeconds: 0, endSeconds: 12.5 },
        { startSeconds: 12.5, endSeconds: 22.5 },
      ],
      playedRanges: [
        { start: 10, end: 22.5 },
        { start: 30, end: 40 },
      ],
    })
    expect(planRender(server.services, clipId).composition.durationFrames).toBe(675)
    expect((await update(clipId, { segments: [] })).json()).toMatchObject({
      updates: { duration: 30, segments: [] },
    })
  })

  it('with merge true or omitted nested configs are shallow-merged, with false replaced', async () => {
    const { clipId } = await renderedClip()
    await update(clipId, { subtitleConfig: { fontColor: '#ff0000' } })
    expect((await read(clipId)).subtitleConfig).toEqual({ fontSize: '60', fontColor: '#ff0000' })
    await update(clipId, { subtitleConfig: { fontColor: '#00ff00' }, merge: true })
    expect((await read(clipId)).subtitleConfig).toEqual({ fontSize: '60', fontColor: '#00ff00' })
    await update(clipId, { subtitleConfig: { fontColor: '#0000ff' }, merge: false })
    expect((await read(clipId)).subtitleConfig).toEqual({ fontColor: '#0000ff' })
  })

  it('endCardOption or end_card_option', async () => {
    const { clipId } = await renderedClip()
    const body = (await update(clipId, { end_card_option: { url: 'https://x/card.png' } })).json()
    expect(body).toMatchObject({
      updatedFields: ['endCardOption'],
      updates: { endCardOption: { url: 'https://x/card.png' } },
    })
    expect((await read(clipId)).endCardOption).toEqual({ url: 'https://x/card.png' })
  })

  it('an edit that changes picture or sound clears the cached renderedUrl; others do not', async () => {
    const { clipId } = await renderedClip()
    await update(clipId, { bio: 'x', people: ['y'], keywords: ['z'] })
    expect(await read(clipId)).toHaveProperty('renderedUrl')
    await update(clipId, { title: 'The headline' })
    expect(await read(clipId)).not.toHaveProperty('renderedUrl')
    const { layers } = planRender(server.services, clipId).composition
    expect(layers.find((layer) => layer.kind === 'title')?.text).toBe('The headline')
  })
})

describe('start and end', () => {
  /** The words of the whole source, where the run's caption stage left them. */
  async function wholeTranscript(runId: string): Promise<void> {
    const folder = artefactFolder(server.services.home.artefacts, 'captions', 'c'.repeat(64))
    await mkdir(folder, { recursive: true })
    const words = [
      word('First.', 1),
      word('padding', 6),
      word('original.', 12),
      word('end.', 39),
      word('Late', 46),
      word('last.', 59),
    ]
    const transcript = { origin: 'embedded-captions', language: 'en', detail: '', words }
    await writeFile(join(folder, 'transcript.json'), JSON.stringify(transcript))
    const output = { transcriptFile: 'transcript.json', wordCount: words.length }
    const stage = {
      runId,
      slot: 'captions',
      stage: 'captions' as const,
      key: 'c'.repeat(64),
      state: 'finished' as const,
      output,
    }
    server.services.db.orm
      .insert(runStages)
      .values({ ...stage, startedAt: 0 })
      .run()
  }
  const wordsOf = async (clipId: string) =>
    (await server.call(`/clip-transcript?companyId=acme&clipId=${clipId}`)).json<{ words: PublicWord[] }>()
      .words

  it('beyond the original cut: re-cut from the stored source, with the words of the new part and the edits of the old', async () => {
    const { clipId, runId } = await renderedClip()
    await wholeTranscript(runId)
    const answer = await update(clipId, { startTimestamp: 0.5, endTimestamp: 48 })
    expect(answer.json()).toEqual({
      clipId,
      status: 'success',
      updatedFields: ['duration', 'startTimestamp', 'endTimestamp'],
      updates: { duration: 47.5, startTimestamp: 0.5, endTimestamp: 48 },
    })
    expect((await wordsOf(clipId)).map((one) => [one.word, one.visible])).toEqual([
      ['First.', true],
      ['padding', true],
      ['Edited.', true],
      ['end.', true],
      ['Late', true],
    ])
    const { pathname } = new URL((await read(clipId)).transcriptUrl ?? '')
    const file = (await server.call(pathname, { key: null })).json<{
      words: { word: string; start: number }[]
    }>()
    expect(file.words.map((one) => [one.word, one.start])).toContainEqual(['Late', 46])
    const { timeMap } = planRender(server.services, clipId).composition
    const first = timeMap[0]
    const last = timeMap.at(-1)
    expect(ticksToSeconds(first?.sourceStart ?? 0)).toBeCloseTo(0.5)
    expect(ticksToSeconds(last?.sourceEnd ?? 0)).toBeCloseTo(48)
    expect(getClip(server.services.db, 'acme', clipId)?.document).toMatchObject({
      extended: { start: 0, end: 58 },
      timestampBoundary: { start: 10, end: 40 },
      boundaries: { start: { sentenceEdge: true }, end: { sentenceEdge: true } },
    })
  })

  it('report that the words of the source are missing; inside the extracted range they are not needed', async () => {
    const { clipId } = await renderedClip()
    expect((await update(clipId, { endTimestamp: 44 })).json()).not.toHaveProperty('warnings')
    expect((await update(clipId, { endTimestamp: 50 })).json()['warnings']).toHaveLength(1)
    expect((await wordsOf(clipId)).map((one) => one.word)).toEqual(['padding', 'Edited.', 'end.'])
  })

  it('are refused outside the source', async () => {
    const { clipId } = await renderedClip()
    const answer = await update(clipId, { endTimestamp: 61 })
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { code: 'INVALID_CLIP_UPDATE', details: { field: 'endTimestamp' } },
    ])
  })
})

describe('refusals', () => {
  it('fields outside the table: 400 UNSUPPORTED_CLIP_FIELDS with details.fields, before anything else', async () => {
    const answer = await update('none', { viralityScore: 9, updates: { renderedUrl: 'x', title: 5 } })
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      {
        code: 'UNSUPPORTED_CLIP_FIELDS',
        status: 'error',
        details: { fields: ['viralityScore', 'renderedUrl'] },
      },
    ])
  })

  it.each<[string, Record<string, unknown>]>([
    ['no editable field', {}],
    ['a segment beyond the clip', { segments: [{ startSeconds: 0, endSeconds: 31 }] }],
    [
      'overlapping segments',
      {
        segments: [
          { start: 0, end: 2 },
          { start: 1, end: 3 },
        ],
      },
    ],
    ['a segment too short to be seen', { segments: [{ start: 0, end: 0.001 }] }],
    ['a malformed segment', { segments: [{ from: 0, to: 2 }] }],
    ['an unknown name in a nested config', { updates: { titleConfig: { colour: 'red' } } }],
  ])('%s: 400 INVALID_CLIP_UPDATE, and nothing is changed', async (_name, fields) => {
    const { clipId } = await renderedClip()
    const answer = await update(clipId, fields)
    expect([answer.status, answer.json()['code']]).toEqual([400, 'INVALID_CLIP_UPDATE'])
    expect(getClip(server.services.db, 'acme', clipId)).toMatchObject({ revision: 1, renderKey: 'k' })
  })

  it('an unknown clip: 404 CLIP_NOT_FOUND; another company: 401 INVALID_API_KEY', async () => {
    const unknown = await update('none', { title: 'x' })
    expect([unknown.status, unknown.json()['code']]).toEqual([404, 'CLIP_NOT_FOUND'])
    const { key } = addCompany(server, 'update-rival')
    const foreign = await update((await renderedClip()).clipId, { title: 'x' }, key)
    expect([foreign.status, foreign.json()['code']]).toEqual([401, 'INVALID_API_KEY'])
  })

  it.each<[string, Record<string, unknown>]>([
    ['clipId', { clipId: null }],
    ['updates', { updates: [] }],
    ['updates', { updates: 'title' }],
    ['merge', { merge: 'no', title: 'x' }],
  ])('%s missing or of the wrong type: 400 INVALID_REQUEST', async (field, fields) => {
    expect((await update('x', fields)).json()).toMatchObject({ code: 'INVALID_REQUEST', details: { field } })
  })
})

describe('transitions', () => {
  it('are saved, and change neither the duration nor the segments', async () => {
    const { clipId } = await renderedClip()
    await update(clipId, { segments: [{ start: 0, end: 10 }, { start: 14, end: 30 }] }) // prettier-ignore
    const before = getClip(server.services.db, 'acme', clipId)
    const motionConfig = { transition: 'cross_fade', transitionSeconds: 0.5, transitionSound: 'whoosh' }
    const answer = await update(clipId, { motionConfig })
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      { updatedFields: ['motionConfig'], updates: { motionConfig } },
    ])
    const after = getClip(server.services.db, 'acme', clipId)
    expect(after?.document.motionConfig).toEqual(motionConfig)
    expect(after?.document).toMatchObject({
      duration: before?.document.duration,
      segments: before?.document.segments,
    })
  })

  it.each([
    [{ transition: 'swipe' }, 'motionConfig.transition'],
    [{ sounds: [{ sound: 'bang', at: 1 }] }, 'motionConfig.sounds.0.sound'],
    [
      { keyframes: [{ layer: 'title', property: 'text', points: [{ time: 1, value: 1 }] }] },
      'motionConfig.keyframes.0.property',
    ],
  ])('that are wrong are refused by the field: %j', async (motionConfig, path) => {
    const { clipId } = await renderedClip()
    const answer = await update(clipId, { motionConfig })
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { code: 'INVALID_CLIP_UPDATE', details: { field: 'motionConfig', path } },
    ])
  })
})
