import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createAttempt } from './attempt.svelte.ts'

// What the compiler of the pages makes of it follows the value; here it is the value.
beforeAll(() => vi.stubGlobal('$state', (value: unknown) => value))
afterAll(() => vi.unstubAllGlobals())

it('says why something did not work until something does', async () => {
  const attempt = createAttempt()
  expect(await attempt.run(() => Promise.reject(new Error('The disk is full.')))).toBe(false)
  expect(attempt.problem).toBe('The disk is full.')
  const going = Promise.withResolvers<void>()
  const done = attempt.run(() => going.promise)
  expect([attempt.problem, attempt.busy]).toEqual(['The disk is full.', true])
  going.resolve()
  expect(await done).toBe(true)
  expect([attempt.problem, attempt.busy]).toEqual([null, false])
})

it('is busy as long as one of several goes on', async () => {
  const attempt = createAttempt()
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  const both = [attempt.run(() => first.promise), attempt.run(() => second.promise)]
  first.resolve()
  await both[0]
  expect(attempt.busy).toBe(true)
  second.reject(new Error('No.'))
  await both[1]
  expect([attempt.busy, attempt.problem]).toEqual([false, 'No.'])
})
