/** Downloads one address into the sources folder, in several attempts with resume. */
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../../../server/contract/errors.ts'
import { toDiskFull, requireDiskSpace } from '../../media/disk.ts'
import { isStored, storeSource } from './keep.ts'
import { openPartial, type PartialFile } from './partial.ts'
import {
  attempt,
  limitTime,
  type AttemptJob,
  type AttemptResult,
  type DownloadRequest,
  type KnownSource,
} from './transfer.ts'
import { displayName } from './source-url.ts'

export interface Downloaded {
  readonly digest: string
  readonly bytes: number
  readonly displayName: string
  readonly finalUrl: string
  readonly etag: string | null
  readonly lastModified: string | null
  readonly unchanged: boolean
}

/** Seconds between attempts without progress; progress starts the list again. */
const BACKOFF_SECONDS = [0.5, 1, 2]
/** An attempt that transferred at least this much made progress. */
const PROGRESS_BYTES = 64 * 1024
const MAX_ATTEMPTS = 100

/**
 * Downloads the address. Throws PageFound for a web page, SOURCE_UNREACHABLE, SOURCE_FORBIDDEN, SOURCE_NOT_VIDEO,
 * SOURCE_TOO_LARGE, DISK_FULL or CANCELLED. Bytes stay for a later resume only when the work was cancelled (a stopping appliance
 * cancels too) or its process killed. Every other failure deletes them, so that half a file does not fill the disk.
 */
export async function download(request: DownloadRequest): Promise<Downloaded> {
  const known = request.known
  const stored = known !== null && (await isStored(request.sources, known.digest, known.bytes)) ? known : null
  const onRehash = (): void => request.onNote('Checking the part that was downloaded before')
  const partial = await openPartial(
    request.sources,
    request.resumeAs ?? request.url.href,
    request.signal,
    onRehash,
  )
  let keep = false
  let overran = false
  request.agent.on('disconnect', (_origin, _targets, error) => {
    overran ||= error.message === 'bad response'
  })
  const limit = limitTime(request.totalTimeoutSeconds)
  const listening = request.listen?.(partial.path)
  try {
    const job: AttemptJob = {
      ...request,
      onBytes: (done, total) => {
        listening?.grow(done)
        request.onBytes(done, total)
      },
      partial,
      known: stored,
      overdue: limit.signal,
      overran: () => overran,
      requireFreeSpace: (bytes) =>
        requireDiskSpace(request.sources, { what: 'The video', bytes, minFreeBytes: request.minFreeBytes }),
    }
    const result = await attemptUntilDone(job)
    await listening?.stop()
    return await storeResult(request, partial, result, stored)
  } catch (error) {
    keep = request.signal.aborted
    throw request.signal.aborted ? new AppError('CANCELLED', { cause: error }) : toDiskFull(error)
  } finally {
    limit.end()
    await listening?.stop()
    await partial.release(keep)
  }
}

type Finished = Extract<AttemptResult, { kind: 'done' | 'unchanged' }>

async function attemptUntilDone(job: AttemptJob): Promise<Finished> {
  const { partial } = job
  let idle = 0
  for (let count = 0; count < MAX_ATTEMPTS; count++) {
    const before = partial.size()
    const result = await attempt(job)
    if (result.kind === 'done' || result.kind === 'unchanged') return result
    if (result.kind === 'restart') {
      await partial.restart({ etag: null, lastModified: null, total: null })
      idle += before === 0 ? 1 : 0
    } else {
      idle = partial.size() - before >= PROGRESS_BYTES ? 0 : idle + 1
    }
    const pauseSeconds = idle === 0 ? 0.1 : BACKOFF_SECONDS[idle - 1]
    if (pauseSeconds === undefined) throw attemptsFailed(result)
    const seconds = result.kind === 'again' ? Math.max(pauseSeconds, result.afterSeconds) : pauseSeconds
    await pause(seconds, AbortSignal.any([job.signal, job.overdue]))
  }
  throw new AppError('SOURCE_UNREACHABLE', { message: 'The connection broke repeatedly. Try again later.' })
}

function attemptsFailed(result: AttemptResult): AppError {
  const message =
    result.kind === 'again' ? result.message : 'The server changes the file while it is downloaded.'
  return new AppError('SOURCE_UNREACHABLE', { message: `${message} Several attempts were made.` })
}

async function storeResult(
  request: DownloadRequest,
  partial: PartialFile,
  result: Finished,
  stored: KnownSource | null,
): Promise<Downloaded> {
  const facts = { finalUrl: result.finalUrl.href, etag: result.etag, lastModified: result.lastModified }
  const name = displayName(result.finalUrl, result.disposition)
  if (result.kind === 'unchanged') {
    if (stored === null)
      throw new AppError('SOURCE_UNREACHABLE', { message: 'The server answered with another file.' })
    // A 304 response may omit the validators; the known ones stay valid.
    const { digest, bytes } = stored
    const validators = {
      etag: facts.etag ?? stored.etag,
      lastModified: facts.lastModified ?? stored.lastModified,
    }
    return { digest, bytes, displayName: name, ...facts, ...validators, unchanged: true }
  }
  const bytes = partial.size()
  if (bytes === 0)
    throw new AppError('SOURCE_NOT_VIDEO', { message: 'The file at this address is empty (0 bytes).' })
  const digest = await partial.finish()
  await storeSource(request.sources, partial.path, digest, bytes)
  return { digest, bytes, displayName: name, ...facts, unchanged: false }
}

/** A timer of more than 2^31 ms would fire at once. */
const MAX_PAUSE_SECONDS = 3600

/** Waits for at most an hour; resolves early when the signal is aborted. */
export async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(Math.max(0, seconds), MAX_PAUSE_SECONDS) * 1000
  await wait(ms, undefined, { signal }).catch(() => undefined)
}
