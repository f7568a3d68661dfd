import { describe, expect, it } from 'vitest'
import { createHolds } from './holds.ts'
import { MAX_HOLD_MS, type RemoteTask } from './protocol.ts'

const [KEY, OTHER, SOURCE, KEPT, INPUT] = ['1', '2', 'a', 'b', 'c'].map((one) => one.repeat(64)) as [
  ...[string, string, string, string, string],
]
const task = (key: string): RemoteTask => ({
  stage: 'peaks',
  version: 1,
  key,
  params: {},
  models: {},
  sources: [KEPT],
  inputs: {
    video: { kind: 'source', digest: SOURCE },
    audio: { kind: 'artefact', stage: 'audio', key: INPUT },
  },
})

function make() {
  const state = { locks: new Map<string, string>(), there: true, time: 0 }
  const holds = createHolds({
    lockOf: ({ key }) => Promise.resolve(state.locks.get(key) ?? null),
    isThere: () => state.there,
    clock: () => state.time,
  })
  const keysOf = async (holder: string) => (await holds.heldBy(holder)).map(({ key }) => key)
  return { state, holds, keysOf }
}

describe('what a node holds', () => {
  it('is a task that is out, under the lock that the queue knows; with it come its inputs and its result', async () => {
    const { state, holds } = make()
    expect(await holds.take('n', { key: KEY, lock: 'l' })).toBe(false)
    const end = holds.offer(task(KEY), 'q')
    expect(await holds.take('n', { key: KEY, lock: 'l' })).toBe(false)
    state.locks.set(KEY, 'l')
    expect(await holds.take('n', { key: KEY, lock: 'other' })).toBe(false)
    expect(await holds.heldBy('n')).toEqual([])
    expect(await holds.take('n', { key: KEY, lock: 'l' })).toBe(true)
    expect(await holds.heldBy('n')).toEqual([
      {
        stage: 'peaks',
        key: KEY,
        sources: new Set([SOURCE, KEPT]),
        results: new Set([`peaks/${KEY}`, `audio/${INPUT}`]),
      },
    ])
    expect(await holds.heldBy('m')).toEqual([])
    end()
    expect(await holds.heldBy('n')).toEqual([])
  })

  it('is no other node’s: neither by its lock nor after it was lost', async () => {
    const { state, holds, keysOf } = make()
    for (const key of [KEY, OTHER]) holds.offer(task(key), 'q')
    state.locks.set(KEY, 'l').set(OTHER, 'k')
    expect(await holds.take('n', { key: KEY, lock: 'l' })).toBe(true)
    expect(await holds.take('m', { key: KEY, lock: 'l' })).toBe(false)
    expect(await holds.take('m', { key: OTHER, lock: 'k' })).toBe(true)
    expect([await keysOf('n'), await keysOf('m')]).toEqual([[KEY], [OTHER]])
    // The lock ran out, and another has the task.
    state.locks.set(KEY, 'later')
    expect(await keysOf('n')).toEqual([])
    expect(await holds.take('m', { key: KEY, lock: 'later' })).toBe(true)
    expect([await keysOf('n'), await keysOf('m')]).toEqual([[], [KEY, OTHER]])
  })

  it('ends, however often it is said again, and stays while the queue is away', async () => {
    const { state, holds, keysOf } = make()
    holds.offer(task(KEY), 'q')
    state.locks.set(KEY, 'l')
    await holds.take('n', { key: KEY, lock: 'l' })
    state.time = MAX_HOLD_MS - 1
    state.there = false
    expect(await keysOf('n')).toEqual([KEY])
    state.there = true
    expect(await holds.take('n', { key: KEY, lock: 'l' })).toBe(true)
    state.time = MAX_HOLD_MS
    expect(await keysOf('n')).toEqual([])
    expect(await holds.take('n', { key: KEY, lock: 'l' })).toBe(false)
  })
})
