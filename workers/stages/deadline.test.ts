import { expect, test, vi } from 'vitest'
import { deadline } from './deadline.ts'

test('aborts when its time has come, and never when it has ended before', () => {
  vi.useFakeTimers()
  try {
    const late = deadline(2)
    const done = deadline(2)
    vi.advanceTimersByTime(1999)
    expect(late.signal.aborted).toBe(false)
    done.end()
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(1)
    expect([late.signal.aborted, done.signal.aborted]).toEqual([true, false])
  } finally {
    vi.useRealTimers()
  }
})
