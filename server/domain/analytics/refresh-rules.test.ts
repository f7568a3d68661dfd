import { describe, expect, it } from 'vitest'
import { PLATFORMS } from '../../contract/post.ts'
import {
  COUNTING,
  isNewRefresh,
  mergeMetrics,
  nextRefresh,
  pauseAfter,
  sanitizeCounters,
} from './refresh-rules.ts'

const HOUR = 3_600_000
const DAY = 86_400_000
const counters = { views: 10, likes: 2, comments: 1, shares: 0 }

it('a post is refreshed hourly for three days, then every six hours', () => {
  let time = 0
  let count = 0
  let early = 0
  while (time < 10 * DAY) {
    time = nextRefresh(0, time)
    count += 1
    if (time <= 3 * DAY) early += 1
  }
  expect(early).toBe(72)
  expect(count - early).toBe((7 * DAY) / (6 * HOUR))
})

describe('an answer', () => {
  const before = { ...counters, refreshedAt: 0 }
  it('that is unchanged is no news while the platform lags, and no growth after that', () => {
    expect(isNewRefresh('youtube', before, counters, 47 * HOUR)).toBe(false)
    expect(isNewRefresh('youtube', before, counters, 48 * HOUR)).toBe(true)
    expect(isNewRefresh('youtube', before, { ...counters, likes: 3 }, HOUR)).toBe(true)
    expect(isNewRefresh('bluesky', before, counters, HOUR)).toBe(true)
    expect(isNewRefresh('youtube', null, counters, 0)).toBe(true)
  })
  it('is made sound', () => {
    expect(sanitizeCounters('bluesky', { ...counters, views: 99 })).toEqual({ ...counters, views: 0 })
    expect(
      sanitizeCounters('tiktok', { views: -4, likes: 1.6, comments: Number.NaN, shares: Infinity }),
    ).toEqual({
      views: 0,
      likes: 2,
      comments: 0,
      shares: 0,
    })
    for (const platform of PLATFORMS) expect(COUNTING[platform].lagMs).toBeLessThanOrEqual(48 * HOUR)
  })
  it('without the details that a platform tells no longer keeps those of before', () => {
    const metrics = { reported: { likes: 3 }, before: { likes: 2, url_clicks: 7 } }
    expect(mergeMetrics('twitter', 29 * DAY, metrics)).toEqual({ likes: 3 })
    expect(mergeMetrics('twitter', 30 * DAY, metrics)).toEqual({ likes: 3, url_clicks: 7 })
    expect(mergeMetrics('youtube', 99 * DAY, metrics)).toEqual({ likes: 3 })
  })
})

it('an account that fails is left alone longer and longer, as long as the platform asks, and never for ever', () => {
  const pauses = Array.from({ length: 30 }, (_, index) => pauseAfter('transient', index + 1, null))
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b))
  expect([pauses[0], pauses.at(-1)]).toEqual([5 * 60_000, 6 * HOUR])
  expect(pauseAfter('rate_limited', 1, 2 * HOUR)).toBe(2 * HOUR)
  expect(pauseAfter('rate_limited', 1, 1000)).toBe(5 * 60_000)
  expect(pauseAfter('rate_limited', 1, 90 * DAY)).toBe(DAY)
  expect(pauseAfter('auth', 1, null)).toBe(6 * HOUR)
})
