/**
 * The home for commands that work beside a running appliance or without one: the same database, no job machinery. What
 * they queue is done by the appliance that runs on the home, or the next one that does.
 */
import { loadConfig, type Config } from '../config/config.ts'
import { AppError } from '../contract/errors.ts'
import type { Db } from '../db/client.ts'
import type { Services } from '../domain/services.ts'
import { openMediaStore } from '../domain/store/media-store.ts'
import { useMediaLinks } from '../domain/rendering/media-links.ts'
import { openHome, type Home } from '../home.ts'
import { openOwnDatabase } from '../home-identity.ts'
import { acquireHomeLock } from '../jobs/home-lock.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { createLogger } from '../log.ts'
import { recordKey, useKey } from '../secrets.ts'
import {
  defineCommand,
  type Command,
  type CommonOptions,
  type Declaration,
  type OptionSpecs,
} from './command.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'

/** Where no jobs run in this process: the running appliance finds queued work by itself. */
export const noJobs: Jobs = {
  wake: () => undefined,
  whenSettled: () => Promise.resolve(null),
  cancel: () => undefined,
  stop: () => Promise.resolve(),
}

/** The configuration for a command: the environment, config.json and --home. */
export function commandConfig(options: CommonOptions): Config {
  return loadConfig(omitUndefined({ home: options.home }))
}

/**
 * The home's database for a command, which may work beside an appliance. Throws HOME_IN_USE where that is of an older
 * version: its tables do not change under it; HOME_DATABASE_LOST where it is not the home's own.
 */
export function openBesideAppliance(home: Home): Db {
  return openOwnDatabase(home, { lockHome: () => lockHome(home) })
}

function lockHome(home: Home): () => void {
  try {
    const lock = acquireHomeLock(home, Date.now())
    return () => lock.release()
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== 'HOME_IN_USE') throw cause
    const pid = cause.details?.['pid']
    const who = typeof pid === 'number' ? ` (process ${pid})` : ''
    throw new AppError('HOME_IN_USE', {
      message: `The database of ${home.root} is of an older version, and an appliance${who} works with it as it is. Stop that first; then this command, or the next start, brings it up to date. A backup can be made meanwhile.`,
      details: cause.details ?? {},
      cause,
    })
  }
}

/** Opens the home's database for `use` and closes it again. */
export async function withServices<T>(
  options: CommonOptions,
  use: (services: Services) => T | Promise<T>,
): Promise<T> {
  const config = commandConfig(options)
  const home = openHome(config.home)
  // Only the appliance moves a key to the keychain, and most commands need no key.
  useKey(home, config)
  const db = openBesideAppliance(home)
  try {
    const log = createLogger('warn')
    const store = openMediaStore(config, home, log)
    const services = { config, home, db, jobs: noJobs, log, now: Date.now, ...store }
    useMediaLinks(services)
    const result = await use(services)
    recordKey(home, db)
    return result
  } finally {
    db.close()
  }
}

/** A command that works on the home, which is opened for `run` and closed before its result is printed. */
export function defineHomeCommand<const Specs extends OptionSpecs = Record<never, never>>(
  declaration: Declaration<Specs, { readonly services: Services }>,
): Command {
  return defineCommand<Specs>({
    ...declaration,
    run: (input) => withServices(input.options, (services) => declaration.run({ ...input, services })),
  })
}
