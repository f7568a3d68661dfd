import { expect, it } from 'vitest'
import type { StudioWord } from '../../server/contract/studio-editor.ts'
import { RequestRefused } from '../state/request-refused.ts'
import { corrected, createCorrections, type Correction, type WordOperation } from './corrections.ts'

const wordsOf = (...texts: string[]): readonly StudioWord[] =>
  texts.map((word, index) => ({ index, word, start: index, end: index + 1, isDeleted: false, visible: true }))
const DAMN: Correction = { again: [{ index: 1, to: 'darned' }], back: [{ index: 1, to: 'damn' }] }

/** An appliance with words, and a browser that keeps what it does not have. `refuse` fails the next requests. */
function stage(...texts: string[]) {
  const held = { words: wordsOf(...texts), revision: 1 }
  const stored = new Map<string, string>()
  const problems = [] as (string | null)[]
  const refuse = [] as (() => Error)[]
  const waiting = [] as number[]
  const waits: (() => void)[] = []
  let seen = { words: held.words, etag: '1' }
  const open = () =>
    createCorrections({
      id: 'clip',
      storage: {
        getItem: (name) => stored.get(name) ?? null,
        setItem: (name, value) => void stored.set(name, value),
        removeItem: (name) => void stored.delete(name),
      },
      now: () => ({ ...seen, by: 'Ana' }),
      send: (_id, { change, etag }) => {
        const operations = 'all' in change ? [] : change
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
      report: (operations, problem) => {
        waiting.push(operations.length)
        problems.push(problem)
      },
      wait: () => new Promise((done) => waits.push(done)),
    })
  const correctElsewhere = (operation: WordOperation): void => {
    held.words = corrected(held.words, [operation])
    held.revision += 1
  }
  const texts_ = () => held.words.map(({ word, isDeleted }) => (isDeleted ? '' : word)).join(' ')
  return { open, correctElsewhere, stored, problems, refuse, waiting, waits, texts: texts_ }
}

it('keeps a correction while the appliance is away, and saves it when it is back', async () => {
  const { open, refuse, problems, waits, stored, texts } = stage('every', 'damn', 'episode')
  refuse.push(() => new RequestRefused(0, 'away'))
  const done = open().send(DAMN)
  await expect.poll(() => waits.length).toBe(1)
  expect([problems.at(-1), stored.size, texts()]).toEqual([
    expect.stringContaining('stored in this browser'),
    1,
    'every damn episode',
  ])
  waits[0]?.()
  expect(await done).toBeNull()
  expect([problems.at(-1), stored.size, texts()]).toEqual([null, 0, 'every darned episode'])
})

it('sends what an earlier window has kept', async () => {
  const { open, refuse, waits, stored, texts } = stage('every', 'damn', 'episode')
  refuse.push(() => new RequestRefused(0, 'away'))
  const first = open()
  void first.send(DAMN)
  await expect.poll(() => waits.length).toBe(1)
  first.close()
  open()
  await expect.poll(texts).toBe('every darned episode')
  await expect.poll(() => stored.size).toBe(0)
})

it('reaches the appliance also where the browser has no room to keep it', async () => {
  const { open, stored, texts } = stage('every', 'damn', 'episode')
  stored.set = () => {
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
  const { open, correctElsewhere, texts, problems } = stage('every', 'damn', 'episode')
  const corrections = open()
  correctElsewhere({ index: 2, to: 'week' })
  expect(await corrections.send(DAMN)).toBeNull()
  expect(texts()).toBe('every darned week')
  correctElsewhere({ index: 1, to: 'blessed' })
  const taken = await corrections.send({ again: DAMN.back, back: DAMN.again })
  expect([taken, texts(), problems.at(-1)]).toEqual([
    expect.stringContaining('Ana'),
    'every blessed week',
    taken,
  ])
})

it('is done once where the answer of the first request was lost', async () => {
  const { open, correctElsewhere, refuse, waits, texts } = stage('every', 'damn')
  refuse.push(() => {
    correctElsewhere({ index: 1, to: 'darned' })
    return new RequestRefused(0, 'away')
  })
  const done = open().send(DAMN)
  await expect.poll(() => waits.length).toBe(1)
  waits[0]?.()
  expect([await done, texts()]).toEqual([null, 'every darned'])
})

it('says why the appliance does not take one, and goes on', async () => {
  const { open, refuse, stored } = stage('every', 'damn')
  refuse.push(() => new RequestRefused(403, 'You may look, not edit.'))
  expect(await open().send(DAMN)).toBe('You may look, not edit.')
  expect(stored.size).toBe(0)
})
