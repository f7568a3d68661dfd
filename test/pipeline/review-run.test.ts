/** Review first: runs that end at found clips, decisions, picks from what was measured, and what is rendered then. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ResolvedNode } from '../../server/contract/run.ts'
import type { PickRequest } from '../../server/contract/review.ts'
import { getClip } from '../../server/db/clips.ts'
import { listEventsAfter } from '../../server/db/events.ts'
import { listRunClips } from '../../server/db/run-clips.ts'
import { createRunWithOperation, getRun } from '../../server/db/runs.ts'
import { openEditor, saveDraft } from '../../server/domain/clips/editor.ts'
import {
  decideClips,
  findAgain,
  mergeClips,
  pickRange,
  renderKept,
} from '../../server/domain/review/decide.ts'
import { readReview, readSourceWords } from '../../server/domain/review/read-review.ts'
import { cancelRun, getWorkflowResults } from '../../server/domain/runs/runs.ts'
import { artefactFolder } from '../../workers/paths.ts'
import { node } from '../support/node-values.ts'
import { openRunEnvironment, type RunEnvironment } from '../support/run-environment.ts'
import { settledRun, slotsOf, until } from '../support/run-on-jobs.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'

const RANGES = [
  { start: 4, end: 7.2 },
  { start: 12, end: 15.2 },
  { start: 20, end: 23.2 },
]
const NODES: readonly ResolvedNode[] = [
  node('find_clips', { min_length: 3, max_length: 12, pinnedTimestamps: RANGES, pinnedTimestampsOnly: true }),
  node('add_subtitles'),
]
const COMPANY = 'c'
let place: RunEnvironment
let talk: TinyTalk
let runId: string

beforeAll(async () => {
  place = await openRunEnvironment()
  talk = await makeTinyTalk(place.root)
})
afterAll(() => place.close())

function start(endsAt: { endsAt?: 'found' }): string {
  const made = createRunWithOperation(place.db, {
    companyId: COMPANY,
    now: Date.now(),
    snapshot: {
      workflowId: 'w',
      workflowName: 'W',
      nodes: [...NODES],
      originalUrl: 'talk.mp4',
      keywords: [],
      source: { kind: 'file', path: talk.video, displayName: 'talk.mp4' },
      channel: 'current',
      pipelineVersion: '1.0.0',
      ...endsAt,
    },
  })
  place.jobs.wake()
  return made.runId
}
const address = () => ({ companyId: COMPANY, runId })
const review = () => readReview(place.services, { ...address(), baseUrl: 'http://x' })
/** Of the run itself, by their place in the source. */
const clipsInOrder = () =>
  listRunClips(place.db, runId)
    .filter(({ pick }) => pick === 0)
    .sort((a, b) => a.document.startTimestamp - b.document.startTimestamp)
const typesOf = (types: string) =>
  listEventsAfter(place.db, 0, { limit: 10_000 }).filter(({ type }) => type.startsWith(types))
const settledPicks = () =>
  until(
    () => review().picks.every(({ state }) => state !== 'open'),
    60_000,
    () => JSON.stringify(review().picks),
  )

