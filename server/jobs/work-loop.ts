/** Takes operations and dispatches under leases, runs the handler of their kind, settles them, notifies watchers. */
import type { Config } from '../config/config.ts'
import { AppError, type Failure, failureOf } from '../contract/errors.ts'
import {
  claimOperation,
  getOperation,
  heartbeatOperation,
  isLive,
  listCandidates,
  listRunning,
  listUnwanted,
  releaseOperation,
  renderConcurrencyOf,
  settleOperation,
  type Operation,
} from '../db/operations.ts'
import { endPromise } from '../db/promises.ts'
import { settleOpenPicks } from '../db/picks.ts'
import { getRunClip } from '../db/run-clips.ts'
import { advanceRun } from '../db/runs.ts'
import { cancelledFailure, recoverLost } from '../domain/runs/runs.ts'
import { isDiskFull } from '../../workers/artefacts.ts'
import type { SettledOperation } from './jobs.ts'
import { chooseNext, type OperationKind } from './queue.ts'
import { executeExport } from './export-executor.ts'
import { executeRender } from './render-executor.ts'
import { executeReviewCopies } from './review-copy-executor.ts'
import { executeThumbnail } from './retake-thumbnail.ts'
import { executePicks, executeRun, type Machine } from './run-executor.ts'
import type { Verdict } from './verdict.ts'
import { nextTurn } from './lanes.ts'
import { applyToDispatch, listReadyDispatches, listStaleDispatches } from '../db/dispatches.ts'
import { keepPromises } from '../domain/promises/promised-times.ts'
import type { Services } from '../domain/services.ts'
import { executeDispatch } from '../domain/runs/run-workflow.ts'
import { openSync, closeSync, fsyncSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from '../home.ts'
import { freeBytesNow } from '../../workers/media/disk.ts'
import { inTransaction } from '../db/prepared.ts'

/** One handler for each kind of operation; the compiler checks that none is missing. */
const HANDLERS: Readonly<
  Record<OperationKind, (machine: Machine, operation: Operation, signal: AbortSignal) => Promise<Verdict>>
> = {
  run: executeRun,
  render: executeRender,
  thumbnail: executeThumbnail,
  pick: executePicks,
  review_copy: executeReviewCopies,
  export: executeExport,
}

/** Runs that are walked at once; what they do at once is bounded by the lanes. */
const MAX_RUNS = 4
/** Where the work is done by other machines: what runs at once is bounded by those. */
const MAX_RUNS_ELSEWHERE = 32

/** Runs that are walked at once by this appliance. */
const runsAtOnce = ({ queue }: Pick<Config, 'queue'>): number =>
  queue === 'bullmq' ? MAX_RUNS_ELSEWHERE : MAX_RUNS

/** Why an operation's signal was aborted: cancelled, the appliance stops, or the lease is not ours any more. */
export type AbortReason = 'cancel' | 'stop' | 'lost'

interface Active {
  readonly operation: Operation
  readonly abort: AbortController
  readonly done: Promise<void>
}

/** The loop's state, in one value. */
export interface WorkLoop {
  readonly machine: Machine
  /** Names this appliance's leases. */
  readonly owner: string
  readonly watchers: ReturnType<typeof createWatchers>
  readonly active: Map<string, Active>
  /** Company to the number of its last turn. */
  readonly turns: Map<string, number>
  readonly wake: () => void
  readonly reserve: ReturnType<typeof createReserve>
}

export function abortOperation(loop: WorkLoop, id: string, reason: AbortReason): void {
  const signal = loop.active.get(id)?.abort
  if (signal !== undefined && !signal.signal.aborted) signal.abort(reason)
}

/** The result of an operation; null while it is queued or running. */
export function toSettledOperation(operation: Operation | null): SettledOperation | null {
  if (operation === null || operation.state === 'queued' || operation.state === 'running') return null
  const { state, result, failure } = operation
  return { state, result, failure }
}

/** Resolves the waits for an operation once it has settled. */
export function notifyWatchers(loop: WorkLoop, id: string): void {
  if (!loop.watchers.has(id)) return
  const settled = toSettledOperation(getOperation(loop.machine.services.db, id))
  if (settled !== null) loop.watchers.notify(id, settled)
}

/** Says anew when work will be done. A failure is logged: the work goes on without. */
export function renewPromises({ machine: { services } }: Pick<WorkLoop, 'machine'>): void {
  try {
    keepPromises(services, { runsAtOnce: runsAtOnce(services.config) })
  } catch (error) {
    services.log.error('promised times could not be renewed', { error })
  }
}

/** One pass over the queue: cancels from other processes, operations that have settled, work that can start. */
export function tick(loop: WorkLoop): void {
  const { db, log, charge } = loop.machine.services
  if (charge?.isCertain() === false) {
    // The next tick takes work, unless another appliance took over.
    charge.require().catch((error: unknown) => log.warn('nothing new is begun', { error }))
    return
  }
  try {
    for (const id of listUnwanted(db)) abortOperation(loop, id, 'cancel')
    for (const id of loop.watchers.ids()) if (!loop.active.has(id)) notifyWatchers(loop, id)
    startReadyDispatches(loop.machine.services, loop.owner)
    takeWork(loop)
  } catch (error) {
    log.error('the queue could not be read', { error })
    giveReserve(loop, error)
  }
}

/** Reserves disk space in which running operations can still store how they ended. */
export function takeReserve({ reserve, machine }: Pick<WorkLoop, 'reserve' | 'machine'>): void {
  try {
    reserve.take()
  } catch (error) {
    machine.services.log.warn('no room could be kept back on the disk', { error })
  }
}

/** Frees the reserved space on a full disk. True when there was some, so that another attempt may succeed. */
function giveReserve({ reserve, machine }: WorkLoop, error: unknown): boolean {
  if (!isDiskFull(error) || !reserve.give()) return false
  machine.services.log.warn('the disk is full; the room that was kept back for this is in use now')
  return true
}

/** Renews the leases, and queues again operations without an owner, whose result could not be stored. */
export function renewLeases(loop: WorkLoop): void {
  const { db, log, now } = loop.machine.services
  try {
    for (const id of loop.active.keys()) {
      if (heartbeatOperation(db, id, loop.owner, now()) === null) abortOperation(loop, id, 'lost')
    }
    const lost = listRunning(db, now()).filter(({ id }) => !loop.active.has(id))
    recoverLost(loop.machine.services, lost, 'lease')
    recoverDispatches(loop.machine.services, now())
  } catch (error) {
    log.error('leases could not be renewed', { error })
  }
}

function takeWork(loop: WorkLoop): void {
  const { config, db, now } = loop.machine.services
  for (;;) {
    const chosen = chooseNext(listCandidates(db, now()), {
      active: [...loop.active.values()].map(({ operation }) => ({ ...operation, live: isLive(operation) })),
      maxRuns: runsAtOnce(config),
      renderConcurrency: (companyId) => renderConcurrencyOf(db, companyId),
      lastTurn: loop.turns,
    })
    if (chosen === null) return
    loop.turns.set(chosen.companyId, Math.max(0, ...loop.turns.values()) + 1)
    const operation = claimOperation(db, chosen.id, loop.owner, now())
    if (operation === null) continue
    const abort = new AbortController()
    loop.active.set(operation.id, { operation, abort, done: carryOut(loop, operation, abort) })
  }
}

async function carryOut(loop: WorkLoop, operation: Operation, abort: AbortController): Promise<void> {
  const { log } = loop.machine.services
  try {
    const verdict = await verdictOf(loop.machine, operation, abort.signal)
    await nextTurn()
    const store = (): void => settle(loop, operation, verdict, (abort.signal.reason ?? 'stop') as AbortReason)
    try {
      store()
    } catch (error) {
      if (!giveReserve(loop, error)) throw error
      store()
    }
  } catch (error) {
    // Not even the failure could be stored (a full disk): the operation is queued again when its lease has run out.
    log.error('an operation could not be settled', { operation: operation.id, error })
  }
  loop.active.delete(operation.id)
  notifyWatchers(loop, operation.id)
  loop.wake()
}

async function verdictOf(machine: Machine, operation: Operation, signal: AbortSignal): Promise<Verdict> {
  // Not in the same tick as the claim: the loop must have stored the operation before it can end.
  await nextTurn()
  try {
    return await HANDLERS[operation.kind](machine, operation, signal)
  } catch (error) {
    const { id, kind, subjectId } = operation
    const about = { operation: id, kind, subject: subjectId }
    if (isOfDeletedClip(machine, operation)) {
      machine.services.log.info('a clip was deleted while something was made of it', about)
      return { kind: 'failed', failure: failureOf('CLIP_NOT_FOUND') }
    }
    machine.services.log.error('an operation failed unexpectedly', { ...about, error })
    if (isDiskFull(error)) return { kind: 'failed', failure: failureOf('DISK_FULL') }
    const failure: Failure = error instanceof AppError ? error.toFailure() : failureOf('INTERNAL')
    return { kind: 'failed', failure }
  }
}

/** Whether it is of one clip, which is gone: whatever it ran into then is no error of the appliance. */
const isOfDeletedClip = ({ services }: Machine, { kind, subjectId }: Operation): boolean =>
  (kind === 'render' || kind === 'thumbnail') && getRunClip(services.db, subjectId) === null

function settle(loop: WorkLoop, operation: Operation, verdict: Verdict, reason: AbortReason): void {
  const { db, log, now } = loop.machine.services
  const { id, kind, subjectId } = operation
  if (verdict.kind === 'stopped' && reason !== 'cancel') {
    if (reason === 'stop') releaseOperation(db, id, loop.owner, now())
    return
  }
  const failure =
    verdict.kind === 'failed' ? verdict.failure : verdict.kind === 'stopped' ? cancelledFailure() : null
  const state = verdict.kind === 'stopped' ? 'cancelled' : verdict.kind
  inTransaction(db, () => {
    if (failure !== null && kind === 'run') advanceRun(db, subjectId, 'Error', now(), failure)
    if (failure !== null && kind === 'pick') settleOpenPicks(db, subjectId, failure, now())
    settleOperation(db, id, loop.owner, now(), {
      state,
      ...(verdict.kind === 'succeeded' ? { result: verdict.result } : {}),
      ...(failure === null ? {} : { failure }),
    })
    if (state === 'succeeded') endPromise(db, id, now())
  })
  log.info('an operation ended', { operation: id, kind, subject: subjectId, state, code: failure?.code })
}

type Deps = Pick<Services, 'db' | 'log' | 'now'>

/** In one look at the queue. */
const AT_ONCE = 50

/** Starts the runs that were confirmed. */
export function startReadyDispatches(services: Deps, owner: string): void {
  const { db, now } = services
  for (const id of listReadyDispatches(db, now(), AT_ONCE)) executeDispatch(services, { id, owner })
}

/** Queues again what a dead process held. `before` null: whatever the lease, for the process with the home's lock. */
export function recoverDispatches({ db, log, now }: Deps, before: number | null): void {
  for (const id of listStaleDispatches(db, 'leased', before ?? Number.MAX_SAFE_INTEGER, AT_ONCE)) {
    const by = before === null ? 'death' : 'lease'
    const recovered = applyToDispatch(db, id, { kind: 'lost', by, now: now() }, now())
    if (recovered !== null)
      log.info('found a confirmed run that nobody starts', { dispatch: id, state: recovered.state })
  }
}

export function createWatchers() {
  const waiting = new Map<string, Set<(settled: SettledOperation | null) => void>>()
  return {
    /** Resolves with the result of `look` or of a later `notify`; null after `timeoutMs`. */
    wait: (
      id: string,
      timeoutMs: number,
      look: () => SettledOperation | null,
    ): Promise<SettledOperation | null> => {
      const now = look()
      if (now !== null) return Promise.resolve(now)
      return new Promise((resolve) => {
        const others = waiting.get(id) ?? new Set()
        waiting.set(id, others)
        const end = (settled: SettledOperation | null): void => {
          clearTimeout(timer)
          others.delete(end)
          if (others.size === 0) waiting.delete(id)
          resolve(settled)
        }
        const timer = setTimeout(() => end(null), timeoutMs)
        others.add(end)
      })
    },
    /** Resolves every wait for this operation. */
    notify: (id: string, settled: SettledOperation): void => {
      for (const end of [...(waiting.get(id) ?? [])]) end(settled)
    },
    has: (id: string): boolean => waiting.has(id),
    ids: () => [...waiting.keys()],
  }
}

/** Storing the end of a run takes some tens of kilobytes of the database's log. */
const RESERVE_BYTES = 1024 * 1024
/** Reserved only when this many times the size is free, so never the last space of the disk. */
const PLENTY = 8

export function createReserve(home: Pick<Home, 'root'>) {
  const file = join(home.root, 'reserve')
  const size = (): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return {
    /** Reserves the space, unless it is reserved already or too little is free. */
    take: (): void => {
      if (size() >= RESERVE_BYTES) return
      if (freeBytesNow(home.root) < RESERVE_BYTES * PLENTY) return
      const handle = openSync(file, 'w', 0o600)
      try {
        // The bytes must be written: setting only the length would reserve nothing.
        writeSync(handle, Buffer.alloc(RESERVE_BYTES, 0x20))
        fsyncSync(handle)
      } finally {
        closeSync(handle)
      }
    },
    /** Frees the space; false when none was reserved. */
    give: (): boolean => {
      const had = size() > 0
      rmSync(file, { force: true })
      return had
    },
  }
}
