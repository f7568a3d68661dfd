/**
 * How much is asked at once. A token bucket for each key, session and client; and for each address one for credentials
 * that are not valid and one for sign-in links that do not work. Only what fails is counted by address, and only what
 * fails is refused by it: behind a proxy everybody has the same one, and nobody is locked out by what others guess.
 */
import type { RateLimits } from '../config/config.ts'
import { AppError } from '../contract/errors.ts'

/** More than call at once. */
const MOST_BUCKETS = 10_000

interface Bucket {
  tokens: number
  /** Milliseconds of the clock, when `tokens` was true. */
  at: number
}

export interface Buckets {
  /** Takes one; otherwise seconds, 1 or more, after which there is one. Null: taken. */
  take(name: string): number | null
}

/** Buckets of `burst` that fill by `perSecond`. `now`: milliseconds of a clock that never goes back. */
export function createBuckets(
  { burst, perSecond }: { readonly burst: number; readonly perSecond: number },
  now: () => number,
): Buckets {
  const buckets = new Map<string, Bucket>()
  const levelOf = ({ tokens, at }: Bucket, time: number): number =>
    Math.min(burst, tokens + ((time - at) / 1000) * perSecond)
  return {
    take: (name) => {
      const time = now()
      const known = buckets.get(name)
      const level = known === undefined ? burst : levelOf(known, time)
      const taken = level >= 1
      // The last one asked is the last in the map, so the first is who has been silent longest: that one starts anew.
      buckets.delete(name)
      const silent = buckets.size >= MOST_BUCKETS ? buckets.keys().next() : null
      if (silent?.done === false) buckets.delete(silent.value)
      buckets.set(name, { tokens: taken ? level - 1 : level, at: time })
      return taken ? null : Math.max(1, Math.ceil((1 - level) / perSecond))
    },
  }
}

/** Each throws RATE_LIMITED when there was too much of it. */
export interface Limits {
  /** A request of somebody who is known: `key:ID`, `session:...`, `client:ID`. */
  readonly request: (name: string) => void
  /** Credentials that were not valid. */
  readonly failure: (address: string) => void
  /** A sign-in link that did not work. */
  readonly signIn: (address: string) => void
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/

/** Whether limits are on: only this machine can ask an appliance that listens on loopback, unless a proxy leads to it. */
export function limitsAreOn({ mode }: RateLimits, host: string, publicUrl: string | null): boolean {
  return mode === 'on' || (mode === 'auto' && (publicUrl !== null || !LOOPBACK.test(host)))
}

const MINUTE = 60

/** The limits that the configuration sets; ones that let everything through where they are off. `now`: as createBuckets. */
export function createLimits(
  config: { readonly rateLimits: RateLimits; readonly host: string; readonly publicUrl: string | null },
  now: () => number,
): Limits {
  const { rateLimits, host, publicUrl } = config
  if (!limitsAreOn(rateLimits, host, publicUrl)) {
    const free = () => undefined
    return { request: free, failure: free, signIn: free }
  }
  const limited = (buckets: Buckets) => (name: string) => {
    const seconds = buckets.take(name)
    if (seconds !== null) throw new AppError('RATE_LIMITED', { details: { retryAfterSeconds: seconds } })
  }
  const perMinute = (count: number) => createBuckets({ burst: count, perSecond: count / MINUTE }, now)
  return {
    request: limited(createBuckets(rateLimits, now)),
    failure: limited(perMinute(rateLimits.failuresPerMinute)),
    signIn: limited(perMinute(rateLimits.signInsPerMinute)),
  }
}
