/**
 * The home for commands that work beside a running appliance or without one: the same database, no job machinery. What
 * they queue is done by the appliance that runs on the home, or the next one that does.
 */
import { loadConfig, type Config } from '../config.ts'
import { openDatabase } from '../db/client.ts'
import type { Services } from '../domain/services.ts'
import { openHome } from '../home.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { createLogger } from '../log.ts'
import { recordKey, useKey } from '../secrets.ts'
import type { CommonOptions } from './command.ts'

/** Where no jobs run in this process: the running appliance finds queued work by itself. */
export const noJobs: Jobs = {
  wake: () => undefined,
  whenSettled: () => Promise.resolve(null),
  cancel: () => undefined,
  stop: () => Promise.resolve(),
}

/** The configuration for a command: the environment, config.json and --home. */
export function commandConfig(options: CommonOptions): Config {
  return loadConfig(options.home === undefined ? {} : { home: options.home })
}

/** Opens the home's database for `use` and closes it again. */
export async function withServices<T>(
  options: CommonOptions,
  use: (services: Services) => T | Promise<T>,
): Promise<T> {
  const config = commandConfig(options)
  const home = openHome(config.home)
  // A key is moved to the keychain by the appliance, not beside it; and most commands need none.
  useKey(home, config)
  const db = openDatabase(home.database)
  try {
    return await use({ config, home, db, jobs: noJobs, log: createLogger('warn'), now: Date.now })
  } finally {
    recordKey(home, db)
    db.close()
  }
}
