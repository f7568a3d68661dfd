/** The database of an appliance, and with CUTROOM_STANDBY the charge of it: nothing is acknowledged before it is had. */
import type { Config } from '../../config/config.ts'
import { AppError } from '../../contract/errors.ts'
import type { Db } from '../../db/client.ts'
import { openLogReader } from '../../db/log-reader.ts'
import type { Home } from '../../home.ts'
import { openOwnDatabase } from '../../home-identity.ts'
import type { Logger } from '../../log.ts'
import { beginCharge, claimForStart, type Claim } from './charge.ts'
import { openStandbyPlace } from './place.ts'
import type { Charge } from './shipping.ts'
import { readStanding } from './standing.ts'

/** What a standby that took over goes on with. */
export interface Succession {
  readonly claim: Claim
}

interface Opening {
  readonly config: Config
  readonly home: Home
  readonly log: Logger
  readonly now: () => number
}

/** Throws NOT_IN_CHARGE where another appliance is, STORE_UNAVAILABLE, INVALID_CONFIGURATION, HOME_DATABASE_LOST. */
export async function openWithCharge(
  { config, home, log, now }: Opening,
  succession: Succession | null,
): Promise<{ readonly db: Db; readonly charge: Charge | undefined }> {
  if (config.standby === 'off') {
    requireAlone(home)
    return { db: openOwnDatabase(home), charge: undefined }
  }
  const place = openStandbyPlace(config)
  const claim = succession?.claim ?? (await claimForStart({ home, place }))
  // What follows another epoch begins before the first change.
  const early = claim.after === null ? null : openLogReader(home.database)
  const db = openOwnDatabase(home)
  try {
    const reader = early ?? openLogReader(home.database)
    return { db, charge: await beginCharge({ home, log, place, now }, claim, reader) }
  } catch (error) {
    db.close()
    throw error
  }
}

/** A home of two appliances that is started as the only one would work beside the other. */
function requireAlone(home: Home): void {
  if (readStanding(home) === null) return
  throw new AppError('INVALID_CONFIGURATION', {
    message: `${home.root} is one of two appliances, and CUTROOM_STANDBY is off. Set it to on; where the other one is gone for good, remove standby.json from the home and the folder standby from the store, which would be followed otherwise.`,
  })
}
