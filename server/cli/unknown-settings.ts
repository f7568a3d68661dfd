import { unknownSettings } from '../config/config.ts'
import type { Logger } from '../log.ts'

/** Says which settings are none, before work begins that goes by them: a misspelled CUTROOM_NETWORK would leave it on. */
export function warnOfUnknownSettings(log: Logger, given: Parameters<typeof unknownSettings>[0]): void {
  for (const setting of unknownSettings(given))
    log.warn('there is no such setting: it does nothing', { setting })
}
