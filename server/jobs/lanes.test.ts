import { describe, expect, it } from 'vitest'
import { createLanes, nextPlace, threadsFor, type PlaceRequest } from './lanes.ts'
import { laneLimits, type LaneLimits } from '../domain/operations/lane-limits.ts'

const limits: LaneLimits = { network: 1, live: 1, cpu: 2, gpu: 1, render: 1 }
const request = (change: Partial<PlaceRequest & { order: number }> = {}) => ({
  lane: 'cpu' as const,
  isRender: false,
  companyId: 'a',
  urgent: false,
  order: 0,
  ...change,
})

describe('laneLimits', () => {
  it.each([
    [1, { network: 4, live: 8, cpu: 2, gpu: 1, render: 1 }],
    [2, { network: 4, live: 8, cpu: 2, gpu: 1, render: 1 }],
    [16, { network: 4, live: 8, cpu: 8, gpu: 1, render: 4 }],
  ])('for %i cores', (cores, expected) => {
    expect(laneLimits(cores)).toEqual(expected)
    expect(threadsFor(laneLimits(cores))).toBe(expected.cpu + 13)
  })
})

describe('nextPlace', () => {
  it('keeps to the lane and to the number of renders', () => {
    expect(nextPlace([request()], [request(), request()], limits)).toBeNull()
    const renders = [request({ isRender: true })]
    expect(nextPlace([request({ isRender: true })], renders, limits)).toBeNull()
    expect(nextPlace([request({ order: 7 })], renders, limits)?.order).toBe(7)
    expect(nextPlace([request({ lane: 'gpu', order: 8 })], [request(), request()], limits)?.order).toBe(8)
  })
  it('prefers the urgent, then the company with less, then the first', () => {
    const waiting = [
      request({ order: 1 }),
      request({ order: 2, companyId: 'b' }),
      request({ order: 3, urgent: true }),
    ]
    expect(nextPlace(waiting, [request()], limits)?.order).toBe(3)
    expect(nextPlace(waiting.slice(0, 2), [request()], limits)?.order).toBe(2)
    expect(nextPlace(waiting.slice(0, 2), [], limits)?.order).toBe(1)
  })
})

describe('createLanes', () => {
  it('has as many renders going as an owner has chosen, from the next one on', async () => {
    let chosen: number | null = 2
    const lanes = createLanes({ ...limits, cpu: 3 }, () => chosen)
    const { signal } = new AbortController()
    const started: number[] = []
    const back = await lanes.acquire(request({ isRender: true }), signal)
    await lanes.acquire(request({ isRender: true }), signal)
    const third = lanes.acquire(request({ isRender: true }), signal).then(() => started.push(3))
    await Promise.resolve()
    expect(started).toEqual([])
    chosen = null
    back()
    await Promise.resolve()
    // One still renders, and one is usual here.
    expect(started).toEqual([])
    chosen = 99
    const fourth = lanes.acquire(request({ isRender: true }), signal).then(() => started.push(4))
    await Promise.all([third, fourth])
    expect(started).toEqual([3, 4])
  })

  it('gives every fourth render to a run, however many people wait for theirs', async () => {
    const lanes = createLanes(limits)
    const { signal } = new AbortController()
    const began: string[] = []
    const ask = (name: string, urgent: boolean, isRender = true): void =>
      void lanes.acquire(request({ isRender, urgent }), signal).then((back) => {
        began.push(name)
        // Another one is asked for by the same person as this one ends.
        if (urgent && began.length < 20) ask(name, urgent)
        setImmediate(back)
      })
    ask('editor', true)
    ask('colleague', true)
    for (const name of ['run 1', 'run 2', 'run 3']) ask(name, false)
    await expect.poll(() => began.filter((name) => name.startsWith('run'))).toHaveLength(3)
    const at = ['run 1', 'run 2', 'run 3'].map((name) => began.indexOf(name))
    expect(at.slice(1).map((place, index) => place - (at[index] ?? 0))).toEqual([4, 4])
    expect(at[0]).toBeLessThanOrEqual(4)
  })

  it('passes nobody over for work of another kind, which has places of its own', async () => {
    const lanes = createLanes(limits)
    const { signal } = new AbortController()
    const began: string[] = []
    const ask = async (name: string, change: Partial<PlaceRequest>): Promise<() => void> => {
      const back = await lanes.acquire(request(change), signal)
      began.push(name)
      return back
    }
    const faces = await ask('faces', {})
    const renders = ['a', 'b', 'c', 'd', 'e'].map((name) => ask(name, { isRender: true, urgent: true }))
    const speakers = ask('speakers', {})
    for (const render of renders) (await render)()
    faces()
    await speakers
    expect(began.slice(0, 3)).toEqual(['faces', 'a', 'b'])
  })

  it('lets the next in when a place is given back, and forgets who gave up waiting', async () => {
    const lanes = createLanes({ ...limits, cpu: 1 })
    const signal = new AbortController().signal
    const first = await lanes.acquire(request(), signal)
    const impatient = new AbortController()
    const given = lanes.acquire(request(), impatient.signal)
    const entered: string[] = []
    const third = lanes.acquire(request(), signal).then((release) => {
      entered.push('third')
      return release
    })
    impatient.abort(new Error('enough'))
    await expect(given).rejects.toThrow('enough')
    expect(entered).toEqual([])
    first()
    first() // giving back twice must not make room twice
    const release = await third
    expect(entered).toEqual(['third'])
    release()
  })
})
