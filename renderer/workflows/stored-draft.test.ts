import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { storeWorkflowDraft, loadWorkflowDraft } from './graph.ts'

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  })
})
afterEach(() => void vi.unstubAllGlobals())

it('keeps what is not saved of each workflow, until it is', () => {
  const draft = { name: 'Shorts', description: '', graph: { nodes: [], edges: [] } }
  expect(loadWorkflowDraft('a')).toBeNull()
  storeWorkflowDraft('a', { revision: 3, draft })
  expect([loadWorkflowDraft('a'), loadWorkflowDraft('b')]).toEqual([{ revision: 3, draft }, null])
  storeWorkflowDraft('a', null)
  expect(loadWorkflowDraft('a')).toBeNull()
})

it('takes what was half-written for nothing', () => {
  localStorage.setItem('cutroom-workflow:a', '{"revision":')
  expect(loadWorkflowDraft('a')).toBeNull()
})

it('forgets an older draft where the browser has no room for the newest', () => {
  const draft = { name: 'Shorts', description: '', graph: { nodes: [], edges: [] } }
  storeWorkflowDraft('a', { revision: 3, draft })
  vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  storeWorkflowDraft('a', { revision: 3, draft: { ...draft, name: 'Longs' } })
  expect(loadWorkflowDraft('a')).toBeNull()
})
