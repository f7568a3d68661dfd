import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLogger } from '../log.ts'
import { connectAppliance } from './appliance.ts'

const MINUTE = 60_000
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('renews its token soon after an appliance that was away is back', async () => {
  let away = true
  const calls: number[] = []
  vi.stubGlobal('fetch', () => {
    calls.push(Math.round(performance.now() / MINUTE))
    if (away) return Promise.reject(new TypeError('fetch failed'))
    return Promise.resolve(Response.json({ data: { token: 'next', expiresAt: '' } }))
  })
  const log = createLogger('error', () => undefined)
  const begun = Math.round(performance.now() / MINUTE)
  const appliance = connectAppliance({ server: 'http://studio', token: 'first', log })
  await vi.advanceTimersByTimeAsync(41 * MINUTE)
  away = false
  await vi.advanceTimersByTimeAsync(30 * MINUTE)
  appliance.close()
  const times = calls.map((at) => at - begun)
  // Away from before the first renewal until the 41st minute; the token ends with the 60th.
  expect(times.filter((at) => at > 41)).toEqual([42, 62])
  await vi.advanceTimersByTimeAsync(60 * MINUTE)
  expect(calls).toHaveLength(times.length)
})

it('leaves a token of an outside provider alone', async () => {
  let calls = 0
  vi.stubGlobal('fetch', () => {
    calls += 1
    const error = { code: 'INVALID_STATE', message: 'Get a new token from the provider.' }
    return Promise.resolve(Response.json({ error }, { status: 409 }))
  })
  const lines: string[] = []
  const log = createLogger('info', (line) => lines.push(line))
  const appliance = connectAppliance({ server: 'http://studio', token: 'theirs', log })
  await appliance.join()
  await vi.advanceTimersByTimeAsync(180 * MINUTE)
  appliance.close()
  expect(calls).toBeLessThanOrEqual(2)
  expect(lines.join('')).not.toContain('could not be renewed')
})
