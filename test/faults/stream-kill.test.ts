/** kill -9 in the middle of a live event: the recording resumes from the disk, and no clip is made twice. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { listRunClips } from '../../server/db/run-clips.ts'
import { createRunWithOperation, listRunStages } from '../../server/db/runs.ts'
import { itemsOf, makeEventMedia, startEvent, type EventMedia, type HlsEvent } from '../support/hls-event.ts'
import {
  describeRun,
  makeHome,
  settledRun,
  slotsOf,
  startJobsProcess,
  until,
  type JobsProcess,
  type TestHome,
} from '../support/run-on-jobs.ts'

let root: string
let media: EventMedia
let place: TestHome
let jobs: JobsProcess | null = null
let event: HlsEvent | null = null

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-stream-kill-'))
  media = await makeEventMedia(root, { seconds: 10, frequency: 0 })
})
afterAll(() => rm(root, { recursive: true, force: true }))
beforeEach(async () => {
  const home = await mkdtemp(join(root, 'home-'))
  await writeFile(join(home, 'config.json'), JSON.stringify({ streamChunkSeconds: 4 }))
  place = makeHome(home)
})
afterEach(async () => {
  await jobs?.kill()
  jobs = null
  await event?.close()
  event = null
  await place.remove()
})

function queue(url: string): string {
  const { runId } = createRunWithOperation(place.db, {
    companyId: 'c',
    snapshot: {
      workflowId: 'w',
      workflowName: 'W',
      nodes: [],
      originalUrl: url,
      keywords: [],
      source: { kind: 'url', url },
      channel: 'current',
      pipelineVersion: '1.0.0',
    },
    now: Date.now(),
  })
  return runId
}

const shown = (runId: string) => listRunClips(place.db, runId).filter(({ published }) => published)

it('continues in the second chunk, and does not change the clips of the first', async () => {
  const live = (event = await startEvent({ items: itemsOf(media), holdAt: 6 }))
  const runId = queue(live.url)
  jobs = await startJobsProcess(place.home)
  const explain = () => describeRun(place.db, runId, jobs ?? undefined)
  await until(() => shown(runId).length === 1, 60_000, explain)
  await until(() => live.requests.includes('/live/segment/5'), 60_000, explain)
  // The sixth second was requested, and the next poll of the playlist shows that it was stored.
  const looks = () => live.requests.filter((path) => path === '/live.m3u8').length
  const before = looks()
  await until(() => looks() > before + 1, 60_000, explain)
  const [clip] = shown(runId)
  const rows = listRunStages(place.db, runId).filter(({ state }) => state === 'finished')
  await jobs.kill()
  // A person deletes the clip meanwhile: it does not come back.
  place.db.sqlite.prepare('delete from clips where id = ?').run(clip?.id)

  live.release()
  jobs = await startJobsProcess(place.home)
  const run = await settledRun(place.db, runId, jobs)
  expect(run, explain()).toMatchObject({ status: 'Completed' })
  expect(run.warnings.join(' ')).not.toMatch(/went by|missing/)
  const clips = shown(runId)
  expect(clips.map(({ document: { chunk } }) => [chunk?.index, chunk?.offsetSeconds])).toEqual([
    [1, 4],
    [2, 8],
  ])
  for (const row of rows) expect(slotsOf(place.db, runId).get(row.slot)).toEqual(row)
  expect(slotsOf(place.db, runId).get('record')?.attempts).toBe(2)
  // Every segment was fetched once, before or after the blow.
  const segments = live.requests.filter((path) => path.includes('/segment/'))
  expect(segments.length).toBe(new Set(segments).size)
  expect(await readdir(place.home.temporary)).toEqual([])
})
