/** Opens a place of footage and results by its name: a bucket, or a folder. */
import { openS3Objects } from '../../adapters/s3-objects.ts'
import type { Config } from '../../config/config.ts'
import { AppError } from '../../contract/errors.ts'
import { requireReachable } from '../../reachable.ts'
import { isBucket, storeAddress } from '../backups/place.ts'
import { openFolderObjects, type ObjectStore } from './object-store.ts'

/** Throws INVALID_CONFIGURATION where a bucket is named without its key, or is elsewhere while the network is off. */
export function openObjects(place: string, config: Pick<Config, 's3' | 'network'>): ObjectStore {
  if (!isBucket(place)) return openFolderObjects(place)
  const { region, keyId, secret, encryption } = config.s3
  if (keyId === null || secret === null)
    throw new AppError('INVALID_CONFIGURATION', `${place} needs CUTROOM_S3_KEY_ID and CUTROOM_S3_SECRET.`)
  const endpoint = storeAddress(config.s3)
  requireReachable(config, 'The store', endpoint)
  const chosen = encryption === 'bucket' ? null : encryption
  return openS3Objects(place, { access: { endpoint, region, keyId, secret }, encryption: chosen })
}
