import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { repeat } from './maintenance.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('works each time it is due, and not before', async () => {
  const work = vi.fn(() => Promise.resolve())
  const { stop } = repeat({ everyMs: 100, work, failed: vi.fn() })
  await vi.advanceTimersByTimeAsync(99)
  expect(work).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(201)
  expect(work).toHaveBeenCalledTimes(3)
  await stop()
  await vi.advanceTimersByTimeAsync(1000)
  expect(work).toHaveBeenCalledTimes(3)
})

it('leaves out a turn while the one before goes on', async () => {
  const turns: (() => void)[] = []
  const work = vi.fn(() => new Promise<void>((resolve) => turns.push(resolve)))
  const { stop } = repeat({ everyMs: 100, work, failed: vi.fn() })
  await vi.advanceTimersByTimeAsync(500)
  expect(work).toHaveBeenCalledTimes(1)
  turns[0]?.()
  await vi.advanceTimersByTimeAsync(100)
  expect(work).toHaveBeenCalledTimes(2)
  turns[1]?.()
  await stop()
})

it('tells why a turn failed, also where it threw at once, and takes the next', async () => {
  const failed = vi.fn()
  const work = vi
    .fn<(signal: AbortSignal) => Promise<void>>()
    .mockImplementationOnce(() => {
      throw new Error('at once')
    })
    .mockRejectedValueOnce(new Error('later'))
    .mockResolvedValue()
  const { stop } = repeat({ everyMs: 100, work, failed })
  await vi.advanceTimersByTimeAsync(300)
  expect(failed.mock.calls).toEqual([[new Error('at once')], [new Error('later')]])
  expect(work).toHaveBeenCalledTimes(3)
  await stop()
})

it('ends what goes on with a stop, waits for it and tells no failure of it', async () => {
  const failed = vi.fn()
  let ended = false
  const work = (signal: AbortSignal): Promise<void> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        ended = true
        reject(new Error('stopped'))
      })
    })
  const { stop } = repeat({ everyMs: 100, work, failed })
  await vi.advanceTimersByTimeAsync(100)
  expect(ended).toBe(false)
  await stop()
  expect([ended, failed.mock.calls.length]).toEqual([true, 0])
})
