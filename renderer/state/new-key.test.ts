import { afterEach, expect, it, vi } from 'vitest'
import { newKey } from './api.ts'

afterEach(() => vi.unstubAllGlobals())

it('names are made where a page has no randomUUID, and none is made twice', () => {
  const getRandomValues = crypto.getRandomValues.bind(crypto)
  vi.stubGlobal('crypto', { getRandomValues })
  const made = Array.from({ length: 100 }, newKey)
  expect(new Set(made).size).toBe(100)
  for (const key of made) expect(key).toMatch(/^[\da-f]{32}$/)
})
