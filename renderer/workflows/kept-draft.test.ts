import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keepWorkflow, keptWorkflow } from './stored-draft.ts'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  })
})
afterEach(() => void vi.unstubAllGlobals())

it('keeps what is not saved of each workflow, until it is', () => {
  const draft = { name: 'Shorts', description: '', graph: { nodes: [], edges: [] } }
  expect(keptWorkflow('a')).toBeNull()
  keepWorkflow('a', { revision: 3, draft })
  expect([keptWorkflow('a'), keptWorkflow('b')]).toEqual([{ revision: 3, draft }, null])
  keepWorkflow('a', null)
  expect(keptWorkflow('a')).toBeNull()
})

it('takes what was half-written for nothing', () => {
  localStorage.setItem('cutroom-workflow:a', '{"revision":')
  expect(keptWorkflow('a')).toBeNull()
})

it('forgets an older draft where the browser has no room for the newest', () => {
  const draft = { name: 'Shorts', description: '', graph: { nodes: [], edges: [] } }
  keepWorkflow('a', { revision: 3, draft })
  vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  keepWorkflow('a', { revision: 3, draft: { ...draft, name: 'Longs' } })
  expect(keptWorkflow('a')).toBeNull()
})
