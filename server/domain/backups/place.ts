/** What the name of a place of backups says: a folder, or `s3://BUCKET/PREFIX`. Pure. */
import type { Config } from '../../config/config.ts'

export const isBucket = (place: string): boolean => place.startsWith('s3://')

/** Base address of the store that buckets are in. */
export const storeAddress = ({ endpoint, region }: Config['s3']): string =>
  endpoint ?? `https://s3.${region}.amazonaws.com`
