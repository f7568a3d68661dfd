/** When runs and renders will be done: read for whoever waits for them, and promised once for each. */
import type { PromiseSummary } from '../../contract/promises.ts'
import type { Db } from '../../db/client.ts'
import { renderConcurrencyOf } from '../../db/operations.ts'
import { inTransaction } from '../../db/prepared.ts'
import {
  findExpectedTime,
  followOperations,
  hasOpenWork,
  listEndedPromises,
  listEndedWork,
  listOpenWork,
  listStageCosts,
  listTimedStages,
  saveExpectedTime,
  savePromise,
  type OpenPromise,
  type StageCost,
  type TimedStage,
} from '../../db/promises.ts'
import type { ClockServices, DbServices } from '../services.ts'
import { marginOf, measureCosts, predictEnds, type PromisedKind, quantile } from './predict.ts'

/** Operations that are looked at; what waits behind so many has no time yet. */
const MAX_OPEN = 200
/** Ended work that predictions are made from. */
const MAX_ENDED = 40
/** Ended promises that margins are made from, of each kind. */
const MAX_PROMISES = 30
/** Ended promises that are summarised, of each kind. */
const MAX_SUMMARISED = 100
const NEVER_SOONER_MS = 1000
/** Less than this says nothing about a pace: work begins with a jump. */
const MIN_DONE = 0.05
const MIN_PACE_MS = 5000

/** The part of a run that is behind it, by what its stages take in runs of the same workflow. PURE. */
function shareDone(
  stages: readonly TimedStage[],
  { costs, mediaSeconds, now }: { costs: readonly StageCost[]; mediaSeconds: number; now: number },
): number | null {
  let all = 0
  let done = 0
  for (const { stage, slots, msPerSecond } of costs) {
    const own = stages.filter((one) => one.stage === stage)
    const places = Math.max(slots, own.length)
    const each = (msPerSecond * mediaSeconds) / places
    all += each * places
    for (const { state, startedAt } of own)
      done += state === 'running' ? Math.min(each * 0.9, now - startedAt) : each
  }
  return all === 0 ? null : Math.min(0.99, done / all)
}

function withDone(db: Db, work: OpenPromise, now: number): OpenPromise {
  const { kind, isRunning, mediaSeconds, subjectId, workflowId } = work
  if (kind !== 'run' || !isRunning || mediaSeconds === null) return work
  const costs = listStageCosts(db, workflowId ?? '')
  return {
    ...work,
    done: shareDone(listTimedStages(db, subjectId), { costs, mediaSeconds, now }) ?? work.done,
  }
}

const marginFor = (db: Db, kind: PromisedKind): number =>
  marginOf(
    listEndedPromises(db, kind, MAX_PROMISES)
      .filter(({ measured }) => measured === 1)
      .map(({ promisedAt, endedAt, predictedMs }) => (endedAt - promisedAt) / Math.max(1, predictedMs)),
  )

/**
 * Follows the queue: says of each run and render when it will be done, and promises a time to what has none as soon as its
 * length is known and such work has been measured here. Called by whoever does the work, again and again.
 */
export function keepPromises({ db, now }: ClockServices, limits: { readonly runsAtOnce: number }): void {
  if (!hasOpenWork(db)) return
  // Before the transaction, so that nobody waits for it to be worked out.
  const costs = measureCosts(listEndedWork(db, MAX_ENDED))
  const margins = { run: marginFor(db, 'run'), render: marginFor(db, 'render') }
  inTransaction(db, () => {
    const at = now()
    followOperations(db, at)
    const open = listOpenWork(db, MAX_OPEN).map((work) => withDone(db, work, at))
    const ends = predictEnds(open, costs, {
      runs: limits.runsAtOnce,
      rendersOf: (companyId) => renderConcurrencyOf(db, companyId),
    })
    for (const work of open) {
      const predictedMs = ends.get(work.id)
      const left = predictedMs === undefined ? byPace(work, at) : predictedMs * margins[work.kind]
      if (left === null) continue
      const readyAt = at + Math.max(NEVER_SOONER_MS, left)
      saveExpectedTime(db, work.id, readyAt)
      const isDue = work.promisedAt === null && work.mediaSeconds !== null
      if (isDue && predictedMs !== undefined)
        savePromise(db, { id: work.id, promisedAt: at, predictedMs, readyAt })
    }
  })
}

/** Where such work was never measured here: as fast as it went so far; null: too little of it is done. */
function byPace({ startedAt, done }: OpenPromise, now: number): number | null {
  if (startedAt === null || done < MIN_DONE || now - startedAt < MIN_PACE_MS) return null
  return ((now - startedAt) * (1 - done)) / done
}

/** The field of an answer; nothing where nobody can tell, or it does not go on. */
export function readyField({ db }: DbServices, kind: PromisedKind, subjectId: string): { readyAt?: string } {
  const expectedAt = findExpectedTime(db, kind, subjectId)
  return expectedAt === null ? {} : { readyAt: new Date(expectedAt).toISOString() }
}

/** How promises were kept: of the last ones of each kind. */
export function summarisePromises({ db }: DbServices): PromiseSummary[] {
  return (['run', 'render'] as const).map((kind) => {
    const ended = listEndedPromises(db, kind, MAX_SUMMARISED)
    const late = ended.map(({ promisedAt, readyAt, endedAt }) =>
      Math.max(0, (endedAt - readyAt) / Math.max(1, readyAt - promisedAt)),
    )
    return {
      kind,
      made: ended.length,
      kept: late.filter((share) => share === 0).length,
      lateness: quantile(late, 0.9),
    }
  })
}
