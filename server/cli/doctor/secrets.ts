/** Where the key of the secrets is. */
import { existsSync, statSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/client.ts'
import { homePaths } from '../../home.ts'
import { sealedIn } from '../../key-evidence.ts'
import { openSecret, prepareKey, whereKeyIs } from '../../secrets.ts'
import { failure, ok, reason, warning, type Check } from './check.ts'

/**
 * Checks that sealed values in the database open with the key that is here: a database that was moved without its key
 * works, but nobody can publish. A key in the keychain is not read for this.
 */
export function checkSealed(db: Db, config: Config): Check[] {
  const home = homePaths(config.home)
  const stored = sealedIn(db.sqlite)
  const where = whereKeyIs(home, config)
  if (stored.length === 0 || (where !== null && !existsSync(where))) return []
  const again = 'connect the accounts again (cutroom social connect) and make the webhooks anew'
  const mend = `Put the home's secret.key (or what CUTROOM_SECRET_KEY_FILE names) back from its backup. Where there is none, stop the appliance and run "cutroom secrets renew"; then ${again}.`
  if (where === null)
    return [failure('sealed', `the key of ${stored.length} accounts and webhooks is not in the home`, mend)]
  try {
    prepareKey(home, { secretKey: 'file', secretKeyFile: config.secretKeyFile })
    const shut = stored.filter(({ purpose, sealed }) => openSecret(home, purpose, sealed) === null).length
    if (shut === 0) return [ok('sealed', `${stored.length} accounts and webhooks open with it`)]
    const found = `${shut} of ${stored.length} accounts and webhooks are of another key`
    const others = `Keep the key, which the others need. Of those that it does not open, ${again}.`
    return [failure('sealed', found, shut < stored.length ? others : mend)]
  } catch (error) {
    return [failure('sealed', reason(error), mend)]
  }
}

export function checkSecrets(config: Config): Check {
  const where = whereKeyIs(homePaths(config.home), config)
  if (where === null)
    return ok(
      'secrets',
      'the home has no key of its own; one is made with the first secret that a home keeps',
    )
  if (!existsSync(where)) return ok('secrets', `sealed with a key in ${where}`)
  if (process.platform !== 'win32' && (statSync(where).mode & 0o077) !== 0)
    return warning('secrets', `other users may read the key in ${where}`, `chmod 600 "${where}"`)
  const fallback = config.secretKeyFile === null && config.secretKey === 'keychain'
  return fallback
    ? warning(
        'secrets',
        `sealed with the key file ${where}: the keychain was not usable at the last start`,
        'On Linux install libsecret-tools, and start in a session with an unlocked keyring.',
      )
    : ok('secrets', `sealed with the key file ${where}, readable by its owner only`)
}
