/**
 * HTTP requests to platforms: only to their own hosts, without following redirects, with a time limit. Network errors
 * are reported without address and headers, which may contain tokens.
 */
import { Readable } from 'node:stream'
import { AppError } from '../../contract/errors.ts'
import type { Reach } from '../../reachable.ts'
import { readBounded } from '../../../workers/stages/ingest/guarded-fetch.ts'
import type { Dispatcher } from 'undici'
import { socialFailure } from './failure.ts'

export interface SocialRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Name of one of the adapter's addresses; `path` follows it. */
  readonly at?: string
  readonly path?: string
  /** An absolute address that the platform gave. */
  readonly url?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string
  /** One of these three. */
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | AsyncIterable<Uint8Array>
}

export interface SocialAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The body as JSON; `{}` when it is none. */
  readonly json: Readonly<Record<string, unknown>>
  /** Milliseconds from Retry-After, or until the rate limit resets; null when not given. */
  readonly retryAfterMs: number | null
  /** How far the platform's clock is ahead of ours in milliseconds, from its Date header; 0 without one. */
  readonly aheadMs: number
}

/** Answers with whatever status. Throws socialFailure: `transient` for faults on the way, `unsupported` with the network off. */
export type SocialHttp = (request: SocialRequest) => Promise<SocialAnswer>

export interface HttpOptions {
  /** For people: `YouTube`. */
  readonly label: string
  readonly addresses: Readonly<Record<string, string>>
  readonly uploadHosts: readonly string[]
  /** Instead of the addresses' origins, in tests. */
  readonly override: string | null
  readonly network: 'on' | 'off'
  /** What may be connected to: some accounts live on a server that a person has named. */
  readonly reach: Reach
  readonly now: () => number
  readonly signal: AbortSignal
  /** No byte for this long, in seconds, ends a request. */
  readonly idleSeconds?: number
}

const IDLE_SECONDS = 60
const CONNECT_SECONDS = 10
const REQUEST_MS = 200_000
/** Slower than this is no upload any more. */
const MIN_BYTES_PER_SECOND = 50_000
const MAX_BYTES = 8_000_000

/** How requests of one adapter are sent. */
export function createSocialHttp(options: HttpOptions): SocialHttp {
  return async (request) => {
    const { label, network, signal } = options
    if (network === 'off')
      throw socialFailure(
        'unsupported',
        `${label} is not asked: the network is off (CUTROOM_NETWORK). Switch it on to publish there.`,
      )
    signal.throwIfAborted()
    const url = addressOf(options, request)
    try {
      return await send(options, request, url)
    } catch (error) {
      if (signal.aborted) throw signal.reason
      const refused = refusedAddress(error)
      if (refused !== null) throw socialFailure('unsupported', `${label}: ${refused.message}`)
      const code = codeOf(error)
      throw socialFailure('transient', `${label} could not be reached${code === '' ? '' : ` (${code})`}.`)
    }
  }
}

/** Message for an address that the network guard refuses. */
function refusedAddress(error: unknown): AppError | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if (at instanceof AppError && at.code === 'SOURCE_FORBIDDEN') return at
  return null
}

function codeOf(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code } = at as NodeJS.ErrnoException
    if (typeof code === 'string') return code
  }
  return ''
}

/**
 * Checks the destination of a request. Upload addresses that a platform returns are accepted only on its known hosts.
 */
function addressOf(options: HttpOptions, { at, path = '', url, query = {} }: SocialRequest): URL {
  const { addresses, override, uploadHosts, label } = options
  const base = at === undefined ? undefined : addresses[at]
  const address = new URL(url ?? `${base ?? ''}${path}`)
  if (url !== undefined && !isAllowed(address, uploadHosts, override))
    throw socialFailure('unsupported', `${label} named an address that is not its own (${address.hostname}).`)
  if (url === undefined && override !== null) {
    const { protocol, host } = new URL(override)
    address.protocol = protocol
    address.host = host
  }
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
  return address
}

function isAllowed({ protocol, origin, hostname }: URL, hosts: readonly string[], override: string | null) {
  if (override !== null) return origin === new URL(override).origin
  return (
    protocol === 'https:' &&
    hosts.some((host) => (host.startsWith('.') ? hostname.endsWith(host) : hostname === host))
  )
}

async function send(options: HttpOptions, request: SocialRequest, url: URL): Promise<SocialAnswer> {
  // Loaded with the first request: an appliance that publishes nothing does without it.
  const { guardedAgent } = await import('../../../workers/stages/ingest/guard.ts')
  const dispatcher = guardedAgent(options.reach, CONNECT_SECONDS)
  try {
    return await sendBy(dispatcher, options, request, url)
  } finally {
    await dispatcher.destroy()
  }
}

