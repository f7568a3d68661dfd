import { expect, it } from 'vitest'
import { storeJson, loadJson, type Store } from './stored-json.ts'

/** A store of so many characters a value. */
function storeOf(most: number): Store {
  const stored = new Map<string, string>()
  return {
    getItem: (key) => stored.get(key) ?? null,
    removeItem: (key) => void stored.delete(key),
    setItem(key, value) {
      if (value.length > most) throw new DOMException('full', 'QuotaExceededError')
      stored.set(key, value)
    },
  }
}

it('keeps each value by its key, until there is none', () => {
  const store = storeOf(100)
  expect(loadJson(store, 'a')).toBeNull()
  expect(storeJson(store, 'a', { words: ['one'] })).toBe(true)
  expect([loadJson(store, 'a'), loadJson(store, 'b')]).toEqual([{ words: ['one'] }, null])
  expect(storeJson(store, 'a', null)).toBe(true)
  expect(store.getItem('a')).toBeNull()
})

it('forgets the older value where the browser has no room for the newest', () => {
  const store = storeOf(10)
  storeJson(store, 'a', 'short')
  expect(storeJson(store, 'a', 'too long for it')).toBe(false)
  expect(loadJson(store, 'a')).toBeNull()
})

it('takes what was half-written for nothing', () => {
  const store = storeOf(100)
  store.setItem('a', '{"revision":')
  expect(loadJson(store, 'a')).toBeNull()
})
