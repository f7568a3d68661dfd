import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { RequestRefused } from './request-refused.ts'
import { throughOutages } from './outage.ts'

let isAnswering: boolean
beforeEach(() => {
  vi.useFakeTimers()
  isAnswering = false
  vi.stubGlobal('fetch', () =>
    isAnswering ? Promise.resolve(new Response('{}')) : Promise.reject(new TypeError('Failed to fetch')),
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Fails with these errors in turn, and then answers. */
function failing(...errors: readonly Error[]) {
  let calls = 0
  return vi.fn(() => {
    const error = errors[calls++]
    return error === undefined ? Promise.resolve('done') : Promise.reject(error)
  })
}

const LOST = new TypeError('Failed to fetch')

it('waits until the appliance answers, says so, and does the work again', async () => {
  const work = failing(LOST, new Error('cannot be shown'))
  const onAway = vi.fn()
  const ended = expect(throughOutages(work, { onAway })).rejects.toThrow('cannot be shown')
  await vi.advanceTimersByTimeAsync(5000)
  expect([work.mock.calls.length, onAway.mock.calls.length]).toEqual([1, 1])
  isAnswering = true
  await vi.advanceTimersByTimeAsync(1000)
  await ended
})

it('counts any failure against an appliance that is away, and tries again as often as it was', async () => {
  const work = failing(new Error('no answer'), new RequestRefused(502, 'Bad Gateway'))
  const done = throughOutages(work)
  await vi.advanceTimersByTimeAsync(1000)
  isAnswering = true
  await vi.advanceTimersByTimeAsync(1000)
  expect(await done).toBe('done')
  expect(work).toHaveBeenCalledTimes(3)
})

it('looks less often the longer it is away', async () => {
  let looks = 0
  vi.stubGlobal('fetch', () => {
    looks += 1
    return isAnswering
      ? Promise.resolve(new Response('{}'))
      : Promise.reject(new TypeError('Failed to fetch'))
  })
  const done = throughOutages(failing(LOST))
  await vi.advanceTimersByTimeAsync(60_000)
  looks = 0
  await vi.advanceTimersByTimeAsync(600_000)
  expect(looks).toBeLessThanOrEqual(60)
  isAnswering = true
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await done).toBe('done')
})

it('waits for no other answer where it is refused even that', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('', { status: 403 })))
  const refused = new RequestRefused(403, 'Sign in.')
  await expect(throughOutages(failing(refused))).rejects.toBe(refused)
})

it('rejects with what the appliance has answered', async () => {
  isAnswering = true
  const refused = new RequestRefused(422, 'It does not fit.')
  const work = failing(refused)
  await expect(throughOutages(work)).rejects.toBe(refused)
  expect(work).toHaveBeenCalledTimes(1)
})

it('tries a lost connection three times where the appliance is back at once', async () => {
  isAnswering = true
  expect(await throughOutages(failing(LOST, LOST))).toBe('done')
  await expect(throughOutages(failing(LOST, LOST, LOST))).rejects.toBe(LOST)
})

it('ends with an AbortError what is of no use any more', async () => {
  let isWanted = true
  const done = throughOutages(failing(LOST), { isWanted: () => isWanted })
  const ended = expect(done).rejects.toMatchObject({ name: 'AbortError' })
  await vi.advanceTimersByTimeAsync(500)
  isWanted = false
  isAnswering = true
  await vi.advanceTimersByTimeAsync(1000)
  await ended
})
