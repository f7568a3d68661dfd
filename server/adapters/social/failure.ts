/** Platform errors in one vocabulary for all platforms. */
import { AppError, type ErrorCode } from '../../contract/errors.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

const SOCIAL_REASONS = [
  /** The account's access has expired or lacks a permission: it must be connected again. */
  'auth',
  /** Too many requests; `retryAfterMs` where the platform gives it. */
  'rate_limited',
  /** The platform refuses this post or its video, and will go on refusing it. */
  'rejected',
  /** A fault of the network or the platform that passes. */
  'transient',
  /** Not possible with this platform or this configuration. */
  'unsupported',
] as const
export type SocialReason = (typeof SOCIAL_REASONS)[number]

const CODES: Readonly<Record<SocialReason, ErrorCode>> = {
  auth: 'UNAUTHENTICATED',
  rate_limited: 'INTERRUPTED',
  rejected: 'VALIDATION_FAILED',
  transient: 'INTERRUPTED',
  unsupported: 'INVALID_STATE',
}

/** One of several accounts that a person manages on a platform. */
export interface AccountChoice {
  readonly id: string
  readonly name: string
}

/** `message`: a sentence for people. It never contains a token: callers pass only the platform's own message. */
export function socialFailure(
  reason: SocialReason,
  message: string,
  more: {
    readonly retryAfterMs?: number
    readonly cause?: unknown
    readonly status?: number
    /** Accounts of which one has to be chosen. */
    readonly choices?: readonly AccountChoice[]
  } = {},
): AppError {
  const { retryAfterMs, cause, status, choices } = more
  const details = { reason, ...omitUndefined({ retryAfterMs, status, choices }) }
  return new AppError(CODES[reason], { message, details, cause })
}

/** The reason of a failure that socialFailure made; null for any other error. */
export function reasonOf(error: unknown): SocialReason | null {
  const reason = error instanceof AppError ? error.details?.['reason'] : undefined
  return SOCIAL_REASONS.find((known) => known === reason) ?? null
}

/** The accounts of which one has to be chosen; empty for any other failure. */
export function choicesOf(error: unknown): readonly AccountChoice[] {
  const choices = error instanceof AppError ? error.details?.['choices'] : undefined
  return Array.isArray(choices) ? (choices as AccountChoice[]) : []
}

/** How long the platform wants no further requests, in milliseconds; null when it does not say. */
export function retryAfterOf(error: unknown): number | null {
  const after = error instanceof AppError ? error.details?.['retryAfterMs'] : undefined
  return typeof after === 'number' ? after : null
}
