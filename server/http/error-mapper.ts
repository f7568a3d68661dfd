/** The one place where an error becomes an answer: code → status by the closed table, envelope by the route's family. */
import { NotFoundError, ParseError, ValidationError } from 'elysia'
import { AppError, ERRORS, type Failure } from '../contract/errors.ts'
import type { Logger } from '../log.ts'

/** Each family of routes has its own error body; a new family is one more entry. */
const ENVELOPES = {
  public: (failure: Failure, requestId: string) => ({
    error: failure.message,
    status: 'error',
    code: failure.code,
    requestId,
    ...(failure.details === undefined ? {} : { details: failure.details }),
  }),
} as const satisfies Record<string, (failure: Failure, requestId: string) => unknown>

export type Family = keyof typeof ENVELOPES

/** Which envelope a path gets. The studio speaks as the public API does. */
export function familyOf(_path: string): Family {
  return 'public'
}

export interface ErrorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** How SQLite and the file system say that the disk is full. */
const NO_ROOM: ReadonlySet<string> = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT'])
const NO_ROOM_LEFT: Failure = {
  code: 'DISK_FULL',
  message: 'The disk is full; nothing was stored. Free some space and try again.',
}

function expected(error: unknown): Failure | null {
  if (error instanceof AppError) return error.code === 'INTERNAL' ? null : error.toFailure()
  // Elysia wraps what a body parser throws.
  if (error instanceof ParseError) return error.cause === undefined ? null : expected(error.cause)
  if (error instanceof NotFoundError) return { code: 'NOT_FOUND', message: ERRORS.NOT_FOUND.message }
  if (error instanceof ValidationError)
    return error.type === 'response'
      ? null
      : { code: 'INVALID_REQUEST', message: ERRORS.INVALID_REQUEST.message }
  const code = (error as { code?: unknown } | null)?.code
  if (code === 'ERR_BODY_TOO_LARGE')
    return { code: 'PAYLOAD_TOO_LARGE', message: ERRORS.PAYLOAD_TOO_LARGE.message }
  return typeof code === 'string' && NO_ROOM.has(code) ? NO_ROOM_LEFT : null
}

const HEADERS: Partial<Record<Failure['code'], Readonly<Record<string, string>>>> = {
  INVALID_API_KEY: { 'www-authenticate': 'Bearer' },
  PAYLOAD_TOO_LARGE: { connection: 'close' },
}

/** What the caller is told. Anything unforeseen is INTERNAL, without a word of its inside; the log has it all. */
export function answerError(
  error: unknown,
  request: { path: string; method: string; requestId: string },
  log: Logger,
): ErrorAnswer {
  const failure = expected(error) ?? { code: 'INTERNAL' as const, message: ERRORS.INTERNAL.message }
  const { status } = ERRORS[failure.code]
  if (status >= 500) log.error('request failed', { ...request, code: failure.code, error })
  return {
    status,
    headers: HEADERS[failure.code] ?? {},
    body: ENVELOPES[familyOf(request.path)](failure, request.requestId),
  }
}
