/** Settings for operators: log files, and who may read metrics. */
import { integer, optional, setting, token, type ReadSetting } from './settings.ts'

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
