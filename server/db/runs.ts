/** Queries of runs and their stages. Short transactions: a stage's row, its warnings and what it found go together. */
import { and, eq, inArray, lt, ne, sql, desc, notInArray } from 'drizzle-orm'
import { type Failure, failureOf } from '../contract/errors.ts'
import {
  isStreamAddress,
  RUN_STATUSES,
  type RunSnapshot,
  type RunSource,
  type RunStatus,
} from '../contract/run.ts'
import type { Metadata } from '../contract/metadata.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'
import { newId } from '../ids.ts'
import type { Db } from './client.ts'
import { insertOperation } from './operations.ts'
import { operations, runs, runStages } from './schema.ts'
import { inTransaction } from './prepared.ts'
import { findBy, listBy, listWhere, type Orm } from './rows.ts'

/** A run as stored. Times are epoch milliseconds, `progress` is 0 to 1, `stage` is what it is doing, for people. */
export type Run = Readonly<typeof runs.$inferSelect>

/** One stage of a run, by its place in the plan (`probe`, `clip:3:cut`). */
export type RunStage = Readonly<typeof runStages.$inferSelect>

export interface NewRun {
  readonly companyId: string
  readonly snapshot: RunSnapshot
  /** From before the run: unknown fields of the request, overrides that were ignored. */
  readonly warnings?: readonly string[]
  readonly now: number
  /** Where they were given out before the run was there. */
  readonly ids?: { readonly runId: string; readonly operationId: string }
}

/** What the queue must know of a run: an event does not wait until there is room. */
const operationInput = ({ source }: RunSnapshot): { live: true } | null =>
  source.kind === 'url' && isStreamAddress(source.url) ? { live: true } : null

/** Stores a run as Pending together with the queued operation that will carry it out. */
export function createRunWithOperation(db: Db, run: NewRun): { runId: string; operationId: string } {
  const { companyId, snapshot, now, ids } = run
  const runId = ids?.runId ?? newId()
  return inTransaction(db, () => {
    db.orm
      .insert(runs)
      .values({
        id: runId,
        companyId,
        workflowId: snapshot.workflowId,
        status: 'Pending',
        snapshot,
        channel: snapshot.channel,
        pipelineVersion: snapshot.pipelineVersion,
        metadata: snapshot.metadata ?? {},
        warnings: [...new Set(run.warnings ?? [])],
        createdAt: now,
        updatedAt: now,
      })
      .run()
    const input = operationInput(snapshot)
    const operation = { companyId, kind: 'run' as const, subjectId: runId, input, now }
    const id = ids === undefined ? {} : { id: ids.operationId }
    return { runId, operationId: insertOperation(db, { ...operation, ...id }) }
  })
}

export const getRun = findBy(runs, 'id')

/** What its client gave a run; nothing where there is no such run. */
export const getRunMetadata = (db: Orm, runId: string): Metadata =>
  db.orm.select({ metadata: runs.metadata }).from(runs).where(eq(runs.id, runId)).get()?.metadata ?? {}

export const listRunStages = listBy(runStages, ['runId'], 'startedAt', 'slot')

export const getRunStage = findBy(runStages, 'runId', 'slot')

/**
 * Marks a stage as started and counts the attempt. Returns the number of attempts since the run last made progress. Refuses
 * (null) what is finished.
 */
export function saveStageStarted(
  db: Db,
  stage: Pick<RunStage, 'runId' | 'slot' | 'stage' | 'key'> & { readonly now: number },
): number | null {
  const { now, ...identity } = stage
  const row = db.orm
    .insert(runStages)
    .values({ ...identity, state: 'running', attempts: 1, attemptsSinceProgress: 1, startedAt: now })
    .onConflictDoUpdate({
      target: [runStages.runId, runStages.slot],
      set: {
        key: stage.key,
        state: 'running',
        attempts: sql`${runStages.attempts} + 1`,
        attemptsSinceProgress: sql`${runStages.attemptsSinceProgress} + 1`,
        checkpoint: sql`case when ${runStages.key} = ${stage.key} then ${runStages.checkpoint} else 0 end`,
        startedAt: now,
        failure: null,
      },
      setWhere: ne(runStages.state, 'finished'),
    })
    .returning({ attempts: runStages.attemptsSinceProgress })
    .get()
  return row?.attempts ?? null
}