describe('a run that ends at found clips', () => {
  it('lists them playable, one by one, and renders none', async () => {
    runId = start({ endsAt: 'found' })
    expect((await settledRun(place.db, runId)).status).toBe('Completed')
    const { clips, source, endsAt, run, isStopped } = review()
    expect([endsAt, run.clipCount, isStopped]).toEqual(['found', 3, false])
    for (const clip of clips) {
      expect(clip).toMatchObject({
        review: 'undecided',
        keptOrder: null,
        pick: 0,
        render: null,
        isOutdated: false,
      })
      expect(clip.renderedUrl).toBeUndefined()
      expect(clip.rawUrl).toBeDefined()
      expect(clip.thumbnailURL).toBeDefined()
      expect(clip.firstLine).not.toBe('')
      const editor = openEditor(place.services, { companyId: COMPANY, clipId: clip.id, baseUrl: '' })
      expect(editor.source.url).not.toBeNull()
      expect(editor.preview.composition.durationFrames).toBeGreaterThan(0)
    }
    expect(source).toMatchObject({
      name: 'talk.mp4',
      picture: { width: 320, height: 180 },
      hasTranscript: true,
    })
    expect(source?.url).toMatch(/^http:\/\/x\/media\//)
    expect([...slotsOf(place.db, runId).values()].some(({ stage }) => stage === 'render')).toBe(false)
    expect(typesOf('clip.created')).toHaveLength(3)
    expect(typesOf('clip.rendered')).toHaveLength(0)
    const created = listRunClips(place.db, runId).map(({ updatedAt }) => updatedAt)
    expect(new Set(created).size).toBeGreaterThan(1)
    const results = getWorkflowResults(place.services, { companyId: COMPANY, triggerId: runId, baseUrl: '' })
    expect([results.status, results.clips.length, results.clips[0]?.renderedUrl]).toEqual([
      'Completed',
      3,
      undefined,
    ])
  })

  it('has the words of its whole source', async () => {
    const words = await readSourceWords(place.services, { ...address(), from: 2, limit: 3 })
    expect(words).toMatchObject({ language: 'und', words: [{ index: 2 }, { index: 3 }, { index: 4 }] })
    expect(words.count).toBeGreaterThan(60)
  })

  it('renders what is kept, in the order of keeping, as it was edited', async () => {
    const [first, second, third] = clipsInOrder()
    if (first === undefined || second === undefined || third === undefined) throw new Error('no clips')
    const decide = (clipId: string, state: 'kept' | 'rejected' | 'undecided') =>
      decideClips(place.services, { ...address(), decisions: [{ clipId, review: state }] }).clips[0]
    expect(decide(third.id, 'kept')).toMatchObject({ review: 'kept', keptOrder: 1 })
    expect(decide(first.id, 'kept')).toMatchObject({ keptOrder: 2 })
    expect(decide(second.id, 'rejected')).toMatchObject({ review: 'rejected', keptOrder: null })
    // Undone and decided again: a change of state, nothing else.
    expect(decide(second.id, 'undecided')).toMatchObject({ review: 'undecided' })
    expect(getClip(place.db, COMPANY, second.id)?.revision).toBe(1)
    expect(() => decide('nobody', 'kept')).toThrow(/No such clip/)
    const { etag } = openEditor(place.services, { companyId: COMPANY, clipId: first.id, baseUrl: '' })
    const shorter = { startTimestamp: 4, endTimestamp: 6 }
    await saveDraft(place.services, { companyId: COMPANY, clipId: first.id, etag, updates: shorter })
    const { renders } = renderKept(place.services, address())
    expect(renders.map(({ clipId }) => clipId)).toEqual([third.id, first.id])
    for (const { operationId } of renders) {
      const settled = await place.jobs.whenSettled(operationId, 60_000)
      expect(settled).toMatchObject({ state: 'succeeded' })
    }
    expect(typesOf('clip.rendered').map(({ subjectId }) => subjectId)).toEqual([third.id, first.id])
    expect(renderKept(place.services, address()).renders).toEqual([])
    const shown = review().clips.find(({ id }) => id === first.id)
    expect(shown).toMatchObject({ duration: 2, isOutdated: false, render: { state: 'succeeded' } })
    expect(shown?.renderedUrl).toBeDefined()
  })
})

describe('a pick', () => {
  it('finds clips with other settings from what was measured, and none of those that are there', async () => {
    const before = slotsOf(place.db, runId)
    findAgain(place.services, {
      ...address(),
      prompt: 'money and studios',
      minLength: 5,
      maxLength: 20,
      maxClips: 2,
    })
    await settledPicks()
    const [pick] = review().picks
    expect(pick).toMatchObject({ number: 1, kind: 'find', state: 'finished', error: null })
    const after = slotsOf(place.db, runId)
    const ofRun = [...after.keys()].filter((slot) => !slot.startsWith('pick:'))
    expect(ofRun.sort()).toEqual([...before.keys()].sort())
    for (const slot of ofRun) expect(after.get(slot)).toEqual(before.get(slot))
    expect(after.get('pick:1:find-clips')).toMatchObject({ state: 'finished', attempts: 1 })
    expect(
      [...after.values()].filter(({ stage }) => ['captions', 'speech', 'audio'].includes(stage)),
    ).toHaveLength(2)
    const found = review().clips.filter((clip) => clip.pick === 1)
    expect(found.length).toBeGreaterThan(0)
    for (const clip of found) expect(clip.relevance).toBeTypeOf('number')
    // What was kept before is as it was.
    expect(review().clips.filter((clip) => clip.review === 'kept')).toHaveLength(2)

    findAgain(place.services, {
      ...address(),
      prompt: 'money and studios',
      minLength: 5,
      maxLength: 20,
      maxClips: 2,
    })
    await settledPicks()
    const again = review().picks.at(-1)
    expect(again?.state).toBe('finished')
    expect(again?.known).toHaveLength(found.length)
    expect(review().clips.filter((clip) => clip.pick === 2)).toEqual([])
    expect(getRun(place.db, runId)?.status).toBe('Completed')
  })

  it('makes a clip of a range, and one of several clips', async () => {
    expect(pickRange(place.services, { ...address(), start: 30, end: 33 })).toMatchObject({ state: 'open' })
    const [first, second] = clipsInOrder()
    if (first === undefined || second === undefined) throw new Error('no clips')
    mergeClips(place.services, { ...address(), clipIds: [second.id, first.id] })
    await settledPicks()
    const { clips, picks } = review()
    expect(picks.map(({ state, error }) => [state, error])).toEqual(picks.map(() => ['finished', null]))
    const range = clips.find(({ pick }) => pick === 3)
    expect(range).toMatchObject({ startTimestamp: 30, endTimestamp: 33, review: 'undecided' })
    const merged = clips.find(({ pick }) => pick === 4)
    // The first was shortened to 2 s before.
    expect(merged).toMatchObject({
      startTimestamp: 4,
      endTimestamp: 15.2,
      segments: [
        { startSeconds: 0, endSeconds: 2 },
        { startSeconds: 2, endSeconds: 5.2 },
      ],
      playedRanges: [
        { start: 4, end: 6 },
        { start: 12, end: 15.2 },
      ],
      review: 'kept',
    })
    expect(merged?.duration).toBeCloseTo(5.2)
    expect(getClip(place.db, COMPANY, first.id)?.review).toBe('rejected')
    expect(getClip(place.db, COMPANY, second.id)?.review).toBe('rejected')
    expect(() => pickRange(place.services, { ...address(), start: 39.5, end: 80 })).toThrow(/at least 1 s/)
    expect(() => mergeClips(place.services, { ...address(), clipIds: [first.id, first.id] })).toThrow(
      /two clips/,
    )
  })

  it('fails alone, with a sentence, and measures again what was removed', async () => {
    const audio = slotsOf(place.db, runId).get('audio')
    await rm(artefactFolder(place.home.artefacts, 'audio', audio?.key ?? ''), { recursive: true })
    pickRange(place.services, { ...address(), start: 24, end: 27 })
    findAgain(place.services, { ...address(), minLength: 300 })
    await settledPicks()
    const [range, none] = review().picks.slice(-2)
    expect([range?.state, range?.error]).toEqual(['finished', null])
    expect(none).toMatchObject({ state: 'failed', errorCode: 'VIDEO_TOO_SHORT' })
    expect(
      existsSync(join(artefactFolder(place.home.artefacts, 'audio', audio?.key ?? ''), 'result.json')),
    ).toBe(true)
  })
})

describe('a run that renders everything', () => {
  it('keeps the clips whose files are there when it is stopped', async () => {
    runId = start({})
    const listed = () => listRunClips(place.db, runId).filter(({ published }) => published)
    await until(
      () => listed().length > 0,
      60_000,
      () => JSON.stringify([...slotsOf(place.db, runId).keys()]),
    )
    // Until the run is Completed the public API shows no clips.
    const results = () =>
      getWorkflowResults(place.services, { companyId: COMPANY, triggerId: runId, baseUrl: '' })
    if (getRun(place.db, runId)?.status === 'Processing') expect(results().clips).toEqual([])
    cancelRun(place.services, { companyId: COMPANY, triggerId: runId })
    const ended = await settledRun(place.db, runId)
    if (ended.status === 'Completed') return
    expect(results()).toMatchObject({ status: 'Error', code: 'CANCELLED', clips: [] })
    const { clips, isStopped } = review()
    expect(isStopped).toBe(true)
    expect(clips).toHaveLength(listed().length)
    for (const clip of clips) expect(clip.renderedUrl).toBeDefined()
    // What was found before the stop can still be picked from.
    const request: PickRequest = { kind: 'range', start: 30, end: 33 }
    pickRange(place.services, { ...address(), start: request.start, end: request.end })
    await settledPicks()
    expect(review().picks).toMatchObject([{ state: 'finished' }])
  })
})
