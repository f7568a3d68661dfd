/** Decides what to do with the response to a download request. PURE: depends on status and headers only. */
import type { ErrorCode } from '../../../../server/contract/errors.ts'

/** What was requested, and what is known about the file. */
export interface RequestedRange {
  /** First byte requested by Range; 0 without a range. */
  readonly from: number
  /** Total length when the partial file was started; null if unknown. */
  readonly total: number | null
  readonly etag: string | null
  readonly lastModified: string | null
  /** Size and validators of the copy stored by an earlier run; null when there is none. */
  readonly known: {
    readonly bytes: number
    readonly etag: string | null
    readonly lastModified: string | null
  } | null
}

/** Lower-case header names; several values are joined. */
export type Headers = Readonly<Record<string, string | undefined>>

export type Decision =
  | { readonly kind: 'unchanged' }
  /** The partial file is the whole file. */
  | { readonly kind: 'complete' }
  | { readonly kind: 'receive'; readonly from: number; readonly total: number | null }
  /** The partial file does not match what the server has now: request again from the start. */
  | { readonly kind: 'restart' }
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'again'; readonly message: string; readonly afterSeconds: number }
  | { readonly kind: 'fail'; readonly code: ErrorCode; readonly message: string }

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504])
const FORBIDDEN = new Set([401, 402, 403, 407, 451])

/** Decides by status, then by whether length, range and validators match. */
export function decideResponse(status: number, headers: Headers, requested: RequestedRange): Decision {
  const location = headers['location']
  if (REDIRECTS.has(status) && location !== undefined) return { kind: 'redirect', location }
  if (status === 304 && requested.known !== null) return { kind: 'unchanged' }
  if (status === 206) return decidePart(headers, requested)
  if (status === 416) return decideUnsatisfiable(headers, requested)
  if (status === 200) return decideWhole(headers, requested)
  if (FORBIDDEN.has(status)) {
    const message = `The server refuses access to this address (HTTP ${status}). Check that it can be opened without signing in.`
    return { kind: 'fail', code: 'SOURCE_FORBIDDEN', message }
  }
  if (PASSING.has(status)) {
    const message = `The server answered with an error (HTTP ${status}).`
    return { kind: 'again', message, afterSeconds: retryAfter(headers) }
  }
  const message =
    status === 404 || status === 410
      ? `There is no file at this address (HTTP ${status}). Check the address.`
      : `The server did not give the file (HTTP ${status}).`
  return { kind: 'fail', code: 'SOURCE_UNREACHABLE', message }
}

/** Content-Length as a number; null when absent or invalid. */
export function contentLength(headers: Headers): number | null {
  const text = headers['content-length']
  const value = text !== undefined && /^\d+$/.test(text.trim()) ? Number(text) : null
  return value !== null && Number.isSafeInteger(value) ? value : null
}

/** Whether an ETag may be used for resuming: weak ones promise the same meaning, not the same bytes. */
export function isStrong(etag: string | null): etag is string {
  return etag !== null && etag.startsWith('"')
}

function decideWhole(headers: Headers, requested: RequestedRange): Decision {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding !== 'identity' && encoding !== '') {
    const message = `The server sends the file compressed (${encoding}) although it was asked not to.`
    return { kind: 'fail', code: 'SOURCE_UNREACHABLE', message }
  }
  const total = contentLength(headers)
  const { known } = requested
  if (known !== null && total === known.bytes && sameVersion(headers, known)) return { kind: 'unchanged' }
  return { kind: 'receive', from: 0, total }
}

function sameVersion(
  headers: Headers,
  known: { readonly etag: string | null; readonly lastModified: string | null },
): boolean {
  const etag = headers['etag']
  if (etag !== undefined || known.etag !== null) return etag === known.etag
  return known.lastModified !== null && headers['last-modified'] === known.lastModified
}

function decidePart(headers: Headers, requested: RequestedRange): Decision {
  const match = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers['content-range']?.trim() ?? '')
  if (match === null || requested.from === 0) return { kind: 'restart' }
  const total = match[3] === '*' ? requested.total : Number(match[3])
  const fits = Number(match[1]) === requested.from && (requested.total === null || total === requested.total)
  const etag = headers['etag']
  const sameTag = etag === undefined || requested.etag === null || etag === requested.etag
  return fits && sameTag ? { kind: 'receive', from: requested.from, total } : { kind: 'restart' }
}

function decideUnsatisfiable(headers: Headers, requested: RequestedRange): Decision {
  const total = /^bytes \*\/(\d+)$/.exec(headers['content-range']?.trim() ?? '')?.[1]
  const whole = total !== undefined && Number(total) === requested.from && isStrong(requested.etag)
  return whole && requested.total === requested.from ? { kind: 'complete' } : { kind: 'restart' }
}

/** Seconds to wait as requested by the server, at most 30. Dates are ignored, because they need a clock. */
function retryAfter(headers: Headers): number {
  const text = headers['retry-after'] ?? ''
  return /^\d+$/.test(text) ? Math.min(30, Number(text)) : 0
}
