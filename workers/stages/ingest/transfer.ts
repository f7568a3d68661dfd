/** One attempt at a download: request, redirects, and the body into the partial file. Outcomes are values. */
import { request as httpRequest, type Agent, type Dispatcher } from 'undici'
import { AppError } from '../../../server/contract/errors.ts'
import { isDiskFull, RECHECK_EVERY_BYTES } from '../../media/disk.ts'
import type { Listening } from './hear-ahead.ts'
import type { PartialFile } from './partial.ts'
import { authorizationOf, withoutCredentials } from './source-url.ts'
import { SNIFF_BYTES, sniff, describeNonVideo } from './pure/media-type.ts'
import {
  decideResponse,
  isStrong,
  type RequestedRange,
  type Decision,
  type Headers,
} from './pure/response.ts'

export interface DownloadLimits {
  readonly maxBytes: number
  readonly minFreeBytes: number
  readonly idleTimeoutSeconds: number
  readonly totalTimeoutSeconds: number
}

export interface KnownSource {
  readonly digest: string
  readonly bytes: number
  readonly etag: string | null
  readonly lastModified: string | null
}

export interface DownloadRequest extends DownloadLimits {
  readonly url: URL
  /** Key of the partial download if the address changes with each attempt; absent: the address. */
  readonly resumeAs?: string
  readonly sources: string
  readonly agent: Agent
  readonly known: KnownSource | null
  readonly signal: AbortSignal
  /** Bytes so far and in total; null when the server does not report it. */
  readonly onBytes: (done: number, total: number | null) => void
  readonly onNote: (note: string) => void
  /** Listens to the file at this path while it grows; absent: nobody does. */
  readonly listen?: (path: string) => Listening
}

export interface AttemptJob extends DownloadRequest {
  readonly partial: PartialFile
  /** Aborts when the whole download takes too long. */
  readonly overdue: AbortSignal
  /** Whether the server sent more than the length that it had declared. */
  readonly overran: () => boolean
  /** Throws DISK_FULL when this many more bytes do not fit; 0: unknown. */
  readonly requireFreeSpace: (bytes: number) => void
}

export type AttemptResult =
  | {
      readonly kind: 'done' | 'unchanged'
      readonly finalUrl: URL
      readonly disposition: string | undefined
      readonly etag: string | null
      readonly lastModified: string | null
    }
  | { readonly kind: 'restart' }
  | { readonly kind: 'again'; readonly message: string; readonly afterSeconds: number }

const MAX_REDIRECTS = 5
/** Without a validator the end of the existing part is fetched again and compared. */
const OVERLAP_BYTES = 64 * 1024
const USER_AGENT = 'Cutroom/0.1'

/** Makes one attempt. Throws AppError only for errors that another attempt cannot fix. */
export async function attempt(job: AttemptJob): Promise<AttemptResult> {
  const idle = limitTime(job.idleTimeoutSeconds, [job.signal, job.overdue])
  const requested = requestedRange(job)
  try {
    const { url, response, decision } = await requestFollowing(job.url, requested, {
      agent: job.agent,
      signal: idle.signal,
      headers: requestHeaders(requested, job.known),
      onResponse: idle.touch,
    })
    const headers = plainHeaders(response)
    const answer = {
      finalUrl: withoutCredentials(url),
      disposition: headers['content-disposition'],
      etag: headers['etag'] ?? null,
      lastModified: headers['last-modified'] ?? null,
    }
    if (decision.kind === 'receive') {
      const result = await receive(job, decision, { response, url: answer.finalUrl }, idle)
      if (result === 'short') return { kind: 'again', message: endedEarly(job) ?? '', afterSeconds: 0 }
      return result === 'whole' ? { kind: 'done', ...answer } : { kind: 'restart' }
    }
    response.body.on('error', () => undefined).destroy()
    if (decision.kind === 'unchanged') return { kind: 'unchanged', ...answer }
    if (decision.kind === 'complete') return { kind: 'done', ...answer }
    if (decision.kind === 'fail') throw new AppError(decision.code, { message: decision.message })
    return decision
  } catch (error) {
    return explain(error, job, idle)
  } finally {
    idle.end()
  }
}

type Settled = Exclude<Decision, { kind: 'redirect' }>

/** Requests an address and follows its redirects. Each hop passes the agent's guard. */
export async function requestFollowing(
  from: URL,
  requested: RequestedRange,
  options: {
    readonly agent: Dispatcher
    readonly signal: AbortSignal
    readonly headers: Readonly<Record<string, string>>
    /** Called when a server has responded. */
    readonly onResponse: () => void
  },
): Promise<{ url: URL; response: Dispatcher.ResponseData; decision: Settled }> {
  let url = from
  for (let hop = 0; ; hop++) {
    const response = await httpRequest(withoutCredentials(url), {
      dispatcher: options.agent,
      signal: options.signal,
      headers: { 'accept-encoding': 'identity', ...options.headers, ...authorizationOf(url) },
    })
    options.onResponse()
    const decision = decideResponse(response.statusCode, plainHeaders(response), requested)
    if (decision.kind !== 'redirect') return { url, response, decision }
    response.body.on('error', () => undefined).destroy()
    const message = 'The address redirects too many times.'
    if (hop === MAX_REDIRECTS)
      return { url, response, decision: { kind: 'fail', code: 'SOURCE_UNREACHABLE', message } }
    url = redirectTarget(decision.location, url)
  }
}

