/** When runs and renders will be done: by what such work took on this appliance, promised once, and held against their ends. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  claimOperation,
  insertOperation,
  setOperationProgress,
  settleOperation,
} from '../../server/db/operations.ts'
import { endPromise, listEndedPromises } from '../../server/db/promises.ts'
import { saveStageFinished, saveStageStarted } from '../../server/db/runs.ts'
import { keepPromises, readyField, summarisePromises } from '../../server/domain/promises/promised-times.ts'
import {
  addClip,
  addFacts,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'

const SECOND = 1000
const OWNER = 'test'
let clock = Date.parse('2026-11-28T08:00:00Z')
let server: TestServer
let workflowId: string
beforeAll(async () => {
  server = await startTestServer({ now: () => clock })
  workflowId = addWorkflow(server)
})
afterAll(() => server.close())

const look = (): void => keepPromises(server.services, { runsAtOnce: 4 })
const wait = (seconds: number): void => void (clock += seconds * SECOND)
const secondsLeft = (readyAt: string | undefined): number | null =>
  readyAt === undefined ? null : (Date.parse(readyAt) - clock) / SECOND

function beginRun(sourceSeconds: number): { runId: string; operation: string } {
  const { db } = server.services
  const runId = addRun(server, { workflowId, status: 'Processing', startedAt: clock })
  const operation = insertOperation(db, { companyId: 'acme', kind: 'run', subjectId: runId, now: clock })
  claimOperation(db, operation, OWNER, clock)
  addFacts(server, runId, sourceSeconds)
  look()
  return { runId, operation }
}

function stage(runId: string, name: 'audio' | 'speech', { seconds = 0, reused = false } = {}): void {
  const { db } = server.services
  const place = { runId, slot: name, now: clock }
  saveStageStarted(db, { ...place, stage: name, key: `${name}-${runId}` })
  wait(reused ? 0 : seconds)
  const made = { output: {}, reused, milliseconds: seconds * SECOND, warnings: [] }
  saveStageFinished(db, { ...place, ...made, now: clock })
}

function end(operation: string, result: unknown = null): void {
  settleOperation(server.services.db, operation, OWNER, clock, { state: 'succeeded', result })
  endPromise(server.services.db, operation, clock)
}

const readRun = async (runId: string): Promise<string | undefined> =>
  (await server.call(`/workflow-results/${runId}`)).json<{ readyAt?: string }>().readyAt

it('says nothing of the first run until it has gone on for a while, and then as fast as it went', async () => {
  const { runId, operation } = beginRun(600)
  expect(await readRun(runId)).toBeUndefined()
  stage(runId, 'audio', { seconds: 10 })
  setOperationProgress(server.services.db, operation, 0.1, clock)
  look()
  expect(secondsLeft(await readRun(runId))).toBe(90)
  stage(runId, 'speech', { seconds: 90 })
  end(operation)
  expect(await readRun(runId)).toBeUndefined()
  expect(listEndedPromises(server.services.db, 'run', 9)).toEqual([])
})

it('promises the next run a time by its length, says it anew by what its stages take, and counts how it was kept', async () => {
  const { runId, operation } = beginRun(1200)
  // 100 s for 600 s of source before, and a fifth more, as long as little is known of how far that is off.
  expect(secondsLeft(await readRun(runId))).toBe(240)
  stage(runId, 'audio', { seconds: 20 })
  look()
  // A tenth of the work is behind it.
  expect(secondsLeft(await readRun(runId))).toBeCloseTo(216, 0)
  const listed = (await server.call('/workflow-results?companyId=acme')).json<{
    runs: { triggerId: string; readyAt?: string }[]
  }>()
  expect(secondsLeft(listed.runs.find(({ triggerId }) => triggerId === runId)?.readyAt)).toBeCloseTo(216, 0)
  stage(runId, 'speech', { seconds: 250 })
  end(operation)
  const [kept] = listEndedPromises(server.services.db, 'run', 9)
  expect(kept).toMatchObject({ predictedMs: 200_000, measured: 1 })
  expect(((kept?.endedAt ?? 0) - (kept?.readyAt ?? 0)) / SECOND).toBe(30)
  expect(summarisePromises(server.services)).toEqual([
    { kind: 'run', made: 1, kept: 0, lateness: 30 / 240 },
    { kind: 'render', made: 0, kept: 0, lateness: null },
  ])
})

it('does not judge others by a run whose work was found made', () => {
  const { runId, operation } = beginRun(600)
  stage(runId, 'audio', { seconds: 10, reused: true })
  stage(runId, 'speech', { seconds: 90, reused: true })
  wait(1)
  end(operation)
  expect(listEndedPromises(server.services.db, 'run', 1)).toMatchObject([{ measured: 0 }])
})

it('forgets what has failed or was stopped', async () => {
  const { runId, operation } = beginRun(600)
  expect(secondsLeft(await readRun(runId))).toBeGreaterThan(0)
  settleOperation(server.services.db, operation, OWNER, clock, { state: 'failed' })
  expect(await readRun(runId)).toBeUndefined()
  const { length } = listEndedPromises(server.services.db, 'run', 99)
  beginRun(60)
  expect(listEndedPromises(server.services.db, 'run', 99)).toHaveLength(length)
})

it('promises renders by the length of their clip; one that waits comes after what goes on', () => {
  const { db } = server.services
  const clipId = addClip(server, { workflowId, runId: addRun(server, { workflowId }) })
  const render = (): string =>
    insertOperation(db, { companyId: 'acme', kind: 'render', subjectId: clipId, now: clock })
  const first = render()
  claimOperation(db, first, OWNER, clock)
  look()
  expect(readyField(server.services, 'render', clipId)).toEqual({})
  wait(30)
  end(first, { mediaId: 'x', encoder: 'software' })
  const second = render()
  look()
  const { readyAt } = readyField(server.services, 'render', clipId)
  expect(secondsLeft(readyAt)).toBeGreaterThan(20)
  claimOperation(db, second, OWNER, clock)
  end(second, { mediaId: 'x' })
  expect(listEndedPromises(db, 'render', 1)).toMatchObject([{ measured: 0 }])
})
