/** Opens a place of footage and results by its name: a bucket, or a folder. */
import { openS3Objects } from '../../adapters/s3-objects.ts'
import type { Config } from '../../config/config.ts'
import { isBucket, requireBucketAccess } from '../backups/place.ts'
import { openFolderObjects, type ObjectStore } from './object-store.ts'

/** Throws INVALID_CONFIGURATION where a bucket is named without its key, or is elsewhere while the network is off. */
export function openObjects(place: string, config: Pick<Config, 's3' | 'network'>): ObjectStore {
  if (!isBucket(place)) return openFolderObjects(place)
  const { encryption } = config.s3
  const access = requireBucketAccess(place, config, 'The store')
  return openS3Objects(place, { access, encryption: encryption === 'bucket' ? null : encryption })
}
