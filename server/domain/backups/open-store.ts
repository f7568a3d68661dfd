/** Opens the place of backups by its name. */
import { openS3Store } from '../../adapters/s3-store.ts'
import type { Config } from '../../config/config.ts'
import { isBucket, requireBucketAccess } from './place.ts'
import { openFolderStore, type BackupStore } from './store.ts'

/** Throws INVALID_CONFIGURATION where a bucket is named without its key, or is elsewhere while the network is off. */
export function openStore(place: string, config: Pick<Config, 's3' | 'network'>): BackupStore {
  if (!isBucket(place)) return openFolderStore(place)
  return openS3Store(place, requireBucketAccess(place, config, 'The store of the backups'))
}
