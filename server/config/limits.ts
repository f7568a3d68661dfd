/** Settings of rate limits and of how long the audit log is stored. */
import { integer, oneOf, setting, type ReadSetting } from './settings.ts'

/** How many requests are taken; a bucket holds `burst` and fills by `perSecond`. */
export interface RateLimits {
  /** `auto`: on, unless the appliance listens on loopback only and has no public address. */
  readonly mode: 'auto' | 'on' | 'off'
  /** Of one key, session or client. */
  readonly perSecond: number
  readonly burst: number
  /** Requests of one address with invalid credentials, per minute. */
  readonly failuresPerMinute: number
  /** Sign-in links of one address that do not work. */
  readonly signInsPerMinute: number
}

const LIMITS = {
  mode: setting('CUTROOM_RATE_LIMITS', 'rateLimits', 'auto', oneOf('auto', 'on', 'off'), 'auto, on or off'),
  perSecond: setting(
    'CUTROOM_RATE_LIMIT',
    'rateLimitPerSecond',
    100,
    integer(1, 100_000),
    'requests a second, 1 to 100000',
  ),
  burst: setting(
    'CUTROOM_RATE_BURST',
    'rateLimitBurst',
    400,
    integer(1, 1_000_000),
    'requests, 1 to 1000000',
  ),
  failures: setting(
    'CUTROOM_FAILURES_PER_MINUTE',
    'failuresPerMinute',
    60,
    integer(1, 100_000),
    'refusals a minute, 1 to 100000',
  ),
  signIns: setting(
    'CUTROOM_SIGN_INS_PER_MINUTE',
    'signInsPerMinute',
    10,
    integer(1, 10_000),
    'failed sign-ins a minute, 1 to 10000',
  ),
}

const AUDIT_DAYS = setting('CUTROOM_AUDIT_DAYS', 'auditDays', 365, integer(1, 36_500), 'days, 1 to 36500')

export const readRateLimits = (read: ReadSetting): RateLimits => ({
  mode: read(LIMITS.mode),
  perSecond: read(LIMITS.perSecond),
  burst: read(LIMITS.burst),
  failuresPerMinute: read(LIMITS.failures),
  signInsPerMinute: read(LIMITS.signIns),
})

/** Days for which rows of the audit log are stored. */
export const readAuditDays = (read: ReadSetting): number => read(AUDIT_DAYS)
