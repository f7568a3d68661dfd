/** Windows of one browser, each with a channel of its own to the others; the locks are those of Node, as a browser has them. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openStream, type EventStream } from './shared-stream.ts'

/** As a browser's, driven by the test. */
class FakeSource {
  static readonly all: FakeSource[] = []
  readyState = 0
  onmessage: ((event: { data: string }) => void) | null = null
  onopen: (() => void) | null = null
  onerror: (() => void) | null = null
  readonly url: string
  constructor(url: string) {
    this.url = url
    FakeSource.all.push(this)
  }
  open(): void {
    this.readyState = 1
    this.onopen?.()
  }
  breakOff(readyState: number): void {
    this.readyState = readyState
    this.onerror?.()
  }
  close(): void {
    this.readyState = 2
  }
}

/** One after the other, by name, as https://w3c.github.io/web-locks/ has it. */
function createLocks() {
  const queues = new Map<string, Promise<unknown>>()
  const request = (
    name: string,
    { signal }: { signal: AbortSignal },
    act: () => Promise<void>,
  ): Promise<void> => {
    const before = queues.get(name) ?? Promise.resolve()
    const mine = before.then(() => (signal.aborted ? Promise.reject(new Error('aborted')) : act()))
    queues.set(
      name,
      mine.catch(() => undefined),
    )
    return mine
  }
  return { request }
}

interface Window {
  readonly stream: EventStream
  readonly heard: string[]
}
const windows: Window[] = []
function openWindow(address = '/studio/events'): Window {
  const heard: string[] = []
  const stream = openStream(address, {
    onMessage: (data) => void heard.push(data),
    onOpen: () => void heard.push('open'),
  })
  const one = { stream, heard }
  windows.push(one)
  return one
}
const streams = (): FakeSource[] => FakeSource.all.filter(({ readyState }) => readyState !== 2)
const only = (): FakeSource => {
  const [first, ...more] = streams()
  if (first === undefined || more.length > 0) throw new Error(`there are ${streams().length} streams`)
  return first
}
const heardBy = (): string[][] => windows.map(({ heard }) => heard)

beforeEach(() => {
  vi.stubGlobal('EventSource', FakeSource)
  vi.stubGlobal('navigator', { locks: createLocks() })
})
afterEach(() => {
  for (const { stream } of windows.splice(0)) stream.close()
  FakeSource.all.length = 0
  vi.unstubAllGlobals()
})

it('is one for eight windows, each of which hears everything, those too that come later', async () => {
  for (let count = 0; count < 7; count++) openWindow()
  await vi.waitFor(() => only())
  only().open()
  await vi.waitFor(() => expect(heardBy()).toEqual(Array(7).fill(['open'])))
  const late = openWindow()
  await vi.waitFor(() => expect(late.heard).toEqual(['open']))
  only().onmessage?.({ data: 'run.progress' })
  await vi.waitFor(() => expect(heardBy()).toEqual(Array(8).fill(['open', 'run.progress'])))
  expect(windows.map(({ stream }) => stream.state())).toEqual(Array(8).fill('open'))
  expect(FakeSource.all).toHaveLength(1)
})

it('goes to another window when its own closes, which then reads what it may have missed', async () => {
  const first = openWindow()
  await vi.waitFor(() => only())
  only().open()
  const second = openWindow()
  const third = openWindow()
  await vi.waitFor(() => expect([second.heard, third.heard]).toEqual([['open'], ['open']]))
  first.stream.close()
  await vi.waitFor(() => expect(FakeSource.all).toHaveLength(2))
  await vi.waitFor(() => expect(third.stream.state()).toBe('opening'))
  only().open()
  await vi.waitFor(() =>
    expect([second.heard, third.heard]).toEqual([
      ['open', 'open'],
      ['open', 'open'],
    ]),
  )
  only().onmessage?.({ data: 'clip.updated' })
  await vi.waitFor(() => expect(third.heard).toContain('clip.updated'))
  expect(first.heard).toEqual(['open'])
})

it('is known by all to be away while it is, and by its own window to be refused', async () => {
  const first = openWindow()
  await vi.waitFor(() => only())
  const second = openWindow()
  only().open()
  await vi.waitFor(() => expect(second.stream.state()).toBe('open'))
  only().breakOff(0)
  await vi.waitFor(() =>
    expect([first, second].map(({ stream }) => stream.state())).toEqual(['opening', 'opening']),
  )
  only().open()
  await vi.waitFor(() => expect(second.heard).toEqual(['open', 'open']))
  only().breakOff(2)
  expect(first.stream.state()).toBe('refused')
  await vi.waitFor(() => expect(second.stream.state()).toBe('opening'))
})

it('is another one for another company, and for each window where there are no locks', async () => {
  openWindow('/studio/events?companyId=a')
  openWindow('/studio/events?companyId=b')
  await vi.waitFor(() => expect(streams().map(({ url }) => url.at(-1))).toEqual(['a', 'b']))
  vi.stubGlobal('navigator', {})
  openWindow()
  openWindow()
  expect(streams()).toHaveLength(4)
})
