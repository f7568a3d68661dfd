import { describe, expect, it } from 'vitest'
import {
  backoffMs,
  chooseNext,
  LEASE_MS,
  MAX_OPERATION_ATTEMPTS,
  OPERATION_KINDS,
  nextEntry,
  type Candidate,
  type Load,
  type OperationState,
  type QueueEntry,
  type QueueEvent,
} from './queue.ts'

const queued: QueueEntry = {
  kind: 'run',
  state: 'queued',
  attempts: 0,
  availableAt: 100,
  leaseOwner: null,
  leaseUntil: null,
  cancelRequested: false,
}
const running: QueueEntry = { ...queued, state: 'running', attempts: 1, leaseOwner: 'me', leaseUntil: 500 }

describe('nextEntry', () => {
  it.each<[string, QueueEntry, QueueEvent, Partial<QueueEntry> | null]>([
    [
      'claim',
      queued,
      { kind: 'claim', owner: 'me', now: 100 },
      { state: 'running', attempts: 1, leaseUntil: 100 + LEASE_MS },
    ],
    ['claim too early', queued, { kind: 'claim', owner: 'me', now: 99 }, null],
    ['claim of a running one', running, { kind: 'claim', owner: 'you', now: 900 }, null],
    ['heartbeat', running, { kind: 'heartbeat', owner: 'me', now: 200 }, { leaseUntil: 200 + LEASE_MS }],
    ['heartbeat of another', running, { kind: 'heartbeat', owner: 'you', now: 200 }, null],
    [
      'settle',
      running,
      { kind: 'settle', owner: 'me', state: 'succeeded' },
      { state: 'succeeded', leaseOwner: null },
    ],
    ['settle by another', running, { kind: 'settle', owner: 'you', state: 'failed' }, null],
    [
      'release',
      running,
      { kind: 'release', owner: 'me', now: 7 },
      { state: 'queued', attempts: 0, availableAt: 7 },
    ],
    [
      'lost',
      running,
      { kind: 'lost', by: 'lease', now: 7 },
      { state: 'queued', attempts: 1, availableAt: 7, leaseOwner: null },
    ],
    [
      'lost again',
      { ...running, attempts: 3 },
      { kind: 'lost', by: 'lease', now: 7 },
      { state: 'queued', availableAt: 2007 },
    ],
    [
      'lost again with its whole appliance',
      { ...running, attempts: 3 },
      { kind: 'lost', by: 'death', now: 7 },
      { state: 'queued', attempts: 3, availableAt: 7 },
    ],
    [
      'advance',
      { ...running, attempts: 3 },
      { kind: 'advance', owner: 'me' },
      { state: 'running', attempts: 1, leaseOwner: 'me' },
    ],
    ['advance by another', running, { kind: 'advance', owner: 'you' }, null],
    [
      'lost while cancelling',
      { ...running, cancelRequested: true },
      { kind: 'lost', by: 'lease', now: 7 },
      { state: 'cancelled' },
    ],
    ['cancel queued', queued, { kind: 'cancel' }, { state: 'cancelled' }],
    ['cancel running', running, { kind: 'cancel' }, { state: 'running', cancelRequested: true }],
  ])('%s', (_name, entry, event, expected) => {
    const result = nextEntry(entry, event)
    if (expected === null) expect(result).toBeNull()
    else {
      expect(result?.entry).toMatchObject(expected)
      expect(result?.gaveUp).toBe(false)
    }
  })

  it('gives up what was lost too often', () => {
    for (const kind of OPERATION_KINDS) {
      const entry = { ...running, kind, attempts: MAX_OPERATION_ATTEMPTS[kind] }
      expect(nextEntry(entry, { kind: 'lost', by: 'lease', now: 7 })).toMatchObject({
        gaveUp: true,
        entry: { state: 'failed' },
      })
    }
  })

  it.each<OperationState>(['succeeded', 'failed', 'cancelled'])('never leaves %s', (state) => {
    const events: QueueEvent[] = [
      { kind: 'claim', owner: 'me', now: 900 },
      { kind: 'heartbeat', owner: 'me', now: 900 },
      { kind: 'settle', owner: 'me', state: 'failed' },
      { kind: 'release', owner: 'me', now: 900 },
      { kind: 'lost', by: 'death', now: 900 },
      { kind: 'advance', owner: 'me' },
      { kind: 'cancel' },
    ]
    for (const event of events) expect(nextEntry({ ...running, state }, event)).toBeNull()
  })

  it('waits longer from try to try, up to a minute', () => {
    expect([0, 1, 2, 3, 4, 20].map(backoffMs)).toEqual([0, 0, 1000, 2000, 4000, 60_000])
  })
})

