import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { follow } from './live.ts'

/** As a browser's, driven by the test. */
class FakeSource {
  static readonly OPEN = 1
  static readonly CLOSED = 2
  static readonly all: FakeSource[] = []
  readyState = 0
  onmessage: ((event: { data: string }) => void) | null = null
  onopen: (() => void) | null = null
  readonly url: string
  constructor(url: string) {
    this.url = url
    FakeSource.all.push(this)
  }
  opened(): void {
    this.readyState = FakeSource.OPEN
    this.onopen?.()
  }
  says(type: string): void {
    this.onmessage?.({ data: JSON.stringify({ type }) })
  }
  close(): void {
    this.readyState = FakeSource.CLOSED
  }
}

/** The page, in sight or not. */
class FakeDocument extends EventTarget {
  hidden = false
  listeners = 0
  override addEventListener(...what: Parameters<EventTarget['addEventListener']>): void {
    this.listeners += 1
    super.addEventListener(...what)
  }
  override removeEventListener(...what: Parameters<EventTarget['removeEventListener']>): void {
    this.listeners -= 1
    super.removeEventListener(...what)
  }
  turn(hidden: boolean): void {
    this.hidden = hidden
    this.dispatchEvent(new Event('visibilitychange'))
  }
}
let page: FakeDocument

const begun: (() => void)[] = []
function following(type: string) {
  const listener = vi.fn()
  const stop = follow((message) => message.type.startsWith(type), listener)
  begun.push(stop)
  return { listener, stop }
}
const streams = () => FakeSource.all.filter(({ readyState }) => readyState !== FakeSource.CLOSED)

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', FakeSource)
  // Without locks, as a page by plain http from another machine: a stream of its own (shared-stream.test.ts has the others).
  vi.stubGlobal('navigator', {})
  page = new FakeDocument()
  vi.stubGlobal('document', page)
})
afterEach(() => {
  for (const stop of begun.splice(0)) stop()
  expect([vi.getTimerCount(), page.listeners]).toEqual([0, 0])
  FakeSource.all.length = 0
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('is one stream for all who follow, each of whom hears what concerns them, once for what comes together', () => {
  const runs = following('run')
  const posts = following('post')
  expect(FakeSource.all.map(({ url }) => url)).toEqual(['/studio/events'])
  FakeSource.all[0]?.opened()
  vi.advanceTimersByTime(250)
  expect([runs.listener, posts.listener].map(({ mock }) => mock.calls.length)).toEqual([2, 2])
  FakeSource.all[0]?.says('run.progress')
  FakeSource.all[0]?.says('run.progress')
  vi.advanceTimersByTime(250)
  expect([runs.listener, posts.listener].map(({ mock }) => mock.calls.length)).toEqual([3, 2])
})

it('is closed when the last has left, and opened anew for the next', () => {
  const runs = following('run')
  const posts = following('post')
  runs.stop()
  runs.stop()
  expect(streams()).toHaveLength(1)
  posts.stop()
  expect(streams()).toHaveLength(0)
  following('clip')
  expect([FakeSource.all.length, streams().length]).toEqual([2, 1])
})

it('tells all of them when it is there again, and asks for them while it is not', () => {
  const runs = following('run')
  const posts = following('post')
  const calls = () => [runs.listener, posts.listener].map(({ mock }) => mock.calls.length)
  vi.advanceTimersByTime(5000)
  expect(calls()).toEqual([2, 2])
  FakeSource.all[0]?.opened()
  vi.advanceTimersByTime(5000)
  expect(calls()).toEqual([3, 3])
})

it('is opened anew where the browser has given it up', () => {
  const runs = following('run')
  FakeSource.all[0]?.close()
  vi.advanceTimersByTime(5000)
  expect([FakeSource.all.length, runs.listener.mock.calls.length]).toEqual([2, 2])
  FakeSource.all[1]?.close()
  following('post')
  expect(streams()).toHaveLength(1)
})

it('holds no connection while the page is out of sight, and reads what was missed when it is back', () => {
  const runs = following('run')
  const calls = () => runs.listener.mock.calls.length
  FakeSource.all[0]?.opened()
  vi.advanceTimersByTime(250)
  expect(calls()).toBe(2)
  page.turn(true)
  expect(streams()).toHaveLength(0)
  vi.advanceTimersByTime(60_000)
  expect([streams().length, calls()]).toEqual([0, 2])
  page.turn(false)
  expect(streams()).toHaveLength(1)
  FakeSource.all[1]?.opened()
  vi.advanceTimersByTime(250)
  expect(calls()).toBe(3)
  // Seen once more, with nothing in between: it has its stream.
  page.turn(false)
  expect(streams()).toHaveLength(1)
})

it('asks once for what a page shows that was opened out of sight, and follows it when it is looked at', () => {
  page.hidden = true
  const runs = following('run')
  vi.advanceTimersByTime(60_000)
  expect([streams().length, runs.listener.mock.calls.length]).toEqual([0, 1])
  page.turn(false)
  expect(streams()).toHaveLength(1)
  vi.advanceTimersByTime(5000)
  expect(runs.listener.mock.calls.length).toBe(2)
})