/** No range, and nothing known about the file. */
export const WHOLE_FILE: RequestedRange = {
  from: 0,
  total: null,
  etag: null,
  lastModified: null,
  known: null,
}

/** Target of a redirect. Throws if it is not an http or https address. */
function redirectTarget(location: string, from: URL): URL {
  if (!URL.canParse(location, from)) {
    throw new AppError('SOURCE_UNREACHABLE', {
      message: 'The address redirects to something that is not an address.',
    })
  }
  const url = new URL(location, from)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const message = `The address redirects to ${url.protocol}//, and only http and https are fetched.`
    throw new AppError('SOURCE_FORBIDDEN', { message })
  }
  return url
}

function requestedRange(job: AttemptJob): RequestedRange {
  const { partial, known } = job
  const facts = partial.facts()
  const size = partial.size()
  const safe = isStrong(facts.etag) || facts.lastModified !== null
  return { from: safe ? size : Math.max(0, size - OVERLAP_BYTES), ...facts, known: size > 0 ? null : known }
}

function requestHeaders(requested: RequestedRange, known: DownloadRequest['known']): Record<string, string> {
  const headers: Record<string, string> = {
    'user-agent': USER_AGENT,
    accept: 'video/*,audio/*;q=0.9,*/*;q=0.5',
  }
  if (requested.from > 0) {
    headers['range'] = `bytes=${requested.from}-`
    const validator = isStrong(requested.etag) ? requested.etag : requested.lastModified
    if (validator !== null) headers['if-range'] = validator
  } else if (requested.known !== null && known !== null) {
    if (known.etag !== null) headers['if-none-match'] = known.etag
    else if (known.lastModified !== null) headers['if-modified-since'] = known.lastModified
  }
  return headers
}

/** Receives the body into the file. `changed`: the overlap differs from the existing part. `short`: it ended early. */
async function receive(
  job: AttemptJob,
  decision: Extract<Decision, { kind: 'receive' }>,
  { response, url }: { readonly response: Dispatcher.ResponseData; readonly url: URL },
  idle: TimeLimit,
): Promise<'whole' | 'changed' | 'short'> {
  const { partial } = job
  const { total } = decision
  const headers = plainHeaders(response)
  if (total !== null && total > job.maxBytes) throw tooLarge(job.maxBytes)
  if (total !== null) job.requireFreeSpace(total - decision.from)
  if (decision.from === 0) {
    await partial.restart({
      etag: headers['etag'] ?? null,
      lastModified: headers['last-modified'] ?? null,
      total,
    })
  }
  let overlap = await partial.read(decision.from, partial.size() - decision.from)
  let checkedAt = partial.size()
  let sniffed = decision.from > 0 && partial.size() >= SNIFF_BYTES
  for await (const data of response.body) {
    let chunk = data as Buffer
    idle.touch()
    if (overlap.length > 0) {
      const shared = Math.min(overlap.length, chunk.length)
      if (!overlap.subarray(0, shared).equals(chunk.subarray(0, shared))) return 'changed'
      overlap = overlap.subarray(shared)
      chunk = chunk.subarray(shared)
    }
    await partial.append(chunk)
    if (partial.size() > job.maxBytes) throw tooLarge(job.maxBytes)
    if (partial.size() - checkedAt > RECHECK_EVERY_BYTES) {
      job.requireFreeSpace(0)
      checkedAt = partial.size()
    }
    if (!sniffed && partial.size() >= SNIFF_BYTES) {
      await refuseNonVideo(partial, headers, url)
      sniffed = true
    }
    job.onBytes(partial.size(), total)
    // Writing to a slow disk may have taken long, which must not count as the server's silence.
    idle.touch()
  }
  if (total !== null && partial.size() !== total) return 'short'
  if (!sniffed) await refuseNonVideo(partial, headers, url)
  if (total !== null) await refuseOverrun(job, total)
  return 'whole'
}

/** HTTP ends the body at the declared length; further bytes appear as garbage on the connection immediately. */
async function refuseOverrun(job: AttemptJob, total: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 20))
  if (!job.overran()) return
  const message = `The server declares ${total} bytes and sends more, so the file would be cut off.`
  throw new AppError('SOURCE_UNREACHABLE', { message })
}

async function refuseNonVideo(partial: PartialFile, headers: Headers, url: URL): Promise<void> {
  if (partial.size() === 0) return
  const found = sniff(await partial.head(SNIFF_BYTES))
  const why = describeNonVideo(found)
  if (why !== null) {
    if (found.kind === 'page') throw new PageFound(url)
    throw new AppError('SOURCE_NOT_VIDEO', { message: why, details: { found: found.kind } })
  }
  if (
    found.kind === 'unknown' &&
    /^(text\/|application\/(json|xhtml|xml))/i.test(headers['content-type'] ?? '')
  ) {
    const message = `The server calls this ${headers['content-type']?.split(';')[0] ?? 'text'}, and it does not look like a video.`
    throw new AppError('SOURCE_NOT_VIDEO', { message })
  }
}

