/** Going on with everything that failed, once disk, model, source or network is back. */
import { AppError, ERRORS, type ErrorCode } from '../../contract/errors.ts'
import { listFailedRuns, reopenRun } from '../../db/runs.ts'
import { freeBytesNow } from '../../../workers/media/disk.ts'
import { listOperations, retryOperation } from '../operations/failed-operations.ts'
import type { Services } from '../services.ts'

/** What would end the same way again, or was somebody's wish. */
const FINAL: ReadonlySet<string> = new Set<ErrorCode>([
  'CANCELLED',
  'VIDEO_TOO_SHORT',
  'SOURCE_NOT_VIDEO',
  'SOURCE_TOO_LARGE',
  'NO_SPEECH',
  'NO_CLIPS',
])

export interface GoneOn {
  /** Ids of what was queued again. */
  readonly queued: readonly string[]
  /** What stays as it is, by the code of its failure. */
  readonly left: Readonly<Record<string, number>>
}

const megabytes = (bytes: number): number => Math.round(bytes / 1024 ** 2)

/** Throws DISK_FULL where a run that goes on would stop at once again. */
export function requireRoomToGoOn({ config, home }: Pick<Services, 'config' | 'home'>): void {
  const free = freeBytesNow(home.root)
  if (free >= config.minFreeBytes) return
  throw new AppError('DISK_FULL', {
    message: `The disk is still full: ${megabytes(free)} MB are free, ${megabytes(config.minFreeBytes)} MB are needed (CUTROOM_MIN_FREE_BYTES). Nothing was queued. Free some space, and try again.`,
    details: { freeBytes: free, minFreeBytes: config.minFreeBytes },
  })
}

/** Queues every run in Error again that may succeed now; finished stages stay finished. DISK_FULL. */
export function resumeAll(services: Services): GoneOn {
  requireRoomToGoOn(services)
  const queued: string[] = []
  const left: Record<string, number> = {}
  for (const { id, errorCode } of listFailedRuns(services.db)) {
    const code = errorCode ?? 'INTERNAL'
    if (!FINAL.has(code) && reopenRun(services.db, id, services.now()) !== null) queued.push(id)
    else left[code] = (left[code] ?? 0) + 1
  }
  if (queued.length > 0) services.jobs.wake()
  return { queued, left }
}

/**
 * Queues everything again that was given up and may succeed: what `operations list --state dead` lists, runs too. What
 * cannot be, because its run went on by itself meanwhile, stays. DISK_FULL.
 */
export function retryAll(services: Services): GoneOn {
  requireRoomToGoOn(services)
  const queued: string[] = []
  const left: Record<string, number> = {}
  const tried = new Set<string>()
  // A list has an end; what was queued again is not in the next.
  for (;;) {
    const found = listOperations(services, { companyId: null, state: 'dead' }).filter(
      ({ id }) => !tried.has(id),
    )
    if (found.length === 0) break
    for (const { id, failure } of found) {
      tried.add(id)
      try {
        queued.push(retryOperation(services, { companyId: null, operationId: id }).operationId)
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'INVALID_STATE') throw error
        const code = failure?.code ?? 'INTERNAL'
        left[code] = (left[code] ?? 0) + 1
      }
    }
  }
  return { queued, left }
}

/** What stays, for people: one line for each code. */
export const sentencesOfLeft = ({ left }: GoneOn): string[] =>
  Object.entries(left).map(
    ([code, count]) => `${count} ${count === 1 ? 'stays' : 'stay'} as before: ${code}. ${sentenceOf(code)}`,
  )

const sentenceOf = (code: string): string => (code in ERRORS ? ERRORS[code as ErrorCode].message : '')
