/** The one place where an error becomes an answer: code → status by the closed table, envelope by the route's family. */
import { NotFoundError, ParseError, ValidationError } from 'elysia'
import { AppError, ERRORS, type Failure, failureOf } from '../contract/errors.ts'
import type { Logger } from '../log.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'

/** Each family of routes has its own error body; a new family is one more entry. */
const ENVELOPES = {
  public: (failure: Failure, requestId: string) => ({
    error: failure.message,
    status: 'error',
    code: failure.code,
    requestId,
    ...omitUndefined({ details: failure.details }),
  }),
  domain: ({ code, message, details }: Failure, requestId: string) => ({
    error: { code, message, ...omitUndefined({ details }) },
    requestId,
  }),
} as const satisfies Record<string, (failure: Failure, requestId: string) => unknown>

export type Family = keyof typeof ENVELOPES

export interface ErrorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Codes by which SQLite and the file system report a full disk. */
const NO_ROOM: ReadonlySet<string> = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT'])
const NO_ROOM_LEFT: Failure = {
  code: 'DISK_FULL',
  message: 'The disk is full; nothing was stored. Free some space and try again.',
}

function expected(error: unknown): Failure | null {
  if (error instanceof AppError) return error.code === 'INTERNAL' ? null : error.toFailure()
  // Elysia wraps what a body parser throws.
  if (error instanceof ParseError) return error.cause === undefined ? null : expected(error.cause)
  if (error instanceof NotFoundError) return failureOf('NOT_FOUND')
  if (error instanceof ValidationError) return error.type === 'response' ? null : failureOf('INVALID_REQUEST')
  const code = (error as { code?: unknown } | null)?.code
  if (code === 'ERR_BODY_TOO_LARGE') return failureOf('PAYLOAD_TOO_LARGE')
  return typeof code === 'string' && NO_ROOM.has(code) ? NO_ROOM_LEFT : null
}

type Codes = Partial<Record<Failure['code'], Failure['code']>>

const PUBLIC_CODES: Codes = { IDEMPOTENCY_KEY_REUSED: 'IDEMPOTENCY_CONFLICT' }
/** The domain API has fewer codes: what it calls the public API's refusals. */
const DOMAIN_CODES: Codes = {
  CLIP_NOT_FOUND: 'NOT_FOUND',
  POST_NOT_FOUND: 'NOT_FOUND',
  WORKFLOW_NOT_FOUND: 'NOT_FOUND',
  TRIGGER_NOT_FOUND: 'NOT_FOUND',
  INVALID_REQUEST: 'VALIDATION_FAILED',
  INVALID_URL: 'VALIDATION_FAILED',
  UNSUPPORTED_SOURCE_URL: 'VALIDATION_FAILED',
  INVALID_NODE_CONFIG: 'VALIDATION_FAILED',
  INVALID_CLIP_UPDATE: 'VALIDATION_FAILED',
  UNSUPPORTED_CLIP_FIELDS: 'VALIDATION_FAILED',
  INVALID_OPERATIONS: 'VALIDATION_FAILED',
  NO_TRANSCRIPT: 'INVALID_STATE',
}

const inFamily = (failure: Failure, family: Family): Failure => ({
  ...failure,
  code: (family === 'domain' ? DOMAIN_CODES : PUBLIC_CODES)[failure.code] ?? failure.code,
})

const HEADERS: Partial<Record<Failure['code'], Readonly<Record<string, string>>>> = {
  INVALID_API_KEY: { 'www-authenticate': 'Bearer' },
  PAYLOAD_TOO_LARGE: { connection: 'close' },
  // The protocol asks for it.
  TUS_VERSION_UNSUPPORTED: { 'tus-version': '1.0.0' },
  // RFC 9110 asks for it: what would have been accepted.
  UNSUPPORTED_ENCODING: { 'accept-encoding': 'identity' },
  RENDER_CONCURRENCY_LIMIT: { 'retry-after': '10' },
}

function headersOf({ code, details }: Failure): Readonly<Record<string, string>> {
  const seconds = code === 'RATE_LIMITED' ? details?.['retryAfterSeconds'] : undefined
  return typeof seconds === 'number' ? { 'retry-after': String(seconds) } : (HEADERS[code] ?? {})
}

/** Builds the error response of the route's family. Unforeseen errors become INTERNAL and are logged. */
export function answerError(
  error: unknown,
  request: { path: string; method: string; requestId: string },
  log: Logger,
  family: Family = 'public',
): ErrorAnswer {
  const failure = inFamily(expected(error) ?? failureOf('INTERNAL'), family)
  const { status } = ERRORS[failure.code]
  if (status >= 500) log.error('request failed', { ...request, code: failure.code, error })
  return { status, headers: headersOf(failure), body: ENVELOPES[family](failure, request.requestId) }
}