describe('chooseNext', () => {
  const candidate = (
    id: string,
    companyId: string,
    createdAt: number,
    kind: 'run' | 'render' = 'run',
  ): Candidate => ({
    id,
    companyId,
    kind,
    createdAt,
  })
  const idle: Load = { active: [], maxRuns: 2, renderConcurrency: () => 1, lastTurn: new Map() }

  it('takes the oldest when all is equal', () => {
    expect(chooseNext([candidate('b', 'x', 2), candidate('a', 'x', 1)], idle)?.id).toBe('a')
  })
  it('takes an event at once, whatever else there is, and lets nothing wait for it', () => {
    const live = { ...candidate('event', 'a', 99), kind: 'run' as const, live: true }
    const ordinary = { ...candidate('video', 'b', 1), kind: 'run' as const }
    const busy = [
      { companyId: 'b', kind: 'run' as const },
      { companyId: 'b', kind: 'run' as const },
    ]
    expect(chooseNext([ordinary, live], { ...idle, active: busy })?.id).toBe('event')
    expect(chooseNext([ordinary], { ...idle, active: busy })).toBeNull()
    const events = [
      { companyId: 'a', kind: 'run' as const, live: true },
      { companyId: 'a', kind: 'run' as const, live: true },
    ]
    expect(chooseNext([ordinary], { ...idle, active: events })?.id).toBe('video')
  })
  it('takes turns between companies, however many one has queued', () => {
    const queue = [candidate('a1', 'a', 1), candidate('a2', 'a', 2), candidate('b1', 'b', 9)]
    const load: Load = { ...idle, lastTurn: new Map([['a', 1]]) }
    expect(chooseNext(queue, load)?.id).toBe('b1')
    expect(
      chooseNext(queue, {
        ...load,
        lastTurn: new Map([
          ['a', 1],
          ['b', 2],
        ]),
      })?.id,
    ).toBe('a1')
  })
  it('prefers the company with less going on', () => {
    const load: Load = { ...idle, active: [{ companyId: 'a', kind: 'run' }], lastTurn: new Map([['b', 5]]) }
    expect(chooseNext([candidate('a1', 'a', 1), candidate('b1', 'b', 9)], load)?.id).toBe('b1')
  })
  it('takes renders before runs, and past the limit of runs', () => {
    const load: Load = {
      ...idle,
      active: [
        { companyId: 'a', kind: 'run' },
        { companyId: 'a', kind: 'run' },
      ],
    }
    expect(chooseNext([candidate('a1', 'a', 1), candidate('r', 'a', 9, 'render')], load)?.id).toBe('r')
    expect(chooseNext([candidate('a1', 'a', 1)], load)).toBeNull()
  })
  it('keeps to a company’s render limit', () => {
    const load: Load = { ...idle, active: [{ companyId: 'a', kind: 'render' }] }
    expect(chooseNext([candidate('r', 'a', 1, 'render')], load)).toBeNull()
    expect(chooseNext([candidate('r', 'a', 1, 'render')], { ...load, renderConcurrency: () => 2 })?.id).toBe(
      'r',
    )
  })
})
