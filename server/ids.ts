/** Opaque, unguessable, URL-safe ids. */
import { randomBytes } from 'node:crypto'

/** 128 random bits: 22 URL-safe characters. */
export function newId(): string {
  return drawn(16)
}

/** 160 random bits, for what anyone who holds it may fetch. */
export function newMediaId(): string {
  return drawn(20)
}

/** Drawn anew where it begins with a dash, as one of 64 does: as a word of a command that would be an option. */
function drawn(bytes: number): string {
  let id: string
  do id = randomBytes(bytes).toString('base64url')
  while (id.startsWith('-'))
  return id
}
