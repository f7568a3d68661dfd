/**
 * A name that nothing else has: for idempotency keys and for what is listed. `crypto.randomUUID` is not there on pages of
 * plain HTTP, as a studio beyond one machine may be; these numbers are.
 */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
