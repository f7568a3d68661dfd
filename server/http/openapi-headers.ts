/** Headers that both OpenAPI documents describe, in the same words. */

/** Longest Idempotency-Key, in both APIs. */
export const MAX_KEY_LENGTH = 200

/** A revision as a header of an answer: what If-Match takes. */
export const ETAG = {
  ETag: { description: 'The quoted revision, for If-Match of an edit', schema: { type: 'string' } },
}

/** The answer is one that was stored for its Idempotency-Key. */
export const REPLAYED = {
  'Idempotency-Replayed': {
    description: 'The answer is the stored one of an earlier request with the same Idempotency-Key',
    schema: { type: 'string', const: 'true' },
  },
}

const RULE = 'The quoted ETag that was read: the edit is refused (412) where something was changed since.'

/** An edit of one revision only. */
export const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  schema: { type: 'string', pattern: '^(\\*|(W/)?"[^"]*"( *, *(W/)?"[^"]*")*)$' },
  description: RULE,
} as const

/** The same where no edit is taken without. */
export const REQUIRED_IF_MATCH = {
  ...IF_MATCH,
  required: true,
  schema: { type: 'string', pattern: '^"[!#-~]+"$' },
  description: `${RULE} * is refused.`,
} as const

/** A key by which a request that is sent again is done once. */
export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH },
  description:
    'A name for this request, such as a UUID. Sent again with the same body within 24 hours, it is answered what it was answered before and nothing is done twice; with another body it is refused. Refusals and failures are not stored.',
} as const

/** The same where nothing is done without. */
export const REQUIRED_IDEMPOTENCY_KEY = { ...IDEMPOTENCY_KEY, required: true } as const

/** Headers that both documents refer to. */
export const HEADERS = {
  RequestId: {
    description: 'The id of the request: the one that it came with, or a new one',
    schema: { type: 'string' },
  },
  RateLimitLimit: {
    description: 'Requests that this caller may make at once, where limits are on',
    schema: { type: 'integer' },
  },
  RateLimitRemaining: {
    description: 'Requests that it has left now, where limits are on',
    schema: { type: 'integer' },
  },
  RateLimitReset: {
    description: 'Seconds until it has all of them again, where limits are on',
    schema: { type: 'integer' },
  },
}

/** Every answer carries the request's id, and what the caller has left of its limit. */
export function withRequestId(responses: object): Record<string, unknown> {
  const named = (name: string) => ({ $ref: `#/components/headers/${name}` })
  const header = {
    'X-Request-Id': named('RequestId'),
    'RateLimit-Limit': named('RateLimitLimit'),
    'RateLimit-Remaining': named('RateLimitRemaining'),
    'RateLimit-Reset': named('RateLimitReset'),
  }
  return Object.fromEntries(
    Object.entries(responses as Record<string, { headers?: object }>).map(([status, answer]) => [
      status,
      { ...answer, headers: { ...header, ...answer.headers } },
    ]),
  )
}