/** Attempts count from the last progress of the run, the one that made it included. */
function restartCounting(db: Db, runId: string): void {
  db.orm.update(runStages).set({ attemptsSinceProgress: 1 }).where(running(runId)).run()
}

/** Stores how far a stage's checkpoints reach. True when that is further than ever under this key. */
export function saveStageCheckpoint(
  db: Db,
  stage: Pick<RunStage, 'runId' | 'slot' | 'key' | 'checkpoint'>,
): boolean {
  const { runId, slot, key, checkpoint } = stage
  return inTransaction(db, () => {
    const further = and(eq(runStages.key, key), lt(runStages.checkpoint, checkpoint))
    const { changes } = db.orm
      .update(runStages)
      .set({ checkpoint })
      .where(and(running(runId), eq(runStages.slot, slot), further))
      .run()
    if (changes > 0) restartCounting(db, runId)
    return changes > 0
  })
}

const unfinished = ({ runId, slot }: Pick<RunStage, 'runId' | 'slot'>) =>
  and(eq(runStages.runId, runId), eq(runStages.slot, slot), ne(runStages.state, 'finished'))

const running = (runId: string) => and(eq(runStages.runId, runId), eq(runStages.state, 'running'))

export interface FinishedStage {
  readonly runId: string
  readonly slot: string
  readonly output: unknown
  readonly reused: boolean
  readonly milliseconds: number
  readonly warnings: readonly string[]
  readonly now: number
}

/** Marks a stage as finished and adds its warnings to the run; `also` is done in the same transaction. */
export function saveStageFinished(db: Db, stage: FinishedStage, also: () => void = () => undefined): void {
  const { runId, output, reused, milliseconds, now } = stage
  inTransaction(db, () => {
    db.orm
      .update(runStages)
      .set({ state: 'finished', output, reused, milliseconds, failure: null, finishedAt: now })
      .where(unfinished(stage))
      .run()
    restartCounting(db, runId)
    addRunWarnings(db, runId, stage.warnings)
    also()
  })
}

export function saveStageFailed(
  db: Db,
  stage: { runId: string; slot: string; failure: Failure; now: number },
): void {
  db.orm
    .update(runStages)
    .set({ state: 'failed', failure: stage.failure, finishedAt: stage.now })
    .where(unfinished(stage))
    .run()
}

/** Takes back the attempt of stages that were stopped in good order: it does not count against them. */
export function releaseRunningStages(db: Db, runId: string): void {
  db.orm
    .update(runStages)
    .set({
      attempts: sql`max(0, ${runStages.attempts} - 1)`,
      attemptsSinceProgress: sql`max(0, ${runStages.attemptsSinceProgress} - 1)`,
    })
    .where(running(runId))
    .run()
}

/** Stages that were stopped because their run ended: they will not go on by themselves. */
export function cancelRunningStages(db: Db, runId: string, now: number): void {
  const failure = failureOf('CANCELLED')
  db.orm.update(runStages).set({ state: 'failed', failure, finishedAt: now }).where(running(runId)).run()
}

/** Lets a stage be carried out once more. */
export function deleteStage(db: Db, runId: string, slot: string): void {
  db.orm
    .delete(runStages)
    .where(and(eq(runStages.runId, runId), eq(runStages.slot, slot)))
    .run()
}

/** Lets stages that were stopped with their run be started once more. */
export function deleteCancelledStages(db: Db, runId: string): void {
  const cancelled = sql`json_extract(${runStages.failure}, '$.code') = 'CANCELLED'`
  db.orm
    .delete(runStages)
    .where(and(eq(runStages.runId, runId), eq(runStages.state, 'failed'), cancelled))
    .run()
}

/** Adds warnings that are not there yet, in order. May be called inside a transaction. */
export function addRunWarnings(db: Db, runId: string, added: readonly string[]): void {
  if (added.length === 0) return
  const current =
    db.orm.select({ warnings: runs.warnings }).from(runs).where(eq(runs.id, runId)).get()?.warnings ?? []
  const merged = [...new Set([...current, ...added])]
  if (merged.length > current.length)
    db.orm.update(runs).set({ warnings: merged }).where(eq(runs.id, runId)).run()
}

