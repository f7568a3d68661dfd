/** What domain functions are given: explicit, one value, made in the composition root (server/index.ts). */
import type { Config } from '../config/config.ts'
import type { Db } from '../db/client.ts'
import type { Home } from '../home.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Logger } from '../log.ts'
import type { Charge } from './standby/shipping.ts'
import type { MediaStore } from './store/media-store.ts'

export interface Services {
  readonly config: Config
  readonly home: Home
  readonly log: Logger
  readonly db: Db
  readonly jobs: Jobs
  /** Absent: no other appliance takes over from this one. */
  readonly charge?: Charge
  /** Absent: footage and results lie in the home alone. */
  readonly store?: MediaStore
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** What most use cases need of it: to read; to store with the time; to read files too. */
export type DbServices = Pick<Services, 'db'>
export type ClockServices = Pick<Services, 'db' | 'now'>
export type HomeServices = Pick<Services, 'db' | 'home'>
