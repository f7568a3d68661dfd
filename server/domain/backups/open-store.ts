/** The place of backups by its name: a folder, or `s3://BUCKET/PREFIX`. */
import { openS3Store } from '../../adapters/s3-store.ts'
import type { Config } from '../../config/config.ts'
import { AppError } from '../../contract/errors.ts'
import { requireReachable } from '../../reachable.ts'
import { openFolderStore, type BackupStore } from './store.ts'

export const isBucket = (place: string): boolean => place.startsWith('s3://')

/** Throws INVALID_CONFIGURATION where a bucket is named without its key, or is elsewhere while the network is off. */
export function openStore(place: string, config: Pick<Config, 's3' | 'network'>): BackupStore {
  if (!isBucket(place)) return openFolderStore(place)
  const { endpoint, region, keyId, secret } = config.s3
  if (keyId === null || secret === null)
    throw new AppError('INVALID_CONFIGURATION', `${place} needs CUTROOM_S3_KEY_ID and CUTROOM_S3_SECRET.`)
  const base = endpoint ?? `https://s3.${region}.amazonaws.com`
  requireReachable(config, 'The store of the backups', base)
  return openS3Store(place, { endpoint: base, region, keyId, secret })
}
