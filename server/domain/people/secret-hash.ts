import { createHash } from 'node:crypto'

/** What is stored of a secret that we made ourselves, of 32 random bytes: SHA-256, hexadecimal. Not for passwords. */
export const secretHash = (secret: string): string => createHash('sha256').update(secret).digest('hex')
