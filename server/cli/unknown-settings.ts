import { unknownSettings } from '../config/config.ts'
import type { Logger } from '../log.ts'

/** Reports unknown settings before any work uses them: a misspelled CUTROOM_NETWORK would leave the network on. */
export function warnOfUnknownSettings(log: Logger, given: Parameters<typeof unknownSettings>[0]): void {
  for (const setting of unknownSettings(given))
    log.warn('there is no such setting: it does nothing', { setting })
}
