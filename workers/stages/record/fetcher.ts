/** Fetches playlists, keys and segments through the guard. Temporary problems are values: the recorder decides on retries. */
import { open, rm } from 'node:fs/promises'
import type { Dispatcher } from 'undici'
import { AppError, type ErrorCode } from '../../../server/contract/errors.ts'
import { guardedAgent, type AddressPolicy } from '../ingest/guard.ts'
import { readBounded } from '../ingest/guarded-fetch.ts'
import {
  failureCode,
  networkSentence,
  plainHeaders,
  requestFollowing,
  limitTime,
  WHOLE_FILE,
} from '../ingest/transfer.ts'
import type { ByteRange } from './pure/playlist.ts'

/** `again`: trying later may help. `gone`: the server has nothing, or nothing for us. */
export type Fetched<T> =
  | { readonly kind: 'got'; readonly value: T; readonly url: URL }
  | { readonly kind: 'again'; readonly message: string }
  | { readonly kind: 'gone'; readonly message: string; readonly code?: ErrorCode }

export type Fetcher = ReturnType<typeof createFetcher>

const MAX_TEXT_BYTES = 8_000_000
/** Larger than any real segment. */
const MAX_SEGMENT_BYTES = 1_000_000_000
/** Time limit of a request, however slowly its bytes arrive. */
const REQUEST_SECONDS = 300

type Take<T> = (body: AsyncIterable<Buffer>, declared: number | null) => Promise<T>

/** Throws SOURCE_FORBIDDEN for what the guard refuses, DISK_FULL and CANCELLED; everything else is returned as a value. */
export function createFetcher(limits: {
  readonly addresses: AddressPolicy
  readonly idleTimeoutSeconds: number
  readonly signal: AbortSignal
}) {
  const agent = guardedAgent(limits.addresses, Math.min(30, limits.idleTimeoutSeconds))

  async function fetch<T>(url: URL, range: ByteRange | null, take: Take<T>): Promise<Fetched<T>> {
    const overdue = AbortSignal.timeout(REQUEST_SECONDS * 1000)
    const silence = limitTime(limits.idleTimeoutSeconds, [overdue, limits.signal])
    try {
      return await request({ agent, range, silence, take }, url)
    } catch (error) {
      if (limits.signal.aborted) throw new AppError('CANCELLED', { cause: error })
      if (silence.isOver() || overdue.aborted)
        return { kind: 'again', message: `The server ${url.hostname} does not respond.` }
      return { kind: 'again', message: networkSentence(failureCode(error), url.hostname) }
    } finally {
      silence.end()
    }
  }

  return {
    text: async (url: URL): Promise<Fetched<string>> => {
      const found = await fetch(url, null, (body) => collect(body, MAX_TEXT_BYTES))
      return found.kind === 'got' ? { ...found, value: found.value.toString('utf8') } : found
    },
    /** A few bytes, such as a key. */
    bytes: (url: URL, most: number) => fetch(url, null, (body) => collect(body, most)),
    /** Writes a segment, or its part `range`, to a file that is replaced if it exists. Its size. */
    file: (url: URL, target: string, range: ByteRange | null): Promise<Fetched<number>> =>
      fetch(url, range, (body, declared) => store(body, declared, target)),
    close: (): Promise<void> => agent.destroy(),
  }
}

interface Job<T> {
  readonly agent: Dispatcher
  readonly range: ByteRange | null
  readonly silence: ReturnType<typeof limitTime>
  readonly take: Take<T>
}

async function request<T>(job: Job<T>, from: URL): Promise<Fetched<T>> {
  const { agent, range, silence } = job
  const headers: Record<string, string> = { accept: '*/*' }
  if (range !== null) headers['range'] = `bytes=${range.offset}-${range.offset + range.length - 1}`
  const options = { agent, signal: silence.signal, headers, onResponse: silence.touch }
  const { url, response, decision } = await requestFollowing(from, WHOLE_FILE, options)
  try {
    if (response.statusCode === 206 && range !== null) return await receive(job, response, url, range)
    if (decision.kind === 'receive') return await receive(job, response, url, null)
    if (decision.kind === 'fail') return { kind: 'gone', message: decision.message, code: decision.code }
    if (decision.kind === 'again') return { kind: 'again', message: decision.message }
    return { kind: 'again', message: 'The server sent another part than was requested.' }
  } finally {
    // Does nothing for a body that was read completely; otherwise it closes the connection.
    response.body.on('error', () => undefined).destroy()
  }
}

/** `part`: the server sends only the range; otherwise the range is taken out of the whole. */
async function receive<T>(
  job: Job<T>,
  response: Dispatcher.ResponseData,
  url: URL,
  part: ByteRange | null,
): Promise<Fetched<T>> {
  const declared = Number(plainHeaders(response)['content-length'] ?? NaN)
  const cutOut = job.range !== null && part === null ? job.range : null
  const length = cutOut?.length ?? (Number.isSafeInteger(declared) ? declared : (part?.length ?? null))
  const value = await job.take(readBody(response, job.silence.touch, cutOut), length)
  // With its credentials, because addresses in a playlist need the same ones.
  return { kind: 'got', value, url }
}

async function* readBody(response: Dispatcher.ResponseData, touch: () => void, cutOut: ByteRange | null) {
  let at = 0
  for await (const data of response.body) {
    const chunk = data as Buffer
    touch()
    const [from, to] =
      cutOut === null ? [0, chunk.length] : [cutOut.offset - at, cutOut.offset + cutOut.length - at]
    at += chunk.length
    if (to <= 0) return
    if (from < chunk.length) yield chunk.subarray(Math.max(0, from), to)
    touch()
  }
}

async function collect(body: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const content = await readBounded(body, most)
  if (content !== null) return content
  throw new AppError('SOURCE_TOO_LARGE', { message: 'A playlist or key is far too large.' })
}

async function store(body: AsyncIterable<Buffer>, declared: number | null, target: string): Promise<number> {
  await using file = await open(target, 'w', 0o600)
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_SEGMENT_BYTES) break
    await file.appendFile(chunk)
  }
  if (size > MAX_SEGMENT_BYTES || (declared !== null && size !== declared)) {
    await rm(target, { force: true })
    // Handled as a network error: reported and retried like one.
    throw Object.assign(new Error('a segment came incomplete'), { code: 'INCOMPLETE' })
  }
  return size
}
