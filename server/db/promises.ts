/** Queries of promised times. Rows follow the operations of runs and renders: one each, from its queueing to its end. */
import type { Db } from './client.ts'
import type { EndedWork, OpenWork, PromisedKind } from '../domain/promises/predict.ts'
import { TICKS_PER_SECOND } from '../contract/time.ts'
import { prepareOnce } from './prepared.ts'

const OPEN = "operations.state in ('queued', 'running') and operations.kind in ('run', 'render')"

/** Whether a run or a render waits or goes on. */
export const hasOpenWork = (db: Db): boolean =>
  prepareOnce<unknown>(db, `select 1 from operations where ${OPEN} limit 1`).get() !== undefined

/**
 * Brings the rows up to date: one for each open run and render, with what is known by now. What was cancelled or has failed
 * is forgotten. To be called in a transaction.
 */
export function followOperations(db: Db, now: number): void {
  prepareOnce(
    db,
    `delete from promises where ended_at is null
       and not exists (select 1 from operations where operations.id = operation_id and ${OPEN})`,
  ).run()
  prepareOnce(
    db,
    `insert into promises (operation_id, kind, company_id, subject_id, workflow_id, media_seconds)
     select operations.id, operations.kind, operations.company_id, subject_id, runs.workflow_id, clips.duration
       from operations
       left join runs on operations.kind = 'run' and runs.id = subject_id
       left join clips on operations.kind = 'render' and clips.id = subject_id
      where ${OPEN} and not exists (select 1 from promises where operation_id = operations.id)`,
  ).run()
  prepareOnce(
    db,
    `update promises set started_at = ? where started_at is null and ended_at is null
       and exists (select 1 from operations where operations.id = operation_id and operations.state = 'running')`,
  ).run(now)
  prepareOnce(
    db,
    `update promises set media_seconds = probe.seconds from (
       select run_id, json_extract(output, '$.duration') / ${TICKS_PER_SECOND}.0 as seconds from run_stages
        where slot = 'probe' and state = 'finished') as probe
      where probe.run_id = subject_id and kind = 'run' and media_seconds is null and ended_at is null`,
  ).run()
}

export interface OpenPromise extends OpenWork {
  readonly subjectId: string
  readonly promisedAt: number | null
  readonly startedAt: number | null
}

/** Runs and renders that wait or go on, the oldest first. `done`: as their operation shows it. */
export function listOpenWork(db: Db, limit: number): OpenPromise[] {
  const rows = prepareOnce<Omit<OpenPromise, 'isRunning'> & { isRunning: number }>(
    db,
    `select operations.id, promises.kind, promises.company_id as companyId, promises.subject_id as subjectId,
            promises.workflow_id as workflowId, media_seconds as mediaSeconds, promised_at as promisedAt, started_at as startedAt,
            operations.state = 'running' as isRunning, operations.created_at as createdAt, operations.progress as done
       from operations join promises on operation_id = operations.id
      where ${OPEN} order by operations.created_at, operations.id limit ?`,
  ).all(limit)
  return rows.map((row) => ({ ...row, isRunning: row.isRunning === 1 }))
}

export interface TimedStage {
  readonly stage: string
  readonly state: 'running' | 'finished' | 'failed'
  readonly startedAt: number
}

export const listTimedStages = (db: Db, runId: string): TimedStage[] =>
  prepareOnce<TimedStage>(
    db,
    'select stage, state, started_at as startedAt from run_stages where run_id = ?',
  ).all(runId)

export interface StageCost {
  readonly stage: string
  /** How often a run does it. */
  readonly slots: number
  /** Of all of those, for each second of the source. */
  readonly msPerSecond: number
}

/** Runs that a workflow's stages are measured by. */
const TEMPLATES = 5