/** Progress never decreases. */
export function setRunProgress(db: Db, runId: string, progress: number, stage: string, now: number): void {
  db.orm
    .update(runs)
    .set({ progress: sql`max(${runs.progress}, ${progress})`, stage, updatedAt: now })
    .where(eq(runs.id, runId))
    .run()
}

export function setRunSource(db: Orm, runId: string, digest: string): void {
  db.orm.update(runs).set({ sourceDigest: digest }).where(eq(runs.id, runId)).run()
}

/** Statuses from which `status` may be reached: forward only, Error from anywhere but Completed. */
function before(status: RunStatus): RunStatus[] {
  return status === 'Error'
    ? ['Pending', 'Processing', 'Learning']
    : RUN_STATUSES.slice(0, RUN_STATUSES.indexOf(status))
}

/** Moves a run forward; false when it is there, or past it, already. May be called inside a transaction. */
export function advanceRun(
  db: Db,
  runId: string,
  status: Exclude<RunStatus, 'Pending'>,
  now: number,
  failure?: Failure,
) {
  const settled = status === 'Completed' || status === 'Error'
  const { changes } = db.orm
    .update(runs)
    .set({
      status,
      updatedAt: now,
      ...(status === 'Processing' ? { startedAt: sql`coalesce(${runs.startedAt}, ${now})` } : {}),
      ...(status === 'Completed' ? { progress: 1, stage: '' } : {}),
      ...(settled ? { finishedAt: now } : {}),
      ...(failure === undefined ? {} : { errorCode: failure.code, error: failure.message }),
    })
    .where(and(eq(runs.id, runId), sql`${runs.status} in ${before(status)}`))
    .run()
  return changes > 0
}

/** Runs in Error, the oldest first. */
export const listFailedRuns = (db: Orm): { readonly id: string; readonly errorCode: string | null }[] =>
  db.orm
    .select({ id: runs.id, errorCode: runs.errorCode })
    .from(runs)
    .where(eq(runs.status, 'Error'))
    .orderBy(runs.createdAt)
    .all()

/** Runs that ended for the lack of something that may come back, the oldest first. */
export const listWaitingRuns = (db: Orm): Run[] =>
  db.orm
    .select()
    .from(runs)
    .where(
      and(
        eq(runs.status, 'Error'),
        inArray(runs.errorCode, [
          'DISK_FULL',
          'MODEL_NOT_INSTALLED',
          'SOURCE_UNREACHABLE',
          'STORE_UNAVAILABLE',
        ]),
      ),
    )
    .orderBy(runs.createdAt)
    .all()

/** Lets a run in Error go on with its finished stages, under a new operation; null: it is not in Error. */
export function reopenRun(db: Db, runId: string, now: number): { operationId: string } | null {
  return inTransaction(db, () => {
    const run = getRun(db, runId)
    if (run?.status !== 'Error') return null
    db.orm
      .delete(runStages)
      .where(and(eq(runStages.runId, runId), ne(runStages.state, 'finished')))
      .run()
    db.orm
      .update(runs)
      .set({ status: 'Processing', error: null, errorCode: null, finishedAt: null, updatedAt: now })
      .where(eq(runs.id, runId))
      .run()
    return {
      operationId: insertOperation(db, {
        companyId: run.companyId,
        kind: 'run',
        subjectId: runId,
        input: operationInput(run.snapshot),
        now,
      }),
    }
  })
}

/** Deletes a run, its stages and its clips, and the work that failed for it. */
export function deleteRun(db: Db, runId: string): void {
  inTransaction(db, () => {
    db.orm
      .delete(operations)
      .where(and(eq(operations.kind, 'run'), eq(operations.subjectId, runId)))
      .run()
    db.orm.delete(runs).where(eq(runs.id, runId)).run()
  })
}