/** SOURCE_TOO_LARGE for a video of more than `maxBytes`. */
export function tooLarge(maxBytes: number): AppError {
  const message = `The video is larger than this appliance accepts (${(maxBytes / 1e9).toFixed(1)} GB).`
  return new AppError('SOURCE_TOO_LARGE', { message, details: { maxBytes } })
}

/** Turns an error into "try again", or throws it if another attempt cannot help. */
function explain(error: unknown, job: AttemptJob, idle: TimeLimit): AttemptResult {
  if (job.signal.aborted) throw new AppError('CANCELLED', { cause: error })
  if (job.overdue.aborted) {
    const message = `The download did not finish within ${job.totalTimeoutSeconds} seconds and was stopped.`
    throw new AppError('SOURCE_UNREACHABLE', { message })
  }
  if (idle.isOver()) {
    const message = `The server sent nothing for ${job.idleTimeoutSeconds} seconds.`
    // A server that has sent something may have a temporary problem; one that sent nothing has had its time.
    if (job.partial.size() === 0) throw new AppError('SOURCE_UNREACHABLE', { message })
    return { kind: 'again', message, afterSeconds: 0 }
  }
  const code = failureCode(error)
  const host = job.url.hostname
  if (code === 'ENOTFOUND') {
    throw new AppError('SOURCE_UNREACHABLE', { message: noServer(host), cause: error })
  }
  if (/CERT|SSL|TLS|SIGNATURE|ALTNAME/.test(code)) {
    const message = `The secure connection to ${host} could not be made (${code}).`
    throw new AppError('SOURCE_UNREACHABLE', { message, cause: error })
  }
  return { kind: 'again', message: endedEarly(job) ?? networkSentence(code, host), afterSeconds: 0 }
}

function endedEarly(job: AttemptJob): string | null {
  const { total } = job.partial.facts()
  const size = job.partial.size()
  if (total === null || size === 0 || size >= total) return null
  return `The server promised ${total} bytes and the connection ended after ${size}.`
}

/** The system's code of a failed request, '' if there is none. Throws an AppError inside of the error, and DISK_FULL. */
export function failureCode(error: unknown): string {
  const cause = rootCause(error)
  if (cause instanceof AppError) throw cause
  if (isDiskFull(cause)) throw new AppError('DISK_FULL', { cause })
  return (cause as NodeJS.ErrnoException).code ?? ''
}

/** The sentence for ENOTFOUND. */
export const noServer = (host: string): string => `There is no server named ${host}. Check the address.`

/** A sentence for a system error code. */
export function networkSentence(code: string, host: string): string {
  if (code === 'ECONNREFUSED') return `The server ${host} refuses connections.`
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return `The server ${host} cannot be reached.`
  if (code === 'EAI_AGAIN') return `The name ${host} could not be looked up.`
  if (/HPE|UND_ERR_(RES|REQ)_/.test(code)) return `The response of ${host} is not valid HTTP (${code}).`
  return `The connection to ${host} broke${code === '' ? '' : ` (${code})`}.`
}

/** The original error inside of wrappers and aggregates; an AppError is returned as it is. */
export function rootCause(error: unknown): Error {
  let at = error
  for (let depth = 0; depth < 5; depth++) {
    if (at instanceof AggregateError && at.errors.length > 0) at = at.errors[0] as unknown
    else if (at instanceof Error && !(at instanceof AppError) && at.cause instanceof Error) at = at.cause
    else break
  }
  return at instanceof Error ? at : new Error('unknown failure')
}

type TimeLimit = ReturnType<typeof limitTime>

/**
 * `signal` aborts `seconds` after the last touch, or with one of the others. The caller ends the limit: an AbortSignal.timeout
 * with listeners would stay in memory until its time is up, and a download may take hours.
 */
export function limitTime(seconds: number, others: readonly AbortSignal[] = []) {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), seconds * 1000)
  return {
    signal: AbortSignal.any([silence.signal, ...others]),
    touch: (): void => void timer.refresh(),
    isOver: (): boolean => silence.signal.aborted,
    end: (): void => clearTimeout(timer),
  }
}

/** Lower-case names, several values joined. */
export function plainHeaders(response: Dispatcher.ResponseData): Headers {
  const plain: Record<string, string> = {}
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) plain[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  }
  return plain
}

/** A web page where a video was expected. It is a failure, unless the page leads to a file. */
export class PageFound extends AppError {
  /** Address of the page after all redirects. */
  readonly page: URL

  constructor(page: URL) {
    const found = 'page'
    super('SOURCE_NOT_VIDEO', { message: describeNonVideo({ kind: found }) ?? '', details: { found } })
    this.page = page
  }
}
