import { expect, it } from 'vitest'
import type { StudioWord } from '../../server/contract/studio-editor.ts'
import { RequestRefused } from '../state/api.ts'
import { corrected, createCorrections, type Correction } from './corrections.ts'
import type { WordOperation } from './transcript/patch-words.ts'

const wordsOf = (...texts: string[]): readonly StudioWord[] =>
  texts.map((word, index) => ({ index, word, start: index, end: index + 1, isDeleted: false, visible: true }))
const DAMN: Correction = { again: [{ index: 1, to: 'darned' }], back: [{ index: 1, to: 'damn' }] }

/** An appliance with words, and a browser that keeps what it does not have. `refuse` fails the next requests. */
function stage(...texts: string[]) {
  const held = { words: wordsOf(...texts), revision: 1 }
  const kept = new Map<string, string>()
  const said = [] as (string | null)[]
  const refuse = [] as (() => Error)[]
  const waiting = [] as number[]
  const waits: (() => void)[] = []
  let seen = { words: held.words, etag: '1' }
  const open = () =>
    createCorrections({
      id: 'clip',
      storage: {
        getItem: (name) => kept.get(name) ?? null,
        setItem: (name, value) => void kept.set(name, value),
        removeItem: (name) => void kept.delete(name),
      },
      now: () => seen,
      patch: (_id, { operations, etag }) => {
        const error = refuse.shift()
        if (error !== undefined) return Promise.reject(error())
        if (etag !== String(held.revision)) return Promise.reject(new RequestRefused(412, 'newer'))
        held.words = corrected(held.words, operations)
        held.revision += 1
        return Promise.resolve(null)
      },
      renew: () => {
        seen = { words: held.words, etag: String(held.revision) }
        return Promise.resolve()
      },
      tell: (operations, problem) => {
        waiting.push(operations.length)
        said.push(problem)
      },
      wait: () => new Promise((done) => waits.push(done)),
    })
  const elsewhere = (operation: WordOperation): void => {
    held.words = corrected(held.words, [operation])
    held.revision += 1
  }
  const texts_ = () => held.words.map(({ word, isDeleted }) => (isDeleted ? '' : word)).join(' ')
  return { open, elsewhere, kept, said, refuse, waiting, waits, texts: texts_ }
}

it('keeps a correction while the appliance is away, and saves it when it is back', async () => {
  const { open, refuse, said, waits, kept, texts } = stage('every', 'damn', 'episode')
  refuse.push(() => new RequestRefused(0, 'away'))
  const done = open().send(DAMN)
  await expect.poll(() => waits.length).toBe(1)
  expect([said.at(-1), kept.size, texts()]).toEqual([
    expect.stringContaining('stored in this browser'),
    1,
    'every damn episode',
  ])
  waits[0]?.()
  expect(await done).toBeNull()
  expect([said.at(-1), kept.size, texts()]).toEqual([null, 0, 'every darned episode'])
})

it('sends what an earlier window has kept', async () => {
  const { open, refuse, waits, kept, texts } = stage('every', 'damn', 'episode')
  refuse.push(() => new RequestRefused(0, 'away'))
  const first = open()
  void first.send(DAMN)
  await expect.poll(() => waits.length).toBe(1)
  first.close()
  open()
  await expect.poll(texts).toBe('every darned episode')
  await expect.poll(() => kept.size).toBe(0)
})

it('reaches the appliance also where the browser has no room to keep it', async () => {
  const { open, kept, texts } = stage('every', 'damn', 'episode')
  kept.set = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  expect(await open().send(DAMN)).toBeNull()
  expect(texts()).toBe('every darned episode')
})

it('waits where too much was asked at once', async () => {
  const { open, refuse, waits, texts } = stage('every', 'damn', 'episode')
  refuse.push(() => new RequestRefused(429, 'Too many requests.'))
  const done = open().send(DAMN)
  await expect.poll(() => waits.length).toBe(1)
  waits[0]?.()
  expect([await done, texts()]).toEqual([null, 'every darned episode'])
})

it('stands beside a correction of another word, and gives way to one of the same', async () => {
  const { open, elsewhere, texts, said } = stage('every', 'damn', 'episode')
  const corrections = open()
  elsewhere({ index: 2, to: 'week' })
  expect(await corrections.send(DAMN)).toBeNull()
  expect(texts()).toBe('every darned week')
  elsewhere({ index: 1, to: 'blessed' })
  const taken = await corrections.send({ again: DAMN.back, back: DAMN.again })
  expect([taken, texts(), said.at(-1)]).toEqual([
    expect.stringContaining('Somebody else'),
    'every blessed week',
    taken,
  ])
})

it('is done once where the answer of the first request was lost', async () => {
  const { open, elsewhere, refuse, waits, texts } = stage('every', 'damn')
  refuse.push(() => {
    elsewhere({ index: 1, to: 'darned' })
    return new RequestRefused(0, 'away')
  })
  const done = open().send(DAMN)
  await expect.poll(() => waits.length).toBe(1)
  waits[0]?.()
  expect([await done, texts()]).toEqual([null, 'every darned'])
})

it('says why the appliance does not take one, and goes on', async () => {
  const { open, refuse, kept } = stage('every', 'damn')
  refuse.push(() => new RequestRefused(403, 'You may look, not edit.'))
  expect(await open().send(DAMN)).toBe('You may look, not edit.')
  expect(kept.size).toBe(0)
})
