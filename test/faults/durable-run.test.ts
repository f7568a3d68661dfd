/**
 * kill -9 at any moment loses at most the running stage. The appliance's jobs part runs as a process of its own on real
 * stages and tiny media; the test kills it, its engine, or a tool, and looks at what is left.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { getMedia } from '../../server/db/media.ts'
import { getOperation, requestCancel } from '../../server/db/operations.ts'
import { insertPick, listOpenPicks, listPicks } from '../../server/db/picks.ts'
import { listRunClips } from '../../server/db/run-clips.ts'
import { getRun, listRunStages, reopenRun, type RunStage } from '../../server/db/runs.ts'
import { planRender } from '../../server/domain/rendering/render-clip.ts'
import { artefactFolder } from '../../workers/artefacts.ts'
import { STAGES } from '../../workers/stages/catalog.ts'
import {
  commandLine,
  describeRun,
  engineOf,
  makeHome,
  processesNaming,
  queueRun,
  settledRun,
  slotsOf,
  startJobsProcess,
  until,
  type JobsProcess,
  type TestHome,
} from '../support/run-on-jobs.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'
import { measureSlowness } from '../support/pace.ts'

const SLOTS = [
  'ingest',
  'probe',
  'audio',
  'peaks',
  'captions',
  'find-clips',
  ...[0, 1].flatMap((n) =>
    ['render', 'cut', 'thumbnail', 'transcript-file'].map((stage) => `clip:${n}:${stage}`),
  ),
].sort()
const TOOLS = /ff(mpeg|probe)/

let root: string
let talk: TinyTalk
let place: TestHome
let jobs: JobsProcess | null = null

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-durable-'))
  talk = await makeTinyTalk(root)
})
afterAll(() => rm(root, { recursive: true, force: true }))
beforeEach(async () => {
  place = makeHome(await mkdtemp(join(root, 'home-')))
})
afterEach(async () => {
  await jobs?.kill()
  jobs = null
  await place.remove()
})

const start = async (minFreeBytes = 0): Promise<JobsProcess> =>
  (jobs = await startJobsProcess(place.home, minFreeBytes))

/** The slot's row, as soon as it runs for the `attempt`th time. */
const running = (runId: string, slot: string, attempt = 1) =>
  until(
    () => {
      const row = slotsOf(place.db, runId).get(slot)
      if (row?.state === 'finished') throw new Error(`${slot} was over before the test could interfere`)
      return row?.state === 'running' && row.attempts === attempt ? row : null
    },
    30_000,
    () => describeRun(place.db, runId, jobs ?? undefined),
  )

const finishedRows = (runId: string): RunStage[] =>
  listRunStages(place.db, runId).filter((row) => row.state === 'finished')

/** Everything that a completed run must be, whatever happened on the way. */
async function expectWhole(runId: string): Promise<void> {
  const run = await settledRun(place.db, runId, jobs ?? undefined)
  expect(run.status, describeRun(place.db, runId, jobs ?? undefined)).toBe('Completed')
  expect(run).toMatchObject({ progress: 1, error: null })
  expect(
    finishedRows(runId)
      .map((row) => row.slot)
      .sort(),
  ).toEqual(SLOTS)
  const clips = listRunClips(place.db, runId)
  expect(clips.map((clip) => clip.ordinal)).toEqual([0, 1])
  for (const clip of clips) {
    expect(clip.published).toBe(true)
    expect(clip.words.length).toBeGreaterThan(0)
    expect(Object.keys(clip.document.media).sort()).toEqual([
      'extended',
      'peaks',
      'source',
      'thumbnail',
      'transcript',
      'transcriptSrt',
      'transcriptVtt',
    ])
    // What POST /render would make is what the run made.
    expect(planRender(place, clip.id).cached).toBe(clip.renderedMedia)
  }
  await until(
    () => processesNaming(place.home.root, TOOLS).length === 0,
    3000,
    () => 'tools are still running',
  )
  await until(
    async () => (await readdir(place.home.temporary)).length === 0,
    2000,
    () => 'temporary files stay',
  )
}

/** What was finished at the time of the blow was not touched again. */
function expectUntouched(runId: string, before: readonly RunStage[]): void {
  const after = slotsOf(place.db, runId)
  for (const row of before) expect(after.get(row.slot)).toEqual(row)
}

