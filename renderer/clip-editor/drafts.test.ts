import { afterEach, expect, it, vi } from 'vitest'
import { storeDraft, loadDraft } from './history.ts'
import type { ClipEdit } from '../../server/nodes/editing/clip-edit.ts'

afterEach(() => void vi.unstubAllGlobals())

const titled = (title: string): ClipEdit => ({ title }) as unknown as ClipEdit

it('keeps what is not saved; without room it keeps nothing, and hinders nobody', () => {
  const stored = new Map<string, string>()
  let hasSpace = true
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    removeItem: (name: string) => void stored.delete(name),
    setItem: (name: string, value: string) => {
      if (!hasSpace) throw new DOMException('full', 'QuotaExceededError')
      stored.set(name, value)
    },
  })
  const draft = { base: titled('Talk'), edit: titled('One') }
  storeDraft('a', draft)
  expect(loadDraft('a')).toEqual(draft)
  hasSpace = false
  storeDraft('a', { ...draft, edit: titled('Two') })
  expect(loadDraft('a')).toBeNull()
})
