import { expect, test, vi } from 'vitest'
import { limitTime } from './transfer.ts'

test('aborts when its time has come, and never when it has ended before', () => {
  vi.useFakeTimers()
  try {
    const late = limitTime(2)
    const done = limitTime(2)
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
