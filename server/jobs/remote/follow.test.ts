import { describe, expect, it } from 'vitest'
import { type Channel, follow, type Ended } from './channel.ts'

/** What a queue says of the task, one after the other; the last for ever. */
interface Told {
  readonly state: string
  readonly attemptsStarted: number
  readonly returnvalue: unknown
  readonly failedReason?: string
}

const ACTIVE: Told = { state: 'active', attemptsStarted: 1, returnvalue: null }
const COMPLETED: Told = { state: 'completed', attemptsStarted: 1, returnvalue: { ok: true } }
const FAILED: Told = {
  state: 'failed',
  attemptsStarted: 1,
  returnvalue: null,
  failedReason: 'the disk is full',
}

/** Each question is answered by what is so then: the task goes on between any two of them. */
function channelOf(...course: readonly Told[]): Channel {
  let asked = -1
  const now = (): Told => course[Math.min((asked += 1), course.length - 1)] ?? COMPLETED
  const queue = {
    getJobState: () => Promise.resolve(now().state),
    getJob: () => Promise.resolve({ ...now(), getState: () => Promise.resolve(now().state) }),
  }
  return { queue, followers: new Map() } as unknown as Channel
}

async function followed(...course: readonly Told[]): Promise<{ ended: Ended; starts: number }> {
  let starts = 0
  const ended = await follow(channelOf(...course), {
    key: 'k',
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onIdle: () => Promise.resolve(),
    lookEveryMs: 1,
    longestHoldMs: 60_000,
    begin: () => {
      starts += 1
      return null
    },
  })
  return { ended, starts }
}

describe('a task on a node is followed to its end', () => {
  it('and has what it ended with, at whatever moment of a look it ends', async () => {
    for (const before of [0, 1, 2, 3, 4, 5]) {
      const course = [...Array.from({ length: before }, () => ACTIVE), COMPLETED]
      expect([before, await followed(...course)]).toEqual([
        before,
        { ended: { kind: 'ended', end: { ok: true } }, starts: 1 },
      ])
    }
  })

  it('and why it failed, likewise', async () => {
    for (const before of [0, 1, 2, 3, 4, 5]) {
      const course = [...Array.from({ length: before }, () => ACTIVE), FAILED]
      expect([before, await followed(...course)]).toEqual([
        before,
        { ended: { kind: 'broken', reason: 'the disk is full' }, starts: 1 },
      ])
    }
  })
})
