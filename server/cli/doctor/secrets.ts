/** Where the key of the secrets is. */
import { existsSync, statSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { homePaths } from '../../home.ts'
import { whereKeyIs } from '../../secrets.ts'
import { ok, warning, type Check } from './check.ts'

export function checkSecrets(config: Config): Check {
  const where = whereKeyIs(homePaths(config.home), config)
  if (where === null) return ok('secrets', 'none are kept yet; their key is made with the first one')
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
