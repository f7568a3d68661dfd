import { expect, it } from 'vitest'
import { keptSnapshots } from './kept-snapshots.ts'
import type { SnapshotName } from './snapshot.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOW = Date.parse('2026-11-28T12:00:00Z')
const made = (age: number, verified = false): SnapshotName => ({
  name: `${age}${verified ? ' verified' : ''}`,
  at: NOW - age,
  verified,
})

it('keeps all of two hours, then the verified one of each hour, day and week', () => {
  const all = Array.from({ length: 60 * 24 * 3 }, (_, minute) => made(minute * MINUTE, minute % 60 === 30))
  const names = keptSnapshots(all, NOW)
  const kept = all.filter(({ name }) => names.has(name))
  expect(kept.filter(({ at }) => NOW - at <= 2 * HOUR)).toHaveLength(121)
  const hourly = kept.filter(({ at }) => NOW - at > 2 * HOUR && NOW - at <= 2 * DAY)
  expect(hourly.length).toBeGreaterThan(44)
  expect(hourly.length).toBeLessThan(49)
  expect(hourly.every(({ verified }) => verified)).toBe(true)
  expect(kept.filter(({ at }) => NOW - at > 2 * DAY).length).toBeLessThanOrEqual(2)
})

it('never lets the last verified one go, however old it is and however many came after it', () => {
  const old = made(900 * DAY, true)
  const all = [...Array.from({ length: 500 }, (_, index) => made(index * HOUR)), old]
  expect(keptSnapshots(all, NOW)).toContain(old.name)
  const newer = made(5 * DAY, true)
  expect(keptSnapshots([...all, newer], NOW).has(old.name)).toBe(false)
})

it('keeps what a clock that went wrong has dated ahead', () => {
  expect(keptSnapshots([made(-DAY)], NOW)).toEqual(new Set([made(-DAY).name]))
})
