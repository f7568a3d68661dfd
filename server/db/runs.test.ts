/** What has ended stays as it is: whoever comes late (a slow worker, a second process) changes nothing any more. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { RUN_STATUSES, type RunSnapshot, type RunStatus } from '../contract/run.ts'
import { openDatabase, type Db } from './client.ts'
import {
  advanceRun,
  cancelRunningStages,
  createRunWithOperation,
  getRun,
  getRunStage,
  listResumableKeys,
  reopenRun,
  saveStageFailed,
  saveStageFinished,
  saveStageStarted,
} from './runs.ts'
import { companies } from './schema.ts'

const folder = mkdtempSync(join(tmpdir(), 'cutroom-runs-'))
let db: Db
let runId: string
beforeAll(() => {
  db = openDatabase(join(folder, 'test.sqlite'))
  db.orm.insert(companies).values({ id: 'c', name: 'C', plan: 'starter', features: [], createdAt: 1 }).run()
})
afterAll(() => {
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

const snapshot: RunSnapshot = {
  workflowId: 'w',
  workflowName: 'W',
  nodes: [],
  source: { kind: 'url', url: 'http://x/y.mp4' },
  originalUrl: 'http://x/y.mp4',
  keywords: [],
  channel: 'current',
  pipelineVersion: '1.0.0',
}
beforeEach(() => {
  runId = createRunWithOperation(db, { companyId: 'c', snapshot, now: 10 }).runId
})

const failure = { code: 'STAGE_FAILED', message: 'It broke.' } as const

/** Brings the run of this test to a status, by the steps that a real one takes. */
function bringTo(status: RunStatus): void {
  if (status === 'Error') advanceRun(db, runId, 'Error', 20, failure)
  else for (const next of RUN_STATUSES.slice(1, RUN_STATUSES.indexOf(status) + 1)) advance(next, 20)
}
function advance(status: RunStatus, now: number): boolean {
  return advanceRun(db, runId, status as Exclude<RunStatus, 'Pending'>, now)
}

describe('the status of a run', () => {
  it.each<[RunStatus, RunStatus[]]>([
    ['Pending', ['Processing', 'Learning', 'Completed', 'Error']],
    ['Processing', ['Learning', 'Completed', 'Error']],
    ['Learning', ['Completed', 'Error']],
    ['Completed', []],
    ['Error', []],
  ])('goes from %s only to %j', (from, reachable) => {
    const reached = RUN_STATUSES.slice(1).filter((to) => {
      runId = createRunWithOperation(db, { companyId: 'c', snapshot, now: 10 }).runId
      bringTo(from)
      const before = getRun(db, runId)
      const moved = advance(to, 30)
      const after = getRun(db, runId)
      if (moved) expect(after).toMatchObject({ status: to, updatedAt: 30 })
      else expect(after).toEqual(before)
      return moved
    })
    expect(reached).toEqual(reachable)
  })

  it('says when it began, once, and when it ended', () => {
    advance('Processing', 30)
    expect(getRun(db, runId)).toMatchObject({ startedAt: 30, finishedAt: null })
    advance('Learning', 40)
    expect(getRun(db, runId)).toMatchObject({ startedAt: 30, finishedAt: null })
    advance('Completed', 50)
    expect(getRun(db, runId)).toMatchObject({ startedAt: 30, finishedAt: 50, progress: 1, stage: '' })
  })

  it('gives the reason of an error, until the run goes on; the first beginning is kept', () => {
    advance('Processing', 30)
    advanceRun(db, runId, 'Error', 40, failure)
    expect(getRun(db, runId)).toMatchObject({
      errorCode: 'STAGE_FAILED',
      error: 'It broke.',
      finishedAt: 40,
    })
    expect(reopenRun(db, runId, 50)).toMatchObject({ operationId: expect.any(String) as string })
    expect(getRun(db, runId)).toMatchObject({
      status: 'Processing',
      errorCode: null,
      error: null,
      finishedAt: null,
      startedAt: 30,
    })
  })

  it.each<RunStatus>(['Pending', 'Processing', 'Learning', 'Completed'])('%s is not reopened', (status) => {
    bringTo(status)
    expect(reopenRun(db, runId, 50)).toBeNull()
    expect(getRun(db, runId)?.status).toBe(status)
  })
})

describe('a finished stage', () => {
  const stage = { slot: 'probe', stage: 'probe' as const, key: 'k' }
  const finish = (output: unknown, now: number) =>
    saveStageFinished(db, { runId, slot: 'probe', output, reused: false, milliseconds: 5, warnings: [], now })
  beforeEach(() => {
    expect(saveStageStarted(db, { runId, ...stage, now: 20 })).toBe(1)
    finish({ first: true }, 30)
  })
  const finished = { state: 'finished', output: { first: true }, key: 'k', attempts: 1, finishedAt: 30 }
  const probe = () => getRunStage(db, runId, 'probe')

  it('is not started again', () => {
    expect(saveStageStarted(db, { runId, ...stage, key: 'other', now: 40 })).toBeNull()
    expect(probe()).toMatchObject(finished)
  })

  it('keeps its first output', () => {
    finish({ first: false }, 40)
    expect(probe()).toMatchObject(finished)
  })

  it('does not fail afterwards', () => {
    saveStageFailed(db, { runId, slot: 'probe', failure, now: 40 })
    expect(probe()).toMatchObject({ ...finished, failure: null })
  })

  it('is not cancelled with the stages that were running', () => {
    saveStageStarted(db, { runId, slot: 'audio', stage: 'audio', key: 'a', now: 31 })
    cancelRunningStages(db, runId, 40)
    expect(probe()).toMatchObject(finished)
    expect(getRunStage(db, runId, 'audio')).toMatchObject({
      state: 'failed',
      failure: { code: 'CANCELLED' },
      finishedAt: 40,
    })
  })

  it('is still there when the run is reopened; what failed is forgotten', () => {
    saveStageStarted(db, { runId, slot: 'audio', stage: 'audio', key: 'a', now: 31 })
    saveStageFailed(db, { runId, slot: 'audio', failure, now: 40 })
    expect(getRunStage(db, runId, 'audio')).toMatchObject({ state: 'failed', failure, finishedAt: 40 })
    advanceRun(db, runId, 'Error', 41, failure)
    reopenRun(db, runId, 50)
    expect(probe()).toMatchObject(finished)
    expect(getRunStage(db, runId, 'audio')).toBeNull()
  })

  it('leaves no partial work; what was begun and not finished in an open run does', () => {
    const key = `open-${runId}`
    saveStageStarted(db, { runId, slot: 'audio', stage: 'audio', key, now: 31 })
    expect(listResumableKeys(db)).toContain(key)
    expect(listResumableKeys(db)).not.toContain('k')
    advanceRun(db, runId, 'Error', 41, failure)
    expect(listResumableKeys(db)).not.toContain(key)
  })
})
