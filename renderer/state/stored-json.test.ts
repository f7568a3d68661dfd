import { expect, it } from 'vitest'
import { keepJson, keptJson, type Store } from './stored-json.ts'

/** A store of so many characters a value. */
function storeOf(most: number): Store {
  const kept = new Map<string, string>()
  return {
    getItem: (key) => kept.get(key) ?? null,
    removeItem: (key) => void kept.delete(key),
    setItem(key, value) {
      if (value.length > most) throw new DOMException('full', 'QuotaExceededError')
      kept.set(key, value)
    },
  }
}

it('keeps each value by its key, until there is none', () => {
  const store = storeOf(100)
  expect(keptJson(store, 'a')).toBeNull()
  expect(keepJson(store, 'a', { words: ['one'] })).toBe(true)
  expect([keptJson(store, 'a'), keptJson(store, 'b')]).toEqual([{ words: ['one'] }, null])
  expect(keepJson(store, 'a', null)).toBe(true)
  expect(store.getItem('a')).toBeNull()
})

it('forgets the older value where the browser has no room for the newest', () => {
  const store = storeOf(10)
  keepJson(store, 'a', 'short')
  expect(keepJson(store, 'a', 'too long for it')).toBe(false)
  expect(keptJson(store, 'a')).toBeNull()
})

it('takes what was half-written for nothing', () => {
  const store = storeOf(100)
  store.setItem('a', '{"revision":')
  expect(keptJson(store, 'a')).toBeNull()
})
