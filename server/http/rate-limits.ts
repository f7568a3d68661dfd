/**
 * Rate limits: a token bucket for each key, session and client, and two for each address, for invalid credentials and
 * for sign-in links that do not work. An address is limited only by its failures: behind a proxy everybody shares one
 * address, and must not be locked out by somebody else's guesses.
 */
import type { RateLimits } from '../config/config.ts'
import { AppError } from '../contract/errors.ts'

/** More than call at once. */
const MAX_BUCKETS = 10_000

interface Bucket {
  tokens: number
  /** Milliseconds of the clock, when `tokens` was true. */
  at: number
}

type Buckets = ReturnType<typeof createBuckets>

/** Creates buckets that hold `burst` tokens and refill at `perSecond`. `now`: milliseconds of a monotonic clock. */
export function createBuckets(
  { burst, perSecond }: { readonly burst: number; readonly perSecond: number },
  now: () => number,
) {
  const buckets = new Map<string, Bucket>()
  const levelOf = ({ tokens, at }: Bucket, time: number): number =>
    Math.min(burst, tokens + ((time - at) / 1000) * perSecond)
  return {
    /** Takes one; otherwise seconds, 1 or more, after which there is one. Null: taken. */
    take: (name: string): number | null => {
      const time = now()
      const known = buckets.get(name)
      const level = known === undefined ? burst : levelOf(known, time)
      const taken = level >= 1
      // The map keeps insertion order, so its first entry was used longest ago; it is dropped when there are too many.
      buckets.delete(name)
      const silent = buckets.size >= MAX_BUCKETS ? buckets.keys().next() : null
      if (silent?.done === false) buckets.delete(silent.value)
      buckets.set(name, { tokens: taken ? level - 1 : level, at: time })
      return taken ? null : Math.max(1, Math.ceil((1 - level) / perSecond))
    },
    /** How many there are now, and seconds until there are as many as there can be. */
    level: (name: string): { left: number; fullIn: number } => {
      const known = buckets.get(name)
      const level = known === undefined ? burst : levelOf(known, now())
      return { left: Math.floor(level), fullIn: Math.ceil((burst - level) / perSecond) }
    },
    /** Puts one back that was taken for nothing. */
    putBack: (name: string): void => {
      const known = buckets.get(name)
      if (known !== undefined) known.tokens = Math.min(burst, known.tokens + 1)
    },
  }
}

/** What a caller has left, as RateLimit headers say it. */
export interface Allowance {
  readonly limit: number
  readonly remaining: number
  /** Seconds until all of it is there again. */
  readonly reset: number
}

/** Each throws RATE_LIMITED when there was too much of it. */
export interface Limits {
  /** What the caller named so has left of `request`; null: there is no limit. */
  readonly allowance: (name: string) => Allowance | null
  /** Limits an identified caller: `key:ID`, `session:...`, `client:ID`. */
  readonly request: (name: string) => void
  /** Credentials that were not valid. */
  readonly failure: (address: string) => void
  /** A sign-in link or a password that did not work. */
  readonly signIn: (address: string) => void
  /** A password for this account, before it is looked at; `forgive` where it was right. */
  readonly account: { readonly guess: (name: string) => void; readonly forgive: (name: string) => void }
}

const pass = () => undefined
export const NO_LIMITS: Limits = {
  allowance: () => null,
  request: pass,
  failure: pass,
  signIn: pass,
  account: { guess: pass, forgive: pass },
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/

/** Whether limits apply; `auto`: not while only this machine reaches the appliance and no proxy leads to it. */
export const limitsAreOn = ({ mode }: RateLimits, host: string, publicUrl: string | null): boolean =>
  mode === 'on' || (mode === 'auto' && (publicUrl !== null || !LOOPBACK.test(host)))

const MINUTE = 60
/** Wrong passwords of one account at once, and each minute after that. */
const GUESSES = 10
const GUESSES_PER_MINUTE = 1

/** The limits that the configuration sets; ones that let everything through where they are off. `now`: as createBuckets. */
export function createLimits(
  config: { readonly rateLimits: RateLimits; readonly host: string; readonly publicUrl: string | null },
  now: () => number,
): Limits {
  const { rateLimits, host, publicUrl } = config
  if (rateLimits.mode === 'off') return NO_LIMITS
  const limited = (buckets: Buckets) => (name: string) => {
    const seconds = buckets.take(name)
    if (seconds !== null) throw new AppError('RATE_LIMITED', { details: { retryAfterSeconds: seconds } })
  }
  // Other users of the machine guess as well as others in the network.
  const guesses = createBuckets({ burst: GUESSES, perSecond: GUESSES_PER_MINUTE / MINUTE }, now)
  const account = { guess: limited(guesses), forgive: guesses.putBack }
  if (!limitsAreOn(rateLimits, host, publicUrl)) return { ...NO_LIMITS, account }
  const perMinute = (count: number) => createBuckets({ burst: count, perSecond: count / MINUTE }, now)
  const requests = createBuckets(rateLimits, now)
  return {
    allowance: (name) => {
      const { left, fullIn } = requests.level(name)
      return { limit: rateLimits.burst, remaining: left, reset: fullIn }
    },
    request: limited(requests),
    failure: limited(perMinute(rateLimits.failuresPerMinute)),
    signIn: limited(perMinute(rateLimits.signInsPerMinute)),
    account,
  }
}