async function sendBy(
  dispatcher: Dispatcher,
  options: HttpOptions,
  request: SocialRequest,
  url: URL,
): Promise<SocialAnswer> {
  const { token, headers, json, form, body, method } = request
  const idle = (options.idleSeconds ?? IDLE_SECONDS) * 1000
  const type =
    json !== undefined
      ? 'application/json; charset=utf-8'
      : form === undefined
        ? null
        : 'application/x-www-form-urlencoded'
  const content =
    json !== undefined
      ? JSON.stringify(json)
      : form === undefined
        ? (body ?? null)
        : new URLSearchParams({ ...form }).toString()
  const { request: httpRequest } = await import('undici')
  const response = await httpRequest(url, {
    dispatcher,
    method: method ?? (content === null ? 'GET' : 'POST'),
    signal: AbortSignal.any([options.signal, AbortSignal.timeout(REQUEST_MS + idle + uploadMs(request))]),
    headersTimeout: idle,
    bodyTimeout: idle,
    headers: {
      accept: 'application/json',
      'user-agent': 'Cutroom/1.0',
      ...(content instanceof Uint8Array ? { 'content-length': String(content.length) } : {}),
      ...(type === null ? {} : { 'content-type': type }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body:
      typeof content === 'string' || content === null
        ? content
        : Readable.from(content instanceof Uint8Array ? inPieces(content) : content),
  })
  const text = (await readBounded(response.body, MAX_BYTES))?.toString()
  if (text === undefined) throw new Error('the answer is too long')
  const plain = plainHeaders(response.headers)
  return {
    status: response.statusCode,
    headers: plain,
    text,
    json: parse(text),
    retryAfterMs: retryAfter(response.statusCode, plain, options.now()),
    aheadMs: aheadOf(plain, options.now()),
  }
}

const PIECE = 256 * 1024

/**
 * Handed over as a whole, the time until an answer would be counted from the first byte on: a part of 64 MB takes longer
 * than that on many a line. Of a stream it is counted from the last.
 */
export function* inPieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}

function aheadOf({ date = '' }: Readonly<Record<string, string>>, now: number): number {
  const retryAt = Date.parse(date)
  return Number.isNaN(retryAt) ? 0 : retryAt - now
}

/** What the upload of a body may take. */
function uploadMs({ body, headers }: SocialRequest): number {
  const bytes = body instanceof Uint8Array ? body.length : Number(headers?.['content-length'] ?? 0)
  return Math.ceil((bytes / MIN_BYTES_PER_SECOND) * 1000)
}

/** TikTok gives ids of 19 digits as numbers: what a double cannot hold stays the text that it was. */
function wholeNumbers(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? (context?.source ?? value)
    : value
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text, wholeNumbers)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    // Many an upload is answered with no body, or with HTML by something in between.
    return {}
  }
}

function plainHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
}

/**
 * Seconds, a date, or the reset time in seconds since the epoch that X and Bluesky send: with every answer, so that it
 * means nothing where no limit was met.
 */
function retryAfter(status: number, headers: Readonly<Record<string, string>>, now: number): number | null {
  const given = headers['retry-after']
  if (given !== undefined) {
    // 0 would poll without a pause.
    if (/^\d+$/.test(given)) return Math.max(1, Number(given)) * 1000
    const date = Date.parse(given)
    if (!Number.isNaN(date)) return Math.max(0, date - now)
  }
  if (status !== 429) return null
  const reset = Number(headers['x-rate-limit-reset'] ?? headers['ratelimit-reset'] ?? Number.NaN)
  return Number.isFinite(reset) && reset * 1000 > now ? reset * 1000 - now : null
}

/**
 * The error for a refused request, by its status; `platformMessage` is shortened to a sentence. An adapter that
 * recognises the platform's own codes passes `reason`.
 */
export function refusal(
  label: string,
  answer: SocialAnswer,
  platformMessage: string | null,
  reason?: 'auth' | 'rate_limited' | 'rejected' | 'transient' | 'unsupported',
) {
  const { status, retryAfterMs } = answer
  const why = reason ?? reasonByStatus(status)
  const words =
    platformMessage === null || platformMessage.trim() === ''
      ? `status ${status}`
      : platformMessage.trim().slice(0, 300)
  const sentences = {
    auth: `${label} does not let this account in: ${words}. Connect it again: cutroom social connect`,
    rate_limited: `${label} takes no more requests for now: ${words}.`,
    rejected: `${label} refuses the post: ${words}.`,
    transient: `${label} has trouble: ${words}.`,
    unsupported: `${label}: ${words}.`,
  }
  const message = sentences[why].replaceAll(/\.{2,}/g, '.')
  return socialFailure(why, message, { status, ...(retryAfterMs === null ? {} : { retryAfterMs }) })
}

function reasonByStatus(status: number): 'auth' | 'rate_limited' | 'rejected' | 'transient' {
  if (status === 401 || status === 403) return 'auth'
  if (status === 429) return 'rate_limited'
  return status >= 500 || status === 408 || (status >= 300 && status < 400) ? 'transient' : 'rejected'
}

export const isOk = ({ status }: SocialAnswer): boolean => status >= 200 && status < 300
