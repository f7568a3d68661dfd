/**
 * The closed table of error codes. Use cases throw AppError with one of them, workers return them as values, and the
 * HTTP error mapper puts them into the envelope of the route's family. Messages tell a person what to do next.
 */
import { omitUndefined } from './omit-undefined.ts'

interface ErrorEntry {
  /** HTTP status when the code reaches a caller directly; run errors are stored on the run instead. */
  readonly status: number
  /** Whether doing the same thing again later may succeed without anybody changing anything. */
  readonly retryable: boolean
  /** Default sentence; the thrower may give a more precise one. */
  readonly message: string
}

const entry = (status: number, message: string, retryable = false): ErrorEntry => ({
  status,
  retryable,
  message,
})

export const ERRORS = {
  // Every route
  NOT_FOUND: entry(404, 'There is nothing at this address.'),
  METHOD_NOT_ALLOWED: entry(405, 'This address does not take that method; see the Allow header.'),
  INVALID_REQUEST: entry(400, 'The request is not valid.'),
  PAYLOAD_TOO_LARGE: entry(413, 'The request body is larger than this route accepts.'),
  UNSUPPORTED_MEDIA_TYPE: entry(415, 'This kind of body is not taken here; see the Content-Type that is.'),
  UNSUPPORTED_ENCODING: entry(415, 'The body is compressed; send it as it is, without Content-Encoding.'),
  FORBIDDEN_HOST: entry(403, 'This host name or origin is not allowed; see CUTROOM_ALLOWED_HOSTS.'),
  ROLE_NOT_ALLOWED: entry(403, 'Your role does not allow this; ask an owner of this appliance.'),
  SCOPE_MISSING: entry(403, 'This credential is not for that; it lacks a scope.'),
  SIGN_IN_REFUSED: entry(403, 'This does not sign you in.'),
  SHARE_CLOSED: entry(410, 'This share link is over, revoked, or was never there.'),
  SHARE_PASSWORD_NEEDED: entry(403, 'This share link has a password.'),
  RATE_LIMITED: entry(429, 'Too many requests at once; wait as long as Retry-After says.', true),
  INTERNAL: entry(500, 'Something went wrong here. Quote the request id when you report it.', true),
  // Public API
  INVALID_API_KEY: entry(401, 'The API key is missing or not valid for this company.'),
  INVALID_WORKFLOW_CHANNEL: entry(400, 'Service-Workflow-Channel must be "current" or "stable".'),
  INVALID_URL: entry(400, 'The url is not a valid address.'),
  UNSUPPORTED_SOURCE_URL: entry(400, 'This kind of source address is not supported.'),
  WORKFLOW_NOT_FOUND: entry(404, 'No such workflow for this company.'),
  TRIGGER_NOT_FOUND: entry(404, 'No such run.'),
  CLIP_NOT_FOUND: entry(404, 'No such clip for this company.'),
  POST_NOT_FOUND: entry(404, 'No such post for this company.'),
  UPLOAD_NOT_FOUND: entry(
    404,
    'No such upload for this company; it may have been removed after its run, or after its end. Upload the file again.',
  ),
  UPLOAD_EXPIRED: entry(410, 'This upload is over: nothing came for a day. Upload the file again.'),
  UPLOAD_INCOMPLETE: entry(
    409,
    'This upload has not come in whole; send the rest of it, then start the run.',
  ),
  UPLOAD_OFFSET_CONFLICT: entry(409, 'The upload does not end at that offset; read it and go on there.'),
  UPLOAD_CHECKSUM_MISMATCH: entry(
    460,
    'These bytes do not have the checksum that came with them, and were not stored; send them again.',
    true,
  ),
  TUS_VERSION_UNSUPPORTED: entry(
    412,
    'Send Tus-Resumable: 1.0.0, the version of the protocol that is spoken here.',
  ),
  INVALID_CURSOR: entry(400, 'The cursor is not valid for this query.'),
  INVALID_NODE_CONFIG: entry(400, 'A node override is not valid.'),
  INVALID_CLIP_UPDATE: entry(400, 'The clip update is not valid.'),
  UNSUPPORTED_CLIP_FIELDS: entry(400, 'The update carries fields that cannot be edited.'),
  INVALID_OPERATIONS: entry(400, 'No valid transcript operation was given.'),
  IDEMPOTENCY_CONFLICT: entry(409, 'This Idempotency-Key was used for another request; take a new one.'),
  NO_TRANSCRIPT: entry(409, 'The clip has no transcript yet.', true),
  // Runs
  VIDEO_TOO_SHORT: entry(422, 'The video is shorter than the shortest clip that was asked for.'),
  SOURCE_UNREACHABLE: entry(422, 'The source could not be downloaded.', true),
  SOURCE_FORBIDDEN: entry(422, 'The source address is not allowed or refused access.'),
  SOURCE_NOT_VIDEO: entry(422, 'The source is not a video that can be read.'),
  SOURCE_TOO_LARGE: entry(422, 'The source is larger than this appliance accepts.'),
  NO_SPEECH: entry(422, 'No speech was found in the source.'),
  NO_CLIPS: entry(422, 'No part of the source makes a clip under these settings.'),
  MODEL_NOT_INSTALLED: entry(422, 'A model that this run needs is not installed.'),
  DISK_FULL: entry(507, 'The disk is full. Free some space and the run can go on.', true),
  QUOTA_EXCEEDED: entry(507, 'This company keeps as much as it may; have its quota raised.'),
  INTERRUPTED: entry(503, 'The work was interrupted too many times and was given up.', true),
  CANCELLED: entry(409, 'The work was cancelled.'),
  RENDER_FAILED: entry(500, 'The render failed.', true),
  RENDER_INCOMPLETE: entry(
    422,
    'The render lacks something, and strict was asked for; see details.warnings, mend it and render again.',
  ),
  PROFILE_UNAVAILABLE: entry(
    422,
    'The ffmpeg of this appliance cannot make this delivery profile; `cutroom profiles list` says why.',
  ),
  STAGE_FAILED: entry(500, 'A processing step failed.', true),
  // Domain API
  UNAUTHENTICATED: entry(401, 'Who is asking is not known: the credentials are missing or not valid.'),
  FEATURE_DISABLED: entry(403, 'This organization does not have the feature enabled.'),
  PLAN_NOT_ELIGIBLE: entry(403, 'The plan of this organization does not include the domain API.'),
  GRANT_MISSING: entry(403, 'This organization has not granted access to the calling client.'),
  GRANT_EXPIRED: entry(403, 'The grant to the calling client has expired; have it renewed.'),
  VALIDATION_FAILED: entry(400, 'The request is not valid.'),
  PRECONDITION_REQUIRED: entry(428, 'Send If-Match with the ETag of the version that you have read.'),
  PRECONDITION_FAILED: entry(412, 'It was changed since that version; read it again.'),
  IDEMPOTENCY_KEY_REQUIRED: entry(400, 'Send an Idempotency-Key header of up to 200 characters.'),
  IDEMPOTENCY_KEY_REUSED: entry(422, 'This Idempotency-Key was used for another request; take a new one.'),
  IDEMPOTENCY_IN_PROGRESS: entry(409, 'The request with this Idempotency-Key is still going on.', true),
  CONFIRMATION_EXPIRED: entry(410, 'The confirmation has expired; prepare the action again.'),
  CONFIRMATION_NOT_APPROVED: entry(409, 'The confirmation has not been approved.'),
  CONFIRMATION_CONSUMED: entry(409, 'The confirmation was used already.'),
  CONFIRMATION_MISMATCH: entry(409, 'The confirmation is for something else, or for an earlier revision.'),
  SECOND_PERSON_NEEDED: entry(
    403,
    'Whoever prepared it may not approve it here; another person with the right to approve has to.',
  ),
  CONSENT_NEEDED: entry(
    400,
    "A person's own words are needed: send them as consentText, with source mcp_written_consent.",
  ),
  MEDIA_LINK_ENDED: entry(
    403,
    'This address does not open the file, or not any more; read what gave it once more for a new one.',
  ),
  INVALID_STATE: entry(409, 'This cannot be done in its present state.'),
  RENDER_CONCURRENCY_LIMIT: entry(429, 'The organization renders as many clips as it may at once.', true),
  RENDER_QUEUE_UNAVAILABLE: entry(503, 'The render queue is not configured; nothing was queued.', true),
  // Home and command line
  INVALID_USAGE: entry(400, 'The command line is not valid.'),
  FFMPEG_NOT_INSTALLED: entry(
    502,
    'The ffmpeg could not be fetched; what was here before is still used.',
    true,
  ),
  INVALID_CONFIGURATION: entry(500, 'The configuration is not valid.'),
  SECRETS_KEY_UNAVAILABLE: entry(
    503,
    "The key that this home's secrets are sealed with is not to be had now; `cutroom doctor` says more.",
    true,
  ),
  HOME_DATABASE_LOST: entry(
    503,
    'The database of this home is missing, empty or of another home. Put a backup back: cutroom restore FILE.',
  ),
  STORE_UNAVAILABLE: entry(
    503,
    'The store of footage and results cannot be used now. Runs go on by themselves once it answers.',
    true,
  ),
  BACKUP_UNAVAILABLE: entry(
    503,
    'The place of the backups is not to be had now; nothing was changed there.',
    true,
  ),
  NOT_IN_CHARGE: entry(503, 'Another appliance took over from this one; ask that one.', true),
  HOME_IN_USE: entry(409, 'Another appliance is running on this home.'),
  COMPANY_NOT_FOUND: entry(404, 'No such company.'),
  COMPANY_EXISTS: entry(409, 'There is a company with this id already.'),
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS

/** An expected failure as a value: crosses threads, processes and the database unharmed. */
export interface Failure {
  readonly code: ErrorCode
  /** One sentence for people that says what to do. */
  readonly message: string
  readonly details?: Record<string, unknown>
}

/** An expected failure as an exception, inside one process. */
interface ErrorParts {
  message?: string
  details?: Record<string, unknown>
  cause?: unknown
}

export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: Record<string, unknown> | undefined

  /** `more` alone is the message; without one it is the usual message of the code. */
  constructor(code: ErrorCode, more: ErrorParts | string = {}) {
    const { message, details, cause } = typeof more === 'string' ? { message: more } : more
    super(message ?? ERRORS[code].message, { cause })
    this.name = 'AppError'
    this.code = code
    this.details = details
  }

  toFailure(): Failure {
    return { code: this.code, message: this.message, ...omitUndefined({ details: this.details }) }
  }
}

/** Throws: the other side of `??` where there must be something. */
export function refuse(code: ErrorCode, more?: ErrorParts | string): never {
  throw new AppError(code, more)
}

/** A failure with the usual message of its code. */
export const failureOf = (code: ErrorCode): Failure => ({ code, message: ERRORS[code].message })

/** The refusal of a request for one of its fields; the tenant API says VALIDATION_FAILED instead. */
export const invalidRequest = (field: string, message: string): AppError =>
  new AppError('INVALID_REQUEST', { message, details: { field } })
export const invalidField = (field: string, message: string): AppError =>
  new AppError('VALIDATION_FAILED', { message, details: { field } })

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERRORS, value)
}
