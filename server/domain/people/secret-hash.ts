import { createHash, timingSafeEqual } from 'node:crypto'

/** What is stored of a secret that we made ourselves, of 32 random bytes: SHA-256, hexadecimal. Not for passwords. */
export const secretHash = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Whether two hashes are the same, in a time that does not tell where they differ. */
export const isSameHash = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
