/** Opens the place of backups by its name. */
import { openS3Store } from '../../adapters/s3-store.ts'
import type { Config } from '../../config/config.ts'
import { AppError } from '../../contract/errors.ts'
import { requireReachable } from '../../reachable.ts'
import { isBucket, storeAddress } from './place.ts'
import { openFolderStore, type BackupStore } from './store.ts'

/** Throws INVALID_CONFIGURATION where a bucket is named without its key, or is elsewhere while the network is off. */
export function openStore(place: string, config: Pick<Config, 's3' | 'network'>): BackupStore {
  if (!isBucket(place)) return openFolderStore(place)
  const { region, keyId, secret } = config.s3
  if (keyId === null || secret === null)
    throw new AppError('INVALID_CONFIGURATION', `${place} needs CUTROOM_S3_KEY_ID and CUTROOM_S3_SECRET.`)
  const endpoint = storeAddress(config.s3)
  requireReachable(config, 'The store of the backups', endpoint)
  return openS3Store(place, { endpoint, region, keyId, secret })
}
