/** The queue and the rows of runs in a real database: claims, leases, attempts, resuming, forward-only statuses. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunSnapshot } from '../../server/contract/run.ts'
import { openDatabase, type Db } from '../../server/db/client.ts'
import {
  claimOperation,
  findOpenOperation,
  getOperation,
  heartbeatOperation,
  insertOperation,
  joinOrInsertOperation,
  listCandidates,
  listRunning,
  recoverOperation,
  releaseOperation,
  requestCancel,
  settleOperation,
} from '../../server/db/operations.ts'
import {
  addRunWarnings,
  advanceRun,
  createRunWithOperation,
  getRun,
  getRunStage,
  listResumableKeys,
  listRunStages,
  releaseRunningStages,
  reopenRun,
  saveStageCheckpoint,
  saveStageFailed,
  saveStageFinished,
  saveStageStarted,
  setRunProgress,
} from '../../server/db/runs.ts'
import { companies, operations } from '../../server/db/schema.ts'
import { findKnownSource, saveSource } from '../../server/db/sources.ts'
import { recoverLost } from '../../server/domain/runs/runs.ts'
import { createLogger } from '../../server/log.ts'

let root: string
let db: Db
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-queue-'))
  db = openDatabase(join(root, 'test.sqlite'))
  db.orm.insert(companies).values({ id: 'c', name: 'C', plan: 'starter', features: [], createdAt: 1 }).run()
})
afterEach(async () => {
  db.close()
  await rm(root, { recursive: true, force: true })
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
const newRun = () => createRunWithOperation(db, { companyId: 'c', snapshot, warnings: ['a', 'a'], now: 10 })

describe('operations', () => {
  it('is claimed once, kept by heartbeats, settled by its owner only', () => {
    const { operationId } = newRun()
    expect(listCandidates(db, 10).map((item) => item.id)).toEqual([operationId])
    expect(claimOperation(db, operationId, 'me', 10)).toMatchObject({ state: 'running', attempts: 1 })
    expect(claimOperation(db, operationId, 'you', 10)).toBeNull()
    expect(heartbeatOperation(db, operationId, 'you', 20)).toBeNull()
    expect(listRunning(db, 30_000)).toEqual([])
    expect(heartbeatOperation(db, operationId, 'me', 20_000)?.leaseUntil).toBe(50_000)
    expect(listRunning(db, 50_001)).toHaveLength(1)
    expect(settleOperation(db, operationId, 'you', 30, { state: 'failed' })).toBeNull()
    expect(
      settleOperation(db, operationId, 'me', 30, { state: 'succeeded', result: { n: 1 } }),
    ).not.toBeNull()
    expect(getOperation(db, operationId)).toMatchObject({ state: 'succeeded', result: { n: 1 }, progress: 1 })
    expect(listCandidates(db, 99)).toEqual([])
  })

  it('returns to the queue when released or lost, and is given up in the end', () => {
    const id = insertOperation(db, { companyId: 'c', kind: 'render', subjectId: 'clip', now: 1 })
    claimOperation(db, id, 'me', 1)
    expect(releaseOperation(db, id, 'me', 2)).toMatchObject({ state: 'queued', attempts: 0 })
    for (let attempt = 1, now = 2; attempt <= 3; attempt++, now += 100_000) {
      expect(claimOperation(db, id, 'me', now)?.attempts).toBe(attempt)
      expect(recoverOperation(db, id, 'lease', now)?.state).toBe(attempt < 3 ? 'queued' : 'failed')
    }
    expect(getOperation(db, id)?.failure).toMatchObject({ code: 'INTERRUPTED' })
  })

  it('lets a second caller join, but not one that is being cancelled', () => {
    const operation = { companyId: 'c', kind: 'render' as const, subjectId: 'clip', now: 1 }
    const first = joinOrInsertOperation(db, operation)
    expect(joinOrInsertOperation(db, operation)).toEqual({ id: first.id, joined: true })
    claimOperation(db, first.id, 'me', 1)
    expect(requestCancel(db, first.id, 2)).toMatchObject({ state: 'running', cancelRequested: true })
    const second = joinOrInsertOperation(db, { ...operation, now: 2 })
    expect(second.joined).toBe(false)
    expect(joinOrInsertOperation(db, { ...operation, now: 3 })).toEqual({ id: second.id, joined: true })
    settleOperation(db, first.id, 'me', 3, { state: 'cancelled' })
    expect(findOpenOperation(db, 'render', 'clip')?.id).not.toBe(first.id)
  })
})

describe('work without a lease holder', () => {
  const recover = (now: number) =>
    recoverLost({ db, now: () => now, log: createLogger('error') }, listRunning(db, now), 'lease')

  it('is queued again, and its run continues', () => {
    const { runId, operationId } = newRun()
    claimOperation(db, operationId, 'me', 10)
    recover(20)
    expect(getOperation(db, operationId)?.state).toBe('running')
    recover(100_000)
    expect(getOperation(db, operationId)?.state).toBe('queued')
    expect(getRun(db, runId)?.status).toBe('Pending')
  })

  it.each([
    ['was to be cancelled', 'cancelled', 'CANCELLED'],
    ['was lost too often', 'failed', 'INTERRUPTED'],
  ])('ends its run as well when it %s', (_name, state, code) => {
    const { runId, operationId } = newRun()
    if (state === 'failed') db.orm.update(operations).set({ attempts: 19 }).run()
    claimOperation(db, operationId, 'me', 10)
    advanceRun(db, runId, 'Processing', 10)
    if (state === 'cancelled') requestCancel(db, operationId, 11)
    recover(100_000)
    expect(getOperation(db, operationId)?.state).toBe(state)
    expect(getRun(db, runId)).toMatchObject({ status: 'Error', errorCode: code })
  })
})

describe('attempts of a stage', () => {
  const place = (runId: string, slot: string) => ({ runId, slot, stage: 'faces' as const, key: 'k', now: 1 })

  it('count from the last checkpoint that reached further, whichever stage of the run it was', () => {
    const { runId } = newRun()
    expect([1, 2, 3].map(() => saveStageStarted(db, place(runId, 'faces')))).toEqual([1, 2, 3])
    expect([1, 2].map(() => saveStageStarted(db, place(runId, 'speakers')))).toEqual([1, 2])
    const at = (checkpoint: number) => saveStageCheckpoint(db, { runId, slot: 'faces', key: 'k', checkpoint })
    expect([at(5), at(5), at(4), at(6)]).toEqual([true, false, false, true])
    expect(saveStageStarted(db, place(runId, 'faces'))).toBe(2)
    expect(saveStageStarted(db, place(runId, 'speakers'))).toBe(2)
    // What dies at the same place again is counted.
    expect(at(6)).toBe(false)
    expect(saveStageStarted(db, place(runId, 'faces'))).toBe(3)
    expect(getRunStage(db, runId, 'faces')).toMatchObject({ attempts: 5, checkpoint: 6 })
  })

  it('count from a stage that finished, and a new key begins without checkpoints', () => {
    const { runId } = newRun()
    for (const slot of ['faces', 'faces', 'probe']) saveStageStarted(db, place(runId, slot))
    saveStageCheckpoint(db, { runId, slot: 'faces', key: 'k', checkpoint: 9 })
    expect(saveStageStarted(db, place(runId, 'faces'))).toBe(2)
    const finished = {
      runId,
      slot: 'probe',
      output: null,
      reused: false,
      milliseconds: 1,
      warnings: [],
      now: 2,
    }
    saveStageFinished(db, finished)
    expect(saveStageStarted(db, { ...place(runId, 'faces'), key: 'other' })).toBe(2)
    expect(saveStageCheckpoint(db, { runId, slot: 'faces', key: 'k', checkpoint: 99 })).toBe(false)
    expect(saveStageCheckpoint(db, { runId, slot: 'faces', key: 'other', checkpoint: 1 })).toBe(true)
  })
})

describe('run rows', () => {
  const stage = { slot: 'probe', stage: 'probe' as const, key: 'k', now: 20 }
  const finished = {
    slot: 'probe',
    output: { a: 1 },
    reused: false,
    milliseconds: 5,
    warnings: ['b'],
    now: 30,
  }

  it('counts attempts and never starts a finished stage again', () => {
    const { runId } = newRun()
    expect(saveStageStarted(db, { runId, ...stage })).toBe(1)
    expect(saveStageStarted(db, { runId, ...stage })).toBe(2)
    saveStageFinished(db, { runId, ...finished })
    expect(saveStageStarted(db, { runId, ...stage })).toBeNull()
    saveStageFailed(db, { runId, slot: 'probe', failure: { code: 'INTERNAL', message: 'x' }, now: 40 })
    expect(listRunStages(db, runId)).toMatchObject([{ state: 'finished', attempts: 2, output: { a: 1 } }])
    expect(getRun(db, runId)?.warnings).toEqual(['a', 'b'])
  })

  it('stores nothing of a stage whose transaction failed', () => {
    const { runId } = newRun()
    saveStageStarted(db, { runId, ...stage })
    const also = () => {
      throw new Error('no')
    }
    expect(() => saveStageFinished(db, { runId, ...finished }, also)).toThrow('no')
    expect(listRunStages(db, runId)[0]?.state).toBe('running')
    expect(getRun(db, runId)?.warnings).toEqual(['a'])
  })

  it('does not count an attempt that was stopped in good order', () => {
    const { runId } = newRun()
    saveStageStarted(db, { runId, ...stage })
    releaseRunningStages(db, runId)
    expect(saveStageStarted(db, { runId, ...stage })).toBe(1)
    expect(listResumableKeys(db)).toEqual(['k'])
  })

  it('moves forward only', () => {
    const { runId } = newRun()
    expect(advanceRun(db, runId, 'Processing', 11)).toBe(true)
    expect(advanceRun(db, runId, 'Processing', 12)).toBe(false)
    expect(advanceRun(db, runId, 'Learning', 13)).toBe(true)
    expect(advanceRun(db, runId, 'Processing', 14)).toBe(false)
    expect(advanceRun(db, runId, 'Completed', 15)).toBe(true)
    expect(advanceRun(db, runId, 'Error', 16, { code: 'INTERNAL', message: 'late' })).toBe(false)
    expect(getRun(db, runId)).toMatchObject({
      status: 'Completed',
      startedAt: 11,
      finishedAt: 15,
      progress: 1,
      error: null,
    })
  })

  it('never shows less progress than before, and no warning twice', () => {
    const { runId } = newRun()
    setRunProgress(db, runId, 0.5, 'x', 11)
    setRunProgress(db, runId, 0.3, 'y', 12)
    addRunWarnings(db, runId, ['a', 'b', 'b'])
    expect(getRun(db, runId)).toMatchObject({ progress: 0.5, stage: 'y', warnings: ['a', 'b'] })
  })

  it('is resumed only from Error, with its finished stages and nothing else', () => {
    const { runId } = newRun()
    expect(reopenRun(db, runId, 50)).toBeNull()
    saveStageStarted(db, { runId, ...stage })
    saveStageFinished(db, { runId, ...finished })
    saveStageStarted(db, { runId, ...stage, slot: 'audio' })
    saveStageFailed(db, { runId, slot: 'audio', failure: { code: 'DISK_FULL', message: 'full' }, now: 40 })
    advanceRun(db, runId, 'Error', 41, { code: 'DISK_FULL', message: 'full' })
    expect(getRun(db, runId)).toMatchObject({ status: 'Error', errorCode: 'DISK_FULL', error: 'full' })
    expect(listResumableKeys(db)).toEqual([])
    const reopened = reopenRun(db, runId, 50)
    expect(getOperation(db, reopened?.operationId ?? '')).toMatchObject({ state: 'queued', subjectId: runId })
    expect(getRun(db, runId)).toMatchObject({
      status: 'Processing',
      errorCode: null,
      error: null,
      finishedAt: null,
    })
    expect(listRunStages(db, runId).map((row) => row.slot)).toEqual(['probe'])
  })
})

it('stores where a source came from, as reported last', () => {
  const source = {
    digest: 'd',
    bytes: 5,
    mediaType: 'video/mp4',
    url: 'http://x',
    etag: '"1"',
    lastModified: null,
    now: 1,
  }
  saveSource(db, source)
  saveSource(db, { ...source, etag: '"2"' })
  expect(findKnownSource(db, 'http://x')).toEqual({ digest: 'd', bytes: 5, etag: '"2"', lastModified: null })
  expect(findKnownSource(db, 'http://y')).toBeNull()
})
