/** What the name of a place of backups, footage or results says: a folder, or `s3://BUCKET/PREFIX`. Pure. */
import type { S3Access } from '../../adapters/s3-bucket.ts'
import type { Config } from '../../config/config.ts'
import { AppError } from '../../contract/errors.ts'
import { requireReachable } from '../../reachable.ts'

export const isBucket = (place: string): boolean => place.startsWith('s3://')

/** Base address of the store that buckets are in. */
export const storeAddress = ({ endpoint, region }: Config['s3']): string =>
  endpoint ?? `https://s3.${region}.amazonaws.com`

/**
 * How a bucket is opened. `what` begins the refusal. Throws INVALID_CONFIGURATION where its key is not set, or it is elsewhere
 * while the network is off.
 */
export function requireBucketAccess(
  place: string,
  config: Pick<Config, 's3' | 'network'>,
  what: string,
): S3Access {
  const { region, keyId, secret } = config.s3
  if (keyId === null || secret === null)
    throw new AppError('INVALID_CONFIGURATION', `${place} needs CUTROOM_S3_KEY_ID and CUTROOM_S3_SECRET.`)
  const endpoint = storeAddress(config.s3)
  requireReachable(config, what, endpoint)
  return { endpoint, region, keyId, secret }
}
