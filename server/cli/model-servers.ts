/** The language model and the speech server that hold now, for commands that have no database open: those of the studio too. */
import { existsSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { withModelServers } from '../domain/settings/model-servers.ts'
import { homePaths } from '../home.ts'
import { useKey } from '../secrets.ts'

/**
 * The configuration with servers that were entered in the studio. Only reads the home. Throws SECRETS_KEY_UNAVAILABLE
 * where the key of one cannot be opened, and where the database cannot be read.
 */
export async function configInForce(config: Config): Promise<Config> {
  const home = homePaths(config.home)
  if (!existsSync(home.database)) return config
  // Its native library may be what the doctor finds broken.
  const { openToRead } = await import('../db/client.ts')
  useKey(home, config)
  const db = openToRead(home.database)
  try {
    return withModelServers({ config, db, home })
  } finally {
    db.close()
  }
}
