/** What goes wrong with platforms, in one vocabulary whatever a platform calls it. */
import { AppError, type ErrorCode } from '../../contract/errors.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

export const SOCIAL_REASONS = [
  /** The account's access has ended, or lacks a permission: somebody must connect it again. */
  'auth',
  /** Too many requests; `retryAfterMs` where the platform says how long. */
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

/** `message`: a sentence for a person. It never holds a token: callers give only what platforms say of the matter. */
export function socialFailure(
  reason: SocialReason,
  message: string,
  more: { readonly retryAfterMs?: number; readonly cause?: unknown; readonly status?: number } = {},
): AppError {
  const { retryAfterMs, cause, status } = more
  const details = {
    reason,
    ...omitUndefined({ retryAfterMs, status }),
  }
  return new AppError(CODES[reason], { message, details, cause })
}

/** The reason of a failure that socialFailure made; null for any other error. */
export function reasonOf(error: unknown): SocialReason | null {
  const reason = error instanceof AppError ? error.details?.['reason'] : undefined
  return SOCIAL_REASONS.find((known) => known === reason) ?? null
}

/** How long the platform asks to be left alone, in milliseconds; null where it does not say. */
export function retryAfterOf(error: unknown): number | null {
  const after = error instanceof AppError ? error.details?.['retryAfterMs'] : undefined
  return typeof after === 'number' ? after : null
}
