import { afterEach, expect, it, vi } from 'vitest'
import { keepDraft, keptDraft } from './drafts.ts'
import type { ClipEdit } from '../../server/nodes/editing/clip-edit.ts'

afterEach(() => void vi.unstubAllGlobals())

const titled = (title: string): ClipEdit => ({ title }) as unknown as ClipEdit

it('keeps what is not saved; without room it keeps nothing, and hinders nobody', () => {
  const kept = new Map<string, string>()
  let room = true
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    removeItem: (name: string) => void kept.delete(name),
    setItem: (name: string, value: string) => {
      if (!room) throw new DOMException('full', 'QuotaExceededError')
      kept.set(name, value)
    },
  })
  const draft = { base: titled('Talk'), edit: titled('One') }
  keepDraft('a', draft)
  expect(keptDraft('a')).toEqual(draft)
  room = false
  keepDraft('a', { ...draft, edit: titled('Two') })
  expect(keptDraft('a')).toBeNull()
})
