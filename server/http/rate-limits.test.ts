import { describe, expect, it } from 'vitest'
import type { RateLimits } from '../config/config.ts'
import { AppError } from '../contract/errors.ts'
import { createBuckets, createLimits, limitsAreOn } from './rate-limits.ts'

const SETTINGS = {
  mode: 'on' as const,
  perSecond: 100,
  burst: 400,
  failuresPerMinute: 60,
  signInsPerMinute: 10,
} satisfies RateLimits

function clock() {
  const time = { now: 0 }
  return { time, now: () => time.now }
}

/** How many of so many at once go through. */
const through = (count: number, act: () => void): number => {
  let passed = 0
  for (let at = 0; at < count; at++) {
    try {
      act()
      passed += 1
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      expect(error.code).toBe('RATE_LIMITED')
      expect(error.details?.['retryAfterSeconds']).toBeGreaterThanOrEqual(1)
    }
  }
  return passed
}

describe('buckets', () => {
  it('hold a burst, fill by the second, and say when there is one again', () => {
    const { time, now } = clock()
    const buckets = createBuckets({ burst: 3, perSecond: 0.5 }, now)
    expect([1, 2, 3, 4].map(() => buckets.take('a'))).toEqual([null, null, null, 2])
    expect(buckets.take('b')).toBeNull()
    time.now = 1900
    expect(buckets.take('a')).toBe(1)
    time.now = 2000
    expect([buckets.take('a'), buckets.take('a')]).toEqual([null, 2])
    // Never more than the burst, however long nobody asks.
    time.now = 1e9
    expect([1, 2, 3, 4].map(() => buckets.take('a'))).toEqual([null, null, null, 2])
  })

  it('do not grow without end', () => {
    const { now } = clock()
    const buckets = createBuckets({ burst: 1, perSecond: 1 }, now)
    for (let at = 0; at < 30_000; at++) buckets.take(`address ${at}`)
    // The last ones are remembered: their token is taken.
    expect(buckets.take('address 29999')).toBe(1)
    expect(buckets.take('address 0')).toBeNull()
  })
})

describe('limits', () => {
  it('do not hurt polling as documented, nor 50 clients that poll and list with one key', () => {
    const { time, now } = clock()
    const limits = createLimits({ rateLimits: SETTINGS, host: '0.0.0.0', publicUrl: null }, now)
    let refused = 0
    for (let second = 0; second < 600; second++) {
      time.now = second * 1000
      for (let client = 0; client < 50; client++)
        refused +=
          1 - through(1, () => limits.request('key:one')) + (1 - through(1, () => limits.request('key:one')))
    }
    expect(refused).toBe(0)
    expect(through(1000, () => limits.request('key:wild'))).toBe(400)
    time.now += 1000
    expect(through(1000, () => limits.request('key:wild'))).toBe(100)
  })

  it('are stricter with what fails, address by address', () => {
    const { time, now } = clock()
    const limits = createLimits({ rateLimits: SETTINGS, host: '0.0.0.0', publicUrl: null }, now)
    expect(through(100, () => limits.failure('10.0.0.1'))).toBe(60)
    expect(through(100, () => limits.signIn('10.0.0.1'))).toBe(10)
    expect(through(1, () => limits.signIn('10.0.0.2'))).toBe(1)
    time.now = 6000
    expect(through(100, () => limits.signIn('10.0.0.1'))).toBe(1)
  })

  it.each([
    ['auto', '127.0.0.1', null, false],
    ['auto', 'localhost', null, false],
    ['auto', '::1', null, false],
    ['auto', '127.0.0.1', 'https://clips.example', true],
    ['auto', '0.0.0.0', null, true],
    ['auto', '192.168.1.5', null, true],
    ['on', '127.0.0.1', null, true],
    ['off', '0.0.0.0', 'https://clips.example', false],
  ] as const)('%s on %s with %s: %s', (mode, host, publicUrl, on) => {
    expect(limitsAreOn({ ...SETTINGS, mode }, host, publicUrl)).toBe(on)
    const limits = createLimits({ rateLimits: { ...SETTINGS, mode }, host, publicUrl }, () => 0)
    expect(through(500, () => limits.request('key:a'))).toBe(on ? 400 : 500)
  })
})