it('a pick goes on after kill -9, and what the run measured is not touched', async () => {
  const { runId } = queueRun(place.db, talk.video)
  const first = await start()
  await settledRun(place.db, runId, first)
  const before = finishedRows(runId)
  const run = { id: runId, companyId: 'c' }
  insertPick(place.db, run, { kind: 'range', start: 30, end: 33 }, Date.now())
  await running(runId, 'pick:1:clip:0:cut')
  await first.kill()
  expect(listOpenPicks(place.db, runId)).toHaveLength(1)
  place.db.sqlite.prepare('update operations set available_at = 0').run()
  await start()
  await until(
    () => listOpenPicks(place.db, runId).length === 0,
    30_000,
    () => describeRun(place.db, runId, jobs ?? undefined),
  )
  expect(listPicks(place.db, runId)).toMatchObject([{ state: 'finished', failure: null }])
  expectUntouched(runId, before)
  const [picked, ...more] = listRunClips(place.db, runId).filter(({ pick }) => pick === 1)
  expect([picked?.published, picked?.document.startTimestamp, more]).toEqual([true, 30, []])
})

describe('kill -9 of the server', () => {
  it.each(['audio', 'clip:1:render'])('during %s', async (slot) => {
    const { runId } = queueRun(place.db, talk.video)
    const first = await start()
    await running(runId, slot)
    const engine = engineOf(first)
    await first.kill()
    const before = finishedRows(runId)
    const clipsBefore = listRunClips(place.db, runId).map((clip) => clip.id)
    expect(getRun(place.db, runId)?.status).toBe('Processing')
    // Nothing outlives it: the engine ends with its channel, the tools by the reaper.
    await until(
      () => processesNaming(place.home.root, TOOLS).length === 0 && !existsSync(`/proc/${engine ?? 0}`),
      3000,
      () => 'the engine or a tool outlived the server',
    )
    await start()
    await expectWhole(runId)
    expectUntouched(runId, before)
    if (clipsBefore.length > 0)
      expect(listRunClips(place.db, runId).map((clip) => clip.id)).toEqual(clipsBefore)
    expect(slotsOf(place.db, runId).get(slot)?.attempts).toBe(2)
  })

  it('repeatedly at the same stage is survived up to a limit: then INTERRUPTED, and can be resumed', async () => {
    const { runId } = queueRun(place.db, talk.video)
    // Backoff of the operation: it is lost again and again.
    const now = () => place.db.sqlite.prepare('update operations set available_at = 0').run()
    for (let attempt = 1; attempt <= 4; attempt++) {
      now()
      const server = await start()
      await running(runId, 'clip:0:render', attempt)
      await server.kill()
    }
    now()
    place.db.sqlite
      .prepare("update run_stages set attempts_since_progress = 12 where slot = 'clip:0:render'")
      .run()
    await start()
    expect(await settledRun(place.db, runId, jobs ?? undefined)).toMatchObject({
      status: 'Error',
      errorCode: 'INTERRUPTED',
    })
    expect(reopenRun(place.db, runId, Date.now())).not.toBeNull()
    await until(
      () => getRun(place.db, runId)?.status === 'Completed',
      60_000,
      () => describeRun(place.db, runId),
    )
    await expectWhole(runId)
  })
})

describe('kill -9 of a part', () => {
  it('of the engine: the run goes on in a new one', async () => {
    const { runId } = queueRun(place.db, talk.video)
    const server = await start()
    await running(runId, 'clip:0:render')
    const before = finishedRows(runId)
    const engine = engineOf(server)
    process.kill(engine ?? 0, 'SIGKILL')
    await expectWhole(runId)
    expectUntouched(runId, before)
    expect(slotsOf(place.db, runId).get('clip:0:render')?.attempts).toBe(2)
    expect(engineOf(server)).not.toBe(engine)
  })

  it('of ffmpeg: the stage is tried again', async () => {
    // Longer clips than in other tests, so that the encoder runs long enough to be killed.
    const ranges = {
      pinnedTimestampsOnly: true,
      pinnedTimestamps: [
        { start: 4, end: 19.2 },
        { start: 20, end: 35.2 },
      ],
    }
    const { runId } = queueRun(place.db, talk.video, [
      { id: 'f', type: 'find_clips', enabled: true, config: ranges },
    ])
    await start()
    await running(runId, 'clip:0:render')
    const encoder = await until(
      () =>
        processesNaming(place.home.root, /ffmpeg/).find((pid) => commandLine(pid).includes('veryfast')) ??
        null,
      10_000,
      () => describeRun(place.db, runId, jobs ?? undefined),
    )
    process.kill(encoder, 'SIGKILL')
    await expectWhole(runId)
    expect(Math.max(...listRunStages(place.db, runId).map((row) => row.attempts))).toBe(2)
  })
})

