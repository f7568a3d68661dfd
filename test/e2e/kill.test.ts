/**
 * One run through the real server that is killed with -9, then its ffmpeg, then its engine; then the same address
 * again. Finished work stays finished, and no process outlives its parent. (test/faults tries single stages.)
 */
import Database from 'better-sqlite3'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandLine, processesNaming, until } from '../support/run-on-jobs.ts'
import {
  descendantsOf,
  engineBelow,
  leftovers,
  MEDIA_TOOLS,
  reopenAppliance,
  startAppliance,
  type Results,
  type RunningAppliance,
} from '../support/appliance.ts'
import { serveBytes, startBadServer, type BadServer } from '../support/bad-server.ts'
import { makeTinyTalk } from '../support/tiny-talk.ts'

interface StageRow {
  readonly slot: string
  readonly stage: string
  readonly state: string
  readonly attempts: number
  readonly reused: number
}

const WORKFLOW = {
  name: 'Vertical',
  description: '',
  nodes: [
    { id: 'find', type: 'find_clips', config: {} },
    { id: 'tall', type: 'convert_to_vertical', config: { aspect_ratio: '9:16' } },
    { id: 'captions', type: 'add_subtitles', config: {} },
  ],
  edges: [
    { source: 'find', target: 'tall' },
    { source: 'tall', target: 'captions' },
  ],
}
const SETTINGS = { nodeConfigs: { find_clips: { min_length: 8, max_length: 15 } } }

let folder = ''
let server: BadServer
let appliance: RunningAppliance
const home = () => join(folder, 'home')

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-kill-'))
  const talk = await makeTinyTalk(folder)
  const [video, captions] = await Promise.all([readFile(talk.video), readFile(talk.captions)])
  server = await startBadServer({
    '/talk.mp4': serveBytes(video),
    '/talk.srt': serveBytes(captions, { type: 'application/x-subrip' }),
  })
  const workflow = join(folder, 'workflow.json')
  await writeFile(workflow, JSON.stringify(WORKFLOW))
  appliance = await startAppliance(home(), workflow)
}, 60_000)
afterAll(async () => {
  await appliance.process.stop('SIGKILL')
  await server.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** The stages of a run, read while the appliance writes them. */
function stagesOf(runId: string): StageRow[] {
  const db = new Database(join(home(), 'cutroom.sqlite'), { readonly: true })
  try {
    const query = 'select slot, stage, state, attempts, reused from run_stages where run_id = ? order by slot'
    return db.prepare<[string], StageRow>(query).all(runId)
  } finally {
    db.close()
  }
}

const finished = (runId: string) => stagesOf(runId).filter(({ state }) => state === 'finished')
const explain = (runId: string) => (): string =>
  `${JSON.stringify(stagesOf(runId))}\n${appliance.process.stderr.slice(-20).join('\n')}`

/** The encoder of a render that is under way, once more renders are finished than `after`. */
const encoding = (runId: string, after: number): Promise<number> =>
  until(
    () => {
      const renders = finished(runId).filter(({ stage }) => stage === 'render')
      if (renders.length < after) return null
      const rendering = stagesOf(runId).some(({ stage, state }) => stage === 'render' && state === 'running')
      if (!rendering) return null
      const encoder = processesNaming(home(), /ffmpeg/).find((pid) => commandLine(pid).includes('libx264'))
      return encoder ?? null
    },
    240_000,
    explain(runId),
  )

function expectWhole(results: Results): void {
  expect([results.status, results.error]).toEqual(['Completed', undefined])
  expect(results.progress).toBe(1)
  expect(results.clips.length).toBeGreaterThanOrEqual(2)
  for (const { duration, renderedUrl } of results.clips) {
    expect(duration).toBeGreaterThanOrEqual(8 - 0.5)
    expect(duration).toBeLessThanOrEqual(15 + 0.5)
    expect(renderedUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/media\//)
  }
}

test('kill -9 of the server, of ffmpeg and of the engine in one run; then the same again from the cache', async () => {
  const began = performance.now()
  const runId = await appliance.client.trigger(server.url('/talk.mp4'), SETTINGS)

  // The server, in the middle of a render.
  await encoding(runId, 0)
  const below = descendantsOf(appliance.process.pid)
  expect(below.length).toBeGreaterThanOrEqual(2)
  await appliance.process.stop('SIGKILL')
  const before = finished(runId)
  expect(before.map(({ slot }) => slot)).toEqual(
    expect.arrayContaining(['ingest', 'probe', 'audio', 'captions', 'find-clips']),
  )
  expect(new Set(before.map(({ attempts }) => attempts))).toEqual(new Set([1]))
  await until(
    () =>
      below.every((pid) => !existsSync(`/proc/${pid}`)) && processesNaming(home(), MEDIA_TOOLS).length === 0,
    4000,
    () => `outlived the server: ${below.map(commandLine).join('\n')}`,
  )

  // An encoder, then the engine with whatever it does.
  appliance = await reopenAppliance(home(), appliance.tenant)
  process.kill(await encoding(runId, 0), 'SIGKILL')
  await until(() => finished(runId).some(({ stage }) => stage === 'render'), 240_000, explain(runId))
  await encoding(runId, 1)
  const engine = engineBelow(appliance.process.pid)
  process.kill(engine ?? 0, 'SIGKILL')

  const results = await appliance.client.settled(runId)
  const firstMs = performance.now() - began
  expectWhole(results)
  const after = new Map(stagesOf(runId).map((row) => [row.slot, row]))
  for (const row of before) expect(after.get(row.slot)).toEqual(row)
  // Both kills hit renders: these were retried, and the run does not show it.
  expect(Math.max(...[...after.values()].map(({ attempts }) => attempts))).toBeGreaterThanOrEqual(2)
  expect([...after.values()].filter(({ state }) => state !== 'finished')).toEqual([])

  // The same address with the same settings: looked at again, not fetched again, nothing computed again.
  const againBegan = performance.now()
  const again = await appliance.client.trigger(server.url('/talk.mp4'), SETTINGS)
  const repeated = await appliance.client.settled(again)
  const againMs = performance.now() - againBegan
  expectWhole(repeated)
  expect(repeated.clips.map(({ title }) => title)).toEqual(results.clips.map(({ title }) => title))
  expect(stagesOf(again).filter(({ reused, stage }) => reused === 0 && stage !== 'ingest')).toEqual([])
  expect(againMs).toBeLessThan(firstMs / 4)

  await until(
    async () => (await leftovers(home())).length === 0,
    3000,
    () => 'something is left behind',
  )
  const ended = await appliance.process.stop()
  expect(ended).toMatchObject({ code: 0, signal: null })
  expect(ended.milliseconds).toBeLessThan(10_000)
  expect(processesNaming(home(), /./)).toEqual([])
}, 720_000)
