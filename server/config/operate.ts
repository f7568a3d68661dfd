/** Settings for operators: log files, metrics, rate limits, the audit log, retention and quotas. */
import { integer, optional, setting, token, type ReadSetting, oneOf } from './settings.ts'

export interface OperateSettings {
  /** Size of one file of the log in the home; 0: none is written. */
  readonly logFileBytes: number
  /** How many full log files are stored. */
  readonly logFilesKept: number
  /** With which `/metrics` may be read; null: there is no such address. */
  readonly metricsToken: string | null
}

const MEGABYTE = 1024 ** 2

const OPERATE = {
  logFileBytes: setting(
    'CUTROOM_LOG_FILE_BYTES',
    'logFileBytes',
    10 * MEGABYTE,
    integer(0, 2 ** 40),
    'a byte count; 0 writes none',
  ),
  logFilesKept: setting('CUTROOM_LOG_FILES', 'logFilesKept', 5, integer(1, 1000), 'files, 1 to 1000'),
  metricsToken: {
    ...optional('CUTROOM_METRICS_TOKEN', 'metricsToken', token, 'a text without spaces'),
    secret: true as const,
  },
}

export const readOperate = (read: ReadSetting): OperateSettings => ({
  logFileBytes: read(OPERATE.logFileBytes),
  logFilesKept: read(OPERATE.logFilesKept),
  metricsToken: read(OPERATE.metricsToken),
})

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

/** Days; null: for good. */
export interface StorageSettings {
  /** Sources that no clip, library item or post needs, counted from the last run that used them. */
  readonly sourceDays: number | null
  /** Intermediate results that nobody is shown (sound, shots, faces), counted from the end of the run. */
  readonly resultDays: number | null
  /** Uploads of runs that ended in Error and may go on; those of finished runs go after a day in any case. */
  readonly uploadDays: number | null
  /** Most bytes of one company's sources, media, library and uploads; 0: no limit. */
  readonly companyQuotaBytes: number
}

const days = integer(1, 36_500)
const DAYS = 'days, 1 to 36500'

const STORAGE = {
  sources: optional('CUTROOM_KEEP_SOURCES_DAYS', 'keepSourcesDays', days, DAYS),
  results: optional('CUTROOM_KEEP_RESULTS_DAYS', 'keepResultsDays', days, DAYS),
  uploads: optional('CUTROOM_KEEP_UPLOADS_DAYS', 'keepUploadsDays', days, DAYS),
  quota: setting(
    'CUTROOM_COMPANY_QUOTA_BYTES',
    'companyQuotaBytes',
    0,
    integer(0, 2 ** 53 - 1),
    'a byte count; 0: no limit',
  ),
}

export const readStorage = (read: ReadSetting): StorageSettings => ({
  sourceDays: read(STORAGE.sources),
  resultDays: read(STORAGE.results),
  uploadDays: read(STORAGE.uploads),
  companyQuotaBytes: read(STORAGE.quota),
})