/** What each stage takes in runs of a workflow on this machine; empty: no such run has ended here. */
export const listStageCosts = (db: Db, workflowId: string): StageCost[] =>
  prepareOnce<StageCost>(
    db,
    `with known as (select subject_id, media_seconds from promises
        where measured = 1 and kind = 'run' and workflow_id = ? and media_seconds > 0
        order by ended_at desc limit ${TEMPLATES})
     select stage, count(*) * 1.0 / (select count(*) from known) as slots,
            sum(milliseconds / media_seconds) / (select count(*) from known) as msPerSecond
       from known join run_stages on run_id = subject_id
      where state = 'finished' and milliseconds > 0 group by stage`,
  ).all(workflowId)

/** Stores what was promised, once. */
export function savePromise(
  db: Db,
  promise: { id: string; promisedAt: number; predictedMs: number; readyAt: number },
): void {
  const { id, promisedAt, predictedMs, readyAt } = promise
  prepareOnce(
    db,
    'update promises set promised_at = ?, predicted_ms = ?, ready_at = ? where operation_id = ? and promised_at is null',
  ).run(promisedAt, Math.round(predictedMs), Math.round(readyAt), id)
}

/** Stores when it will be done as it is seen now. */
export const saveExpectedTime = (db: Db, id: string, expectedAt: number): void => {
  prepareOnce(db, 'update promises set expected_at = ? where operation_id = ?').run(
    Math.round(expectedAt),
    id,
  )
}

/** When the open operation of this kind for this subject will be done, milliseconds since the epoch; null: nobody can tell. */
export const findExpectedTime = (db: Db, kind: PromisedKind, subjectId: string): number | null =>
  prepareOnce<{ expectedAt: number | null }>(
    db,
    `select expected_at as expectedAt from promises join operations on operations.id = operation_id
      where promises.kind = ? and promises.subject_id = ? and ${OPEN} order by expected_at desc limit 1`,
  ).get(kind, subjectId)?.expectedAt ?? null

/** Ended promises that are stored. */
const MAX_ENDED = 1000

/**
 * The end of an operation that succeeded, after that was stored. It is a measure for others if it took one attempt and
 * little of it was found made: a render of its own, or a run with four fifths of the work of its stages.
 */
export function endPromise(db: Db, operationId: string, now: number): void {
  prepareOnce(
    db,
    `update promises set ended_at = ?, expected_at = null, measured = (
       select operations.attempts <= 1 and case promises.kind
         when 'render' then json_extract(operations.result, '$.encoder') is not null
         else (select coalesce(sum(milliseconds * reused), 0) * 5 <= coalesce(sum(milliseconds), 0)
                 from run_stages where run_id = promises.subject_id) end
         from operations where operations.id = operation_id)
      where operation_id = ? and ended_at is null`,
  ).run(now, operationId)
  prepareOnce(
    db,
    `delete from promises where ended_at <= (
       select ended_at from promises where ended_at is not null order by ended_at desc limit 1 offset ${MAX_ENDED})`,
  ).run()
}

/** The newest work that others can be judged by, newest first. */
export const listEndedWork = (db: Db, limit: number): EndedWork[] =>
  prepareOnce<EndedWork>(
    db,
    `select kind, company_id as companyId, workflow_id as workflowId, media_seconds as mediaSeconds,
            started_at as startedAt, ended_at as endedAt
       from promises where measured = 1 and started_at is not null and media_seconds is not null
      order by ended_at desc limit ?`,
  ).all(limit)

export interface EndedPromise {
  readonly promisedAt: number
  readonly predictedMs: number
  readonly readyAt: number
  readonly endedAt: number
  readonly measured: 0 | 1
}

/** Promises whose work has ended well, newest first. */
export const listEndedPromises = (db: Db, kind: PromisedKind, limit: number): EndedPromise[] =>
  prepareOnce<EndedPromise>(
    db,
    `select promised_at as promisedAt, predicted_ms as predictedMs, ready_at as readyAt, ended_at as endedAt, measured
       from promises where kind = ? and ended_at is not null and promised_at is not null
      order by ended_at desc limit ?`,
  ).all(kind, limit)
