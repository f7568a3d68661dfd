/** Opaque, unguessable, URL-safe ids. */
import { randomBytes } from 'node:crypto'

/** 128 random bits: 22 URL-safe characters. */
export const newId = (): string => drawn(16)

/** 160 random bits, for addresses that grant access to whoever has them. */
export const newMediaId = (): string => drawn(20)

/** Draws again when the id begins with a dash (1 in 64 would): on a command line it would be taken for an option. */
function drawn(bytes: number): string {
  let id: string
  do id = randomBytes(bytes).toString('base64url')
  while (id.startsWith('-'))
  return id
}
