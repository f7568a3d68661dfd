import { expect, it } from 'vitest'
import {
  begin,
  record,
  undo,
  type History,
  storeSteps,
  loadSteps,
  isSavedUnconfirmed,
  mergeRemoteEdits,
  withoutWords,
  type Step,
} from './history.ts'
import type { ClipEdit } from '../../server/nodes/editing/clip-edit.ts'

const FIRST = { title: 'Talk', subtitleConfig: { fontSize: 40 }, zooms: null } as unknown as ClipEdit
const titled = (title: string, words: Step['words'] = null): Step => ({ edit: { ...FIRST, title }, words })

/** A storage of so many characters. */
function storageOf(most: number) {
  const stored = new Map<string, string>()
  return {
    getItem: (name: string) => stored.get(name) ?? null,
    removeItem: (name: string) => void stored.delete(name),
    setItem(name: string, value: string) {
      if (value.length > most) throw new DOMException('full', 'QuotaExceededError')
      stored.set(name, value)
    },
  }
}

function walked(): History {
  const correction = { again: [{ index: 3, to: 'darned' }], back: [{ index: 3, to: 'damn' }] }
  let history = begin<Step>({ edit: FIRST, words: null })
  history = record(history, titled('One'))
  history = record(history, titled('One', correction))
  history = record(history, { edit: { ...titled('Two').edit, zooms: [] }, words: null })
  return undo(record(history, titled('Three')))
}

it('brings back every step before and after the present, with what it did to words', () => {
  const storage = storageOf(1e6)
  expect(loadSteps(storage, 'a')).toBeNull()
  storeSteps(storage, 'a', { history: walked(), base: FIRST })
  expect(loadSteps(storage, 'a')).toEqual({ history: walked(), base: FIRST })
  expect(loadSteps(storage, 'b')).toBeNull()
})

it('keeps the nearest steps of a history that is larger than the storage', () => {
  const storage = storageOf(2000)
  let history = begin<Step>(titled('0'))
  for (let at = 1; at <= 300; at++) history = record(history, titled(String(at)))
  storeSteps(storage, 'a', { history, base: FIRST })
  const stored = loadSteps(storage, 'a')?.history
  expect(stored?.present.edit.title).toBe('300')
  expect(stored?.past.at(-1)?.edit.title).toBe('299')
  expect(stored?.past.length).toBeGreaterThan(5)
  expect(stored?.past.length).toBeLessThan(300)
})

it('forgets of a step the words that the appliance did not take', () => {
  const history = walked()
  const { words } = history.past[2] ?? {}
  expect(words?.again).toEqual([{ index: 3, to: 'darned' }])
  if (!words) return
  expect(withoutWords(history, words).past.map((step) => step.words)).toEqual([null, null, null])
  expect(withoutWords(history, { ...words })).toEqual(history)
  const last = undo(history)
  expect(withoutWords(last, words)).toEqual({ ...undo(last), future: [] })
})

it('takes steps of ours back, and leaves what somebody else has saved', () => {
  const theirs: ClipEdit = { ...FIRST, title: 'Talk', subtitleConfig: { fontSize: 40, emojis: true } }
  const met = mergeRemoteEdits(walked(), { since: FIRST, theirs, automatic: {} })
  const all = [...met.past, met.present, ...met.future]
  expect(all.map(({ edit }) => edit.title)).toEqual(['Talk', 'One', 'One', 'Two', 'Three'])
  for (const { edit } of all) expect(edit.subtitleConfig).toEqual({ fontSize: 40, emojis: true })
  expect(mergeRemoteEdits(walked(), { since: FIRST, theirs: FIRST, automatic: {} })).toEqual(walked())
})

it('takes what another version has kept for nothing', () => {
  for (const text of ['{"present":{}}', '[]', '{"base":', 'null'])
    expect(loadSteps({ getItem: () => text }, 'a')).toBeNull()
})

it('takes what it has saved itself, before it was closed, for no news of others', () => {
  let history = record(begin<Step>({ edit: FIRST, words: null }), titled('One'))
  history = record(history, titled('Two'))
  expect(isSavedUnconfirmed({ history, base: FIRST }, titled('Two').edit)).toBe(true)
  expect(isSavedUnconfirmed({ history, base: FIRST }, titled('One').edit)).toBe(true)
  expect(isSavedUnconfirmed({ history, base: FIRST }, titled('Theirs').edit)).toBe(false)
  // Somebody else has gone back to a step that had been saved.
  expect(isSavedUnconfirmed({ history, base: titled('Two').edit }, titled('One').edit)).toBe(false)
})