/** Keys of stages that were started and not finished in runs that will go on: their partial work is worth keeping. */
export function listResumableKeys(db: Db): string[] {
  return db.orm
    .select({ key: runStages.key })
    .from(runStages)
    .innerJoin(runs, eq(runs.id, runStages.runId))
    .where(and(ne(runStages.state, 'finished'), sql`${runs.status} in ('Pending', 'Processing', 'Learning')`))
    .all()
    .map((row) => row.key)
}

/** A company's newest runs first. */
export function listRuns(db: Db, companyId: string, limit: number): Run[] {
  const order = [desc(runs.createdAt), desc(runs.id)]
  return listWhere(db, runs, { where: eq(runs.companyId, companyId), order, limit })
}

/** Whether a run has all of these names with these values. */
const hasMetadata = (metadata: Metadata) =>
  and(
    ...Object.entries(metadata).map(
      ([name, value]) =>
        sql`exists (select 1 from json_each(${runs.metadata}) as one where one.key = ${name} and one.value = ${value})`,
    ),
  )

/** Runs of a company after a place in its list, newest first. */
export function listRunsAfter(
  db: Db,
  companyId: string,
  {
    after,
    limit,
    metadata,
  }: { after: { createdAt: number; id: string } | null; limit: number; metadata: Metadata },
): Run[] {
  const later =
    after === null ? undefined : sql`(${runs.createdAt}, ${runs.id}) < (${after.createdAt}, ${after.id})`
  const order = [desc(runs.createdAt), desc(runs.id)]
  return listWhere(db, runs, {
    where: and(eq(runs.companyId, companyId), later, hasMetadata(metadata)),
    order,
    limit,
  })
}

/** Whether anything was ever put in, by any company. */
export const hasRuns = (db: Db): boolean =>
  db.orm.select({ id: runs.id }).from(runs).limit(1).all().length > 0

/** The name of a file. A home may be called by several names (a link, a command's --home), a file in it by one. */
export const fileName = (path: string): string => path.split(/[\\/]/).at(-1) ?? ''

const filesOf = ({ path, captions }: Extract<RunSource, { kind: 'file' }>): string[] =>
  [path, captions].flatMap((file) => (file === undefined ? [] : [fileName(file)]))

/** Names of local files that runs have read, and when the last of these ended; Infinity while one goes on. */
export function listEndedRunFiles(db: Db): Map<string, number> {
  const files = new Map<string, number>()
  for (const { snapshot, status, finishedAt, updatedAt } of db.orm.select().from(runs).all()) {
    const { source } = snapshot
    if (source.kind !== 'file') continue
    const ended = status === 'Completed' || status === 'Error' ? (finishedAt ?? updatedAt) : Infinity
    for (const name of filesOf(source)) files.set(name, Math.max(files.get(name) ?? 0, ended))
  }
  return files
}

/** Names of local files that runs read which are not Completed: Error included, since such a run may go on. */
export function listOpenRunFiles(db: Db): ReadonlySet<string> {
  const sources = openRuns(db).map(({ snapshot }) => snapshot.source)
  return new Set(sources.flatMap((source) => (source.kind === 'file' ? filesOf(source) : [])))
}

function openRuns(db: Db): { readonly id: string; readonly snapshot: RunSnapshot }[] {
  return db.orm
    .select({ id: runs.id, snapshot: runs.snapshot })
    .from(runs)
    .where(notInArray(runs.status, ['Completed']))
    .all()
}

/** Lets runs that are not Completed read their local file somewhere else; `where` answers null for one that stays. */
export function moveOpenRunFiles(db: Db, where: (path: string) => string | null): number {
  let moved = 0
  for (const { id, snapshot } of openRuns(db)) {
    const { source } = snapshot
    if (source.kind !== 'file') continue
    const path = where(source.path)
    const captions = source.captions === undefined ? null : where(source.captions)
    if (path === null && captions === null) continue
    const files = { path: path ?? source.path, ...omitUndefined({ captions: captions ?? source.captions }) }
    const changed = { ...snapshot, source: { ...source, ...files } }
    db.orm.update(runs).set({ snapshot: changed }).where(eq(runs.id, id)).run()
    moved += 1
  }
  return moved
}
