/** Opaque, unguessable, URL-safe ids. */
import { randomBytes } from 'node:crypto'

/** 128 random bits: 22 URL-safe characters. */
export function newId(): string {
  return randomBytes(16).toString('base64url')
}

/** 160 random bits, for what anyone who holds it may fetch. */
export function newMediaId(): string {
  return randomBytes(20).toString('base64url')
}
