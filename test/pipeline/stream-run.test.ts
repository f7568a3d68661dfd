/** A whole run of a live event, through the orchestrator: clips of the first chunk are there before the event is over. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import type { ResolvedNode } from '../../server/contract/run.ts'
import { listRecentClips } from '../../server/db/clips.ts'
import { getOperation } from '../../server/db/operations.ts'
import { createRunWithOperation, getRun } from '../../server/db/runs.ts'
import { getClip } from '../../server/domain/clips/get-clip.ts'
import { getWorkflowResults } from '../../server/domain/runs/runs.ts'
import { renderClip } from '../../server/domain/rendering/render-clip.ts'
import type { Services } from '../../server/domain/services.ts'
import { updateClip } from '../../server/domain/clips/update-clip.ts'
import { startJobs, type RunningJobs } from '../../server/jobs/orchestrator.ts'
import { createLogger } from '../../server/log.ts'
import { itemsOf, makeEventMedia, startEvent, type EventMedia, type HlsEvent } from '../support/hls-event.ts'
import { describeRun, makeHome, slotsOf, until, type TestHome } from '../support/run-on-jobs.ts'

let root: string
let media: EventMedia
let place: TestHome
let jobs: RunningJobs
let services: Services
let event: HlsEvent | null = null

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-stream-'))
  media = await makeEventMedia(root, { seconds: 10, frequency: 0 })
  place = makeHome(join(root, 'home'))
  const { home, db } = place
  const environment = { CUTROOM_MIN_FREE_BYTES: '0', CUTROOM_STREAM_CHUNK: '4' }
  const config = loadConfig({ home: home.root }, environment)
  const deps = { config, home, db, log: createLogger('error'), now: Date.now }
  jobs = await startJobs(deps)
  services = { ...deps, jobs }
})
afterEach(async () => {
  await event?.close()
  event = null
})
afterAll(async () => {
  await jobs.stop()
  await place.remove()
  await rm(root, { recursive: true, force: true })
})

function queue(url: string, nodes: readonly ResolvedNode[] = []) {
  const queued = createRunWithOperation(place.db, {
    companyId: 'c',
    snapshot: {
      workflowId: 'w',
      workflowName: 'W',
      nodes: [...nodes],
      originalUrl: url,
      keywords: [],
      source: { kind: 'url', url },
      channel: 'current',
      pipelineVersion: '1.0.0',
    },
    now: Date.now(),
  })
  jobs.wake()
  return queued
}

const pinned = (...ranges: [number, number][]): ResolvedNode => ({
  id: 'f',
  type: 'find_clips',
  enabled: true,
  config: {
    min_length: 1,
    max_length: 30,
    pinnedTimestampsOnly: true,
    pinnedTimestamps: ranges.map(([start, end]) => ({ start, end })),
  },
})

const shownClips = (runId: string) =>
  listRecentClips(place.db, 'c', 100)
    .filter((clip) => clip.runId === runId)
    .sort((a, b) => (a.document.chunk?.index ?? 0) - (b.document.chunk?.index ?? 0))

const results = (triggerId: string) =>
  getWorkflowResults(services, { companyId: 'c', triggerId, baseUrl: 'http://x' })

it('shows the clips of a chunk during the event, and edits and renders them', async () => {
  const live = (event = await startEvent({ items: itemsOf(media), holdAt: 6 }))
  const { runId, operationId } = queue(live.url)
  // The queue knows that it cannot wait.
  expect(getOperation(place.db, operationId)?.input).toEqual({ live: true })
  const [first] = await until(
    () => shownClips(runId).length > 0 && shownClips(runId),
    60_000,
    () => describeRun(place.db, runId),
  )
  // The event pauses at its sixth second and is not over.
  expect(live.shown()).toBe(6)
  expect(getRun(place.db, runId)).toMatchObject({ status: 'Processing' })
  expect(results(runId)).toMatchObject({ status: 'Processing', clips: [] })
  await until(
    () => /^Recording: \d+ s so far, 1 part finished$/.test(results(runId).stage),
    60_000,
    () => results(runId).stage,
  )
  expect(results(runId).progress).toBeLessThan(0.9)
  if (first === undefined) throw new Error('no clip')
  const clip = getClip(services, { companyId: 'c', clipId: first.id, baseUrl: 'http://x' })
  expect(clip).toMatchObject({ chunkIndex: 0, episodeOffsetSeconds: 0, startTimestamp: 0 })
  expect(clip.sourceId).toMatch(/^live_[0-9a-f]{32}$/)
  expect(clip.duration).toBeCloseTo(4, 0)
  // Lists of clips find it by the event.
  const listed = place.db.sqlite.prepare<[string], { source_id: string }>(
    'select source_id from listed_clips where clip_id = ?',
  )
  expect(listed.get(first.id)?.source_id).toBe(clip.sourceId)
  // It is a clip like any other meanwhile.
  const body = { updates: { startTimestamp: 1.5 } }
  await updateClip(services, { companyId: 'c', clipId: first.id, body, merge: true })
  expect(await renderClip(services, { companyId: 'c', clipId: first.id })).toMatchObject({
    status: 'finished',
  })

  live.release()
  expect(await jobs.whenSettled(operationId, 60_000)).toMatchObject({ state: 'succeeded', failure: null })
  const clips = shownClips(runId)
  expect(clips.map(({ id }) => id)).toContain(first.id)
  const presented = clips.map(({ id }) =>
    getClip(services, { companyId: 'c', clipId: id, baseUrl: 'http://x' }),
  )
  expect(presented.map((one) => [one.chunkIndex, one.episodeOffsetSeconds])).toEqual([
    [0, 1.5],
    [1, 4],
    [2, 8],
  ])
  // One episode, three sources; times are those of the chunk.
  expect(new Set(presented.map((one) => one.sourceId)).size).toBe(1)
  expect(new Set(clips.map(({ sourceDigest }) => sourceDigest)).size).toBe(3)
  expect(presented[1]).toMatchObject({ startTimestamp: 0 })
  // What was edited while the event went on is as it was edited.
  expect(presented[0]?.startTimestamp).toBe(1.5)
  const ended = results(runId)
  expect(ended).toMatchObject({ status: 'Completed', progress: 1 })
  expect(ended.clips.map((one) => one.chunkIndex).sort()).toEqual([0, 1, 2])
  expect(Object.hasOwn(ended.clips[0] ?? {}, 'episodeOffsetSeconds')).toBe(false)
  expect(await readdir(place.home.temporary)).toEqual([])
})

it('takes pinned ranges as times of the event; a chunk without one has no clips', async () => {
  event = await startEvent({ items: itemsOf(media), step: 5 })
  const { runId, operationId } = queue(event.url, [pinned([1, 3], [8.5, 9.8])])
  expect(await jobs.whenSettled(operationId, 60_000), describeRun(place.db, runId)).toMatchObject({
    state: 'succeeded',
  })
  const clips = shownClips(runId)
  expect(clips.map(({ document: { chunk, startTimestamp } }) => [chunk?.index, startTimestamp])).toEqual([
    [0, 1],
    [2, 0.5],
  ])
  expect(slotsOf(place.db, runId).has('chunk:1:probe')).toBe(false)
})

it('takes an address that is complete at once for an ordinary source', async () => {
  event = await startEvent({ items: itemsOf(media), step: Infinity })
  const { runId, operationId } = queue(event.url, [pinned([2, 5])])
  expect(await jobs.whenSettled(operationId, 60_000), describeRun(place.db, runId)).toMatchObject({
    state: 'succeeded',
  })
  const [clip, ...more] = shownClips(runId)
  expect(more).toEqual([])
  expect(clip?.document).toMatchObject({ startTimestamp: 2, endTimestamp: 5 })
  expect(clip?.document.chunk).toBeUndefined()
  const shown = getClip(services, { companyId: 'c', clipId: clip?.id ?? '', baseUrl: 'http://x' })
  expect([shown.chunkIndex, shown.episodeOffsetSeconds]).toEqual([undefined, undefined])
  expect(shown.sourceId).toBe(clip?.sourceDigest)
  expect([...slotsOf(place.db, runId).keys()]).toEqual(
    expect.arrayContaining(['record', 'probe', 'clip:0:render']),
  )
})

it('finds a playlist behind an address without its extension', async () => {
  const live = (event = await startEvent({ items: itemsOf(media).slice(0, 4), step: 4 }))
  const { runId, operationId } = queue(live.url.replace('/live.m3u8', '/hidden'))
  expect(await jobs.whenSettled(operationId, 60_000), describeRun(place.db, runId)).toMatchObject({
    state: 'succeeded',
  })
  expect(shownClips(runId)).toHaveLength(1)
})

it('ends at once when it is cancelled, and leaves nothing half-done', async () => {
  const live = (event = await startEvent({ items: itemsOf(media), holdAt: 2 }))
  const { runId, operationId } = queue(live.url)
  await until(
    () => live.requests.includes('/live/segment/1'),
    60_000,
    () => describeRun(place.db, runId),
  )
  jobs.cancel(operationId)
  expect(await jobs.whenSettled(operationId, 10_000)).toMatchObject({ state: 'cancelled' })
  expect(getRun(place.db, runId)).toMatchObject({ status: 'Error', errorCode: 'CANCELLED' })
  await until(
    async () => (await readdir(place.home.temporary)).length === 0,
    10_000,
    () => 'the scratch folder stays',
  )
})

it('fails before it records where a speech model is missing that every clip would need', async () => {
  const live = (event = await startEvent({ items: itemsOf(media) }))
  const search: ResolvedNode = { id: 'f', type: 'find_clips', enabled: true, config: { min_length: 1 } }
  const { operationId } = queue(live.url, [search])
  expect(await jobs.whenSettled(operationId, 60_000)).toMatchObject({
    state: 'failed',
    failure: { code: 'MODEL_NOT_INSTALLED' },
  })
  expect(live.requests).toEqual([])
})
