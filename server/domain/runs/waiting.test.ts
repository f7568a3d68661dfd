import { describe, expect, it } from 'vitest'
import type { RunSource } from '../../contract/run.ts'
import { goesOnNow, waitsForOf, type Wait } from './waiting.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const URL_SOURCE: RunSource = { kind: 'url', url: 'https://example.com/talk.mp4' }
const FILE_SOURCE: RunSource = { kind: 'file', path: '/disk/talk.mp4', displayName: 'talk.mp4' }

describe('waitsForOf', () => {
  const of = (
    errorCode: string | null,
    source: RunSource = URL_SOURCE,
    { now = MINUTE, online = true } = {},
  ) =>
    waitsForOf(
      { status: errorCode === null ? 'Pending' : 'Error', errorCode, createdAt: 0, snapshot: { source } },
      now,
      () => online,
    )

  it('names what may come back', () => {
    expect(of(null)).toBe('queue')
    expect(of('DISK_FULL')).toBe('disk')
    expect(of('MODEL_NOT_INSTALLED')).toBe('model')
    expect(of('SOURCE_UNREACHABLE')).toBe('source')
    expect(of('SOURCE_UNREACHABLE', FILE_SOURCE, { online: false })).toBe('source')
    expect(of('SOURCE_UNREACHABLE', URL_SOURCE, { online: false })).toBe('network')
  })

  it('names nothing for what would end the same way again, nor for an address after a day', () => {
    expect(of('NO_SPEECH')).toBeNull()
    expect(of('CANCELLED')).toBeNull()
    expect(of('SOURCE_UNREACHABLE', URL_SOURCE, { now: DAY + 1 })).toBeNull()
    expect(of('SOURCE_UNREACHABLE', FILE_SOURCE, { now: 2 * DAY })).toBe('source')
  })

  it.each(['Processing', 'Learning', 'Completed'] as const)('names nothing for a run in %s', (status) => {
    const run = { status, errorCode: null, createdAt: 0, snapshot: { source: URL_SOURCE } }
    expect(waitsForOf(run, 1)).toBeNull()
  })
})

describe('goesOnNow', () => {
  const wait: Wait = { failedAt: 0, tries: 0, freeBytes: 0, wasAway: false }
  const there = { now: 1000, isThere: true, freedBytes: 0 }

  it('waits as long as it is not there, and goes on at once then', () => {
    expect(goesOnNow({ ...wait, wasAway: true }, { ...there, now: DAY, isThere: false })).toBe(false)
    expect(goesOnNow({ ...wait, wasAway: true, tries: 9 }, there)).toBe(true)
  })

  it('pauses ever longer, to an hour, where it seemed to be there all along', () => {
    const pauses = Array.from({ length: 9 }, (_, tries) => {
      const after = (now: number): boolean => goesOnNow({ ...wait, tries }, { ...there, now })
      return [1, 2, 4, 8, 16, 32, 60].find(
        (minutes) => after(minutes * MINUTE) && !after(minutes * MINUTE - 1),
      )
    })
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
  })

  it('does not pause when much of the disk was freed', () => {
    expect(goesOnNow({ ...wait, tries: 9 }, { ...there, freedBytes: 300 * 1024 ** 2 })).toBe(true)
  })
})
