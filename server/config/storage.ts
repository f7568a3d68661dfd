/** Settings of retention, and of how much a company may store. */
import { integer, optional, setting, type ReadSetting } from './settings.ts'

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
