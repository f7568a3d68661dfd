import { expect, it } from 'vitest'
import { newId, newMediaId } from './ids.ts'

it('no id begins with a dash: a command would take it for an option', () => {
  const ids = Array.from({ length: 2000 }, () => [newId(), newMediaId()]).flat()
  expect(ids.filter((id) => id.startsWith('-'))).toEqual([])
  expect(new Set(ids).size).toBe(4000)
  expect(ids.every((id) => /^[\w-]{22}$|^[\w-]{27}$/.test(id))).toBe(true)
})
