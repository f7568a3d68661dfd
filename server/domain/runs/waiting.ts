/** What a run waits for, and whether that is there again, so that it goes on by itself. */
import { access } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import type { RunSource, WaitsFor } from '../../contract/run.ts'
import { getRun, listWaitingRuns, reopenRun, type Run } from '../../db/runs.ts'
import { freeBytesNow } from '../../../workers/media/disk.ts'
import { hasModel } from '../models/models.ts'
import type { Services } from '../services.ts'

/** An address that is not there is tried again for so long after its run was started. */
const SOURCE_MS = 24 * 60 * 60_000
const MINUTE = 60_000
const LONGEST_PAUSE_MS = 60 * MINUTE
/** What was freed since it failed is worth a try at once. */
const MUCH_BYTES = 256 * 1024 ** 2

type WaitingRun = Pick<Run, 'status' | 'errorCode' | 'createdAt'> & {
  readonly snapshot: { readonly source: RunSource }
}

/** What the run waits for; null: it works, or has ended for good. */
export function waitsForOf(run: WaitingRun, now: number, isOnline = hasNetwork): WaitsFor | null {
  if (run.status === 'Pending') return 'queue'
  if (run.status !== 'Error') return null
  if (run.errorCode === 'DISK_FULL') return 'disk'
  if (run.errorCode === 'MODEL_NOT_INSTALLED') return 'model'
  if (run.errorCode === 'STORE_UNAVAILABLE') return 'store'
  if (run.errorCode !== 'SOURCE_UNREACHABLE') return null
  if (run.snapshot.source.kind === 'file') return 'source'
  if (now - run.createdAt > SOURCE_MS) return null
  return isOnline() ? 'source' : 'network'
}

/** The field of an answer; nothing where it waits for nothing. */
export function waitingField(run: WaitingRun, now: number): { waitsFor?: WaitsFor } {
  const waitsFor = waitsForOf(run, now)
  return waitsFor === null ? {} : { waitsFor }
}

/** Whether this machine is connected to anything: an address that is not its own loopback's. */
function hasNetwork(): boolean {
  return Object.values(networkInterfaces()).some((list) => list?.some(({ internal }) => !internal) === true)
}

/** How a run has waited since this appliance was started. */
export interface Wait {
  /** When it failed the last time. */
  readonly failedAt: number
  /** How often it was let go on by itself. */
  readonly tries: number
  /** Free bytes of the disk when the failure was first seen. */
  readonly freeBytes: number
  /** What it waits for was seen to be away since. */
  readonly wasAway: boolean
}

interface Facts {
  readonly now: number
  /** What it waits for is there, as far as can be told without trying. */
  readonly isThere: boolean
  /** Of the disk, for a run that waits for that; else 0. */
  readonly freedBytes: number
}

/**
 * Whether a run goes on now: at once where what it waits for was away and is there again. Where it seemed to be there all along
 * (an address that does not answer, a disk too small for this run), after a pause that doubles from a minute to an hour. PURE.
 */
export function goesOnNow(wait: Wait, { now, isThere, freedBytes }: Facts): boolean {
  if (!isThere) return false
  const pause = Math.min(LONGEST_PAUSE_MS, MINUTE * 2 ** wait.tries)
  return wait.wasAway || freedBytes >= MUCH_BYTES || now - wait.failedAt >= pause
}

/** Lets runs go on whose disk, model, source, network or store is back. `waits`: how they have waited so far; it is kept up to date. */
export async function letWaitingRunsGoOn(services: Services, waits: Map<string, Wait>): Promise<string[]> {
  const { db, home, jobs, log } = services
  const runs = listWaitingRuns(db)
  for (const id of waits.keys()) if (!runs.some((run) => run.id === id)) forgetEnded(services, waits, id)
  if (runs.length === 0) return []
  const gone: string[] = []
  const freeBytes = freeBytesNow(home.root)
  for (const run of runs) {
    const now = services.now()
    const waitsFor = waitsForOf(run, now)
    if (waitsFor === null) continue
    const isThere = await isBack(services, waitsFor, run.snapshot.source)
    const failedAt = run.finishedAt ?? run.updatedAt
    const known = waits.get(run.id)
    const fresh: Wait = { failedAt, tries: known?.tries ?? 0, freeBytes, wasAway: false }
    const before = known?.failedAt === failedAt ? known : fresh
    const wait = { ...before, wasAway: before.wasAway || !isThere }
    waits.set(run.id, wait)
    const freedBytes = waitsFor === 'disk' ? freeBytes - wait.freeBytes : 0
    if (!goesOnNow(wait, { now, isThere, freedBytes }) || reopenRun(db, run.id, now) === null) continue
    waits.set(run.id, { ...wait, tries: wait.tries + 1 })
    log.info('what a run waited for is there again: it goes on', { run: run.id, waitedFor: waitsFor })
    gone.push(run.id)
  }
  if (gone.length > 0) jobs.wake()
  return gone
}

/** Whether it is there, as far as can be told without trying. */
async function isBack(
  { config, home, store }: Services,
  waitsFor: WaitsFor,
  source: RunSource,
): Promise<boolean> {
  if (waitsFor === 'disk') return freeBytesNow(home.root) >= config.minFreeBytes
  if (waitsFor === 'model') return hasModel(config, 'speech')
  if (waitsFor === 'store') return (await store?.isThere()) ?? true
  if (waitsFor === 'source') return source.kind === 'url' || (await isThere(source.path))
  return false
}

/** A run that goes on keeps its count until it has ended. */
function forgetEnded({ db }: Pick<Services, 'db'>, waits: Map<string, Wait>, id: string): void {
  const status = getRun(db, id)?.status
  if (status === undefined || status === 'Completed' || status === 'Error') waits.delete(id)
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
