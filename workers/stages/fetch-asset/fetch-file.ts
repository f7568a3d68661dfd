/** Downloads a file under the same rules as sources: addresses, redirects, size and time. */
import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Dispatcher } from 'undici'
import { AppError } from '../../../server/contract/errors.ts'
import { RECHECK_EVERY_BYTES, requireDiskSpace } from '../../media/disk.ts'
import { guardedAgent, type AddressPolicy } from '../ingest/guard.ts'
import { SNIFF_BYTES } from '../ingest/pure/media-type.ts'
import { contentLength } from '../ingest/pure/response.ts'
import {
  failureCode,
  networkSentence,
  noServer,
  plainHeaders,
  requestFollowing,
  limitTime,
  WHOLE_FILE,
} from '../ingest/transfer.ts'

export interface FileDownload {
  readonly url: string
  /** Path of the file; an existing one is replaced. */
  readonly target: string
  readonly addresses: AddressPolicy
  readonly maxBytes: number
  readonly minFreeBytes: number
  /** Receives the first bytes (SNIFF_BYTES, or a shorter file), returns the size limit, and throws if the file is of no use. */
  readonly judge: (head: Buffer) => number
  /** Give up when nothing arrives for this many seconds. */
  readonly idleTimeoutSeconds: number
  readonly totalTimeoutSeconds: number
  readonly accept: string
  readonly onBytes: (done: number, total: number | null) => void
}

export interface FetchedFile {
  readonly digest: string
  readonly bytes: number
}

const ATTEMPTS = 3
const PAUSE_MS = 400

/** A temporary problem that is worth another attempt. */
type Passing = { readonly passing: string }

/**
 * Downloads the whole file and syncs it to the disk. Starts over after temporary problems. Throws INVALID_URL,
 * UNSUPPORTED_SOURCE_URL, SOURCE_UNREACHABLE, SOURCE_FORBIDDEN, SOURCE_TOO_LARGE, DISK_FULL or CANCELLED, each with a
 * sentence for users, and whatever `judge` throws.
 */
export async function fetchFile(download: FileDownload, signal: AbortSignal): Promise<FetchedFile> {
  if (!URL.canParse(download.url)) throw new AppError('INVALID_URL')
  const url = new URL(download.url)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const message = `Only http and https addresses are fetched, not ${url.protocol}`
    throw new AppError('UNSUPPORTED_SOURCE_URL', { message })
  }
  const agent = guardedAgent(download.addresses, Math.min(30, download.idleTimeoutSeconds))
  const limit = limitTime(download.totalTimeoutSeconds)
  const overdue = limit.signal
  try {
    let last = ''
    for (let count = 1; count <= ATTEMPTS; count++) {
      const answer = await attempt({ download, url, agent, overdue, signal })
      if (!('passing' in answer)) return answer
      last = answer.passing
      if (count < ATTEMPTS) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * count))
      signal.throwIfAborted()
    }
    throw new AppError('SOURCE_UNREACHABLE', { message: `${last} Several attempts were made.` })
  } finally {
    limit.end()
    await agent.destroy()
  }
}

interface Attempt {
  readonly download: FileDownload
  readonly url: URL
  readonly agent: Dispatcher
  readonly overdue: AbortSignal
  readonly signal: AbortSignal
}

async function attempt(job: Attempt): Promise<FetchedFile | Passing> {
  const { download, overdue, signal } = job
  const silence = limitTime(download.idleTimeoutSeconds, [overdue, signal])
  try {
    const { response, decision } = await requestFollowing(job.url, WHOLE_FILE, {
      agent: job.agent,
      signal: silence.signal,
      headers: { accept: download.accept },
      onResponse: silence.touch,
    })
    if (decision.kind === 'receive') return await receive(job, response, silence.touch)
    response.body.on('error', () => undefined).destroy()
    if (decision.kind === 'fail') throw new AppError(decision.code, { message: decision.message })
    return {
      passing: decision.kind === 'again' ? decision.message : 'The server answered with a part of the file.',
    }
  } catch (error) {
    if (signal.aborted) throw new AppError('CANCELLED', { cause: error })
    const unreachable = (message: string) => new AppError('SOURCE_UNREACHABLE', { message, cause: error })
    if (overdue.aborted)
      throw unreachable(`The download was not done after ${download.totalTimeoutSeconds} seconds.`)
    if (silence.isOver())
      throw unreachable(`The server sent nothing for ${download.idleTimeoutSeconds} seconds.`)
    const code = failureCode(error)
    const host = job.url.hostname
    if (code === 'ENOTFOUND') throw unreachable(noServer(host))
    return { passing: networkSentence(code, host) }
  } finally {
    silence.end()
  }
}

async function receive(job: Attempt, response: Dispatcher.ResponseData, touch: () => void) {
  const { download } = job
  const total = contentLength(plainHeaders(response))
  let file: FileHandle | null = null
  try {
    if (total !== null && total > download.maxBytes) throw tooLarge(download.maxBytes)
    if (total !== null) requireFreeSpace(download, total)
    file = await open(download.target, 'w', 0o600)
    const got = await writeBody(file, response, { ...download, total, touch })
    if (total !== null && got.bytes !== total)
      return { passing: `The server promised ${total} bytes and the connection ended after ${got.bytes}.` }
    await file.sync()
    return got
  } finally {
    // Does nothing for a body that was read completely; otherwise it closes the connection.
    response.body.on('error', () => undefined).destroy()
    await file?.close()
  }
}

async function writeBody(
  file: FileHandle,
  response: Dispatcher.ResponseData,
  given: FileDownload & { readonly total: number | null; readonly touch: () => void },
): Promise<FetchedFile> {
  const hash = createHash('sha256')
  const { judge, onBytes, total, touch } = given
  let bytes = 0
  let most = given.maxBytes
  let head = Buffer.alloc(0)
  let checkedAt = 0
  let judged = false
  const look = (): void => {
    judged = true
    most = Math.min(most, judge(head))
    if (total !== null && total > most) throw tooLarge(most)
  }
  for await (const data of response.body) {
    const chunk = data as Buffer
    touch()
    bytes += chunk.length
    if (!judged) {
      head = Buffer.concat([head, chunk]).subarray(0, SNIFF_BYTES)
      if (head.length >= SNIFF_BYTES) look()
    }
    if (bytes > most) throw tooLarge(most)
    hash.update(chunk)
    await file.appendFile(chunk)
    if (bytes - checkedAt > RECHECK_EVERY_BYTES) {
      requireFreeSpace(given, 0)
      checkedAt = bytes
    }
    onBytes(bytes, total)
    // Writing to a slow disk may have taken long, which must not count as the server's silence.
    touch()
  }
  // A truncated file is downloaded again before it is judged.
  if (!judged && (total === null || bytes === total)) look()
  return { digest: hash.digest('hex'), bytes }
}

/** SOURCE_TOO_LARGE for a file of more than `maxBytes`. */
export function tooLarge(maxBytes: number): AppError {
  const message = `The file is larger than ${Math.round(maxBytes / 1e6)} MB.`
  return new AppError('SOURCE_TOO_LARGE', { message, details: { maxBytes } })
}

function requireFreeSpace({ target, minFreeBytes }: FileDownload, bytes: number): void {
  requireDiskSpace(dirname(target), { what: 'The file', bytes, minFreeBytes })
}
