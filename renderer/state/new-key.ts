/**
 * A unique key, for idempotency and for lists. `crypto.randomUUID` is missing on plain HTTP pages, as a studio in
 * a local network may be; `getRandomValues` is not.
 */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
