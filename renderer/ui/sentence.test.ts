import { expect, it } from 'vitest'
import { sentence } from './attempt.svelte.ts'

it('says in plain words that nobody answered, and otherwise what the error says', () => {
  expect(sentence(new TypeError('Failed to fetch'))).toMatch(/cannot be reached/)
  expect(sentence(new TypeError('NetworkError when attempting to fetch resource.'))).toMatch(
    /cannot be reached/,
  )
  expect(sentence(new Error('The clip is gone.'))).toBe('The clip is gone.')
  expect(sentence('odd')).toBe('odd')
})