it('takes every stage of a second run from the cache, and computes again what is damaged', async () => {
  const first = queueRun(place.db, talk.video)
  await start()
  await expectWhole(first.runId)
  const audio = slotsOf(place.db, first.runId).get('audio')
  await writeFile(
    join(artefactFolder(place.home.artefacts, 'audio', audio?.key ?? ''), 'result.json'),
    '{"sta',
  )
  const second = queueRun(place.db, talk.video)
  await expectWhole(second.runId)
  for (const row of listRunStages(place.db, second.runId)) {
    const expected = STAGES[row.stage].reuse === 'content' && row.slot !== 'audio'
    expect([row.slot, row.reused]).toEqual([row.slot, expected])
  }
  // The same files, by addresses of their own, of other clips.
  const renders = [first, second].map(({ runId }) =>
    listRunClips(place.db, runId).map(({ renderedMedia }) => getMedia(place.db, renderedMedia ?? '')),
  )
  const [files = [], again = []] = renders.map((media) => media.map((one) => one?.path))
  expect(files).toEqual([expect.any(String), expect.any(String)])
  expect(again).toEqual(files)
  expect(new Set(renders.flat().map((one) => one?.id)).size).toBe(4)
  const ids = [first, second].flatMap(({ runId }) => listRunClips(place.db, runId).map((clip) => clip.id))
  expect(new Set(ids).size).toBe(4)
})

it('shuts down in order and continues without counting the attempt', async () => {
  const first = await start()
  // No other process may take the home meanwhile.
  await expect(startJobsProcess(place.home)).rejects.toThrow(/Another appliance is running/)
  const { runId } = queueRun(place.db, talk.video)
  await running(runId, 'clip:0:render')
  const requested = Date.now()
  expect(await first.stop()).toBe(0)
  expect(Date.now() - requested).toBeLessThan(5000 * measureSlowness())
  expect(processesNaming(place.home.root, TOOLS)).toEqual([])
  await start()
  await expectWhole(runId)
  expect(slotsOf(place.db, runId).get('clip:0:render')?.attempts).toBe(1)
})

it('ends in DISK_FULL when the disk is full, leaves nothing behind, and continues when there is space', async () => {
  const { runId } = queueRun(place.db, talk.video)
  const small = await start(2 ** 50)
  expect(await settledRun(place.db, runId, small)).toMatchObject({ status: 'Error', errorCode: 'DISK_FULL' })
  expect(getRun(place.db, runId)?.error).toMatch(/disk is full.*MB are needed/i)
  expect(await readdir(place.home.temporary)).toEqual([])
  expect(place.db.sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
  await small.stop()
  await start()
  expect(reopenRun(place.db, runId, Date.now())).not.toBeNull()
  await until(
    () => getRun(place.db, runId)?.status === 'Completed',
    60_000,
    () => describeRun(place.db, runId, jobs ?? undefined),
  )
  await expectWhole(runId)
})

it('cancels a run and its stages at once', async () => {
  const { runId, operationId } = queueRun(place.db, talk.video)
  await start()
  // Early: all that comes after takes longer than the half second in which a cancel is seen.
  await until(
    () => listRunStages(place.db, runId).some((row) => row.slot === 'probe'),
    20_000,
    () => describeRun(place.db, runId),
  )
  requestCancel(place.db, operationId, Date.now())
  // From another process it is seen at the next poll, half a second later on a machine that is free.
  await until(
    () => getOperation(place.db, operationId)?.state === 'cancelled',
    20_000,
    () => describeRun(place.db, runId),
  )
  expect(getRun(place.db, runId)).toMatchObject({ status: 'Error', errorCode: 'CANCELLED' })
  await until(
    () => processesNaming(place.home.root, TOOLS).length === 0,
    20_000,
    () => 'tools are still running',
  )
  const stages = listRunStages(place.db, runId)
  expect(stages.filter((row) => row.state === 'running')).toEqual([])
  // It was stopped, and did not come to its end first.
  expect(stages.find((row) => row.slot === 'clip:0:render')?.state).not.toBe('finished')
})
