import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ACTION_DEADLINE_MS,
  ACTION_LEASE_MS,
  actionBackoffMs,
  MAX_ACTION_ATTEMPTS,
  nextAction,
  type ActionEntry,
  type ActionEvent,
  isListed,
  nextPostState,
  POST_EVENTS,
  POST_STATES,
  type PostState,
} from './action-rules.ts'

describe('a post', () => {
  it('goes these ways and no others', () => {
    const ways = POST_STATES.flatMap((state) =>
      POST_EVENTS.flatMap((event) => {
        const next = nextPostState(state, event)
        return next === null ? [] : [`${state} ${event} ${next}`]
      }),
    )
    expect(ways).toEqual([
      'draft edit draft',
      'draft delete gone',
      'draft publish publishing',
      'draft schedule scheduled',
      'scheduled edit draft',
      'scheduled begin publishing',
      'scheduled failed error',
      'scheduled cancelled cancelled',
      'publishing begin publishing',
      'publishing published success',
      'publishing failed error',
      'publishing cancelled cancelled',
      'success cancelled cancelled',
      'error edit draft',
      'error publish publishing',
      'error schedule scheduled',
    ])
  })

  it('whatever happens: never out without an approval in between, never back from out to anything but cancelled', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...POST_EVENTS), { maxLength: 40 }), (events) => {
        let state: PostState = 'draft'
        let leave = false
        for (const event of events) {
          const next = nextPostState(state, event)
          if (next === null) continue
          if (next === 'gone') {
            expect(state).toBe('draft')
            return
          }
          if (event === 'publish' || event === 'schedule') leave = true
          if (event === 'edit') leave = false
          if (next === 'publishing' || next === 'success' || next === 'scheduled') expect(leave).toBe(true)
          if (state === 'success') expect(next).toBe('cancelled')
          expect(state).not.toBe('cancelled')
          if (next === 'error') leave = false
          state = next
        }
        expect(isListed(state)).toBe(state === 'success' || state === 'error')
      }),
      { numRuns: 2000 },
    )
  })
})

const FRESH: ActionEntry = {
  state: 'queued',
  attempts: 0,
  availableAt: 1000,
  cancelRequested: false,
  startedAt: null,
  leaseOwner: null,
  leaseUntil: null,
}

interface Move {
  readonly kind: ActionEvent['kind']
  readonly owner: 'a' | 'b'
  readonly passes: number
  readonly afterMs: number
  readonly flag: boolean
}

const move: fc.Arbitrary<Move> = fc.record({
  kind: fc.constantFrom<ActionEvent['kind'][]>(
    'claim' as const,
    'claim' as const,
    'heartbeat' as const,
    'settle' as const,
    'later' as const,
    'retry' as const,
    'release' as const,
    'lost' as const,
    'cancel' as const,
    'doubt',
  ),
  owner: fc.constantFrom('a', 'b'),
  passes: fc.nat(90_000),
  afterMs: fc.nat(600_000),
  flag: fc.boolean(),
})

function eventOf({ kind, owner, afterMs, flag }: Move, now: number): ActionEvent {
  switch (kind) {
    case 'claim':
    case 'heartbeat':
    case 'release':
      return { kind, owner, now }
    case 'settle':
      return { kind, owner, state: flag ? 'succeeded' : 'failed' }
    case 'later':
    case 'retry':
      return { kind, owner, now, afterMs }
    case 'lost':
      return { kind, now }
    case 'cancel':
      return { kind, now, touched: flag }
    case 'doubt':
      return { kind }
  }
}

describe('an action of the outbox', () => {
  it('is held by one at a time, not before its moment, and ends for good, with crashes at every step', () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 80 }), (moves) => {
        let entry = FRESH
        let now = 0
        for (const one of moves) {
          now += one.passes
          const event = eventOf(one, now)
          const next = nextAction(entry, event)
          const ended = entry.state !== 'queued' && entry.state !== 'running'
          if (ended) {
            expect(next).toBeNull()
            continue
          }
          if (next === null) continue
          const after = next.entry
          if (event.kind === 'claim') {
            expect(entry.state).toBe('queued')
            expect(entry.availableAt).toBeLessThanOrEqual(now)
            expect(after.leaseUntil).toBe(now + ACTION_LEASE_MS)
          }
          // Only the holder moves it, unless its lease has run out.
          if (entry.state === 'running' && event.kind === 'lost')
            expect(entry.leaseUntil).toBeLessThanOrEqual(now)
          if (entry.state === 'running' && 'owner' in event) expect(event.owner).toBe(entry.leaseOwner)
          expect((after.state === 'running') === (after.leaseOwner !== null)).toBe(true)
          expect(after.attempts).toBeLessThanOrEqual(MAX_ACTION_ATTEMPTS)
          expect(after.attempts).toBeGreaterThanOrEqual(0)
          if (next.gaveUp) expect(after.state).toBe('failed')
          if (after.state === 'queued' && after.startedAt !== null)
            expect(after.availableAt - after.startedAt).toBeLessThanOrEqual(
              Math.max(ACTION_DEADLINE_MS, now - after.startedAt),
            )
          entry = after
        }
      }),
      { numRuns: 3000 },
    )
  })

  it('is given up after ten faults, or after a day of waiting, whichever comes first', () => {
    const run = (kind: 'retry' | 'later' | 'lost', afterMs: number) => {
      let entry = FRESH
      let now = FRESH.availableAt
      for (let tries = 1; tries < 10_000; tries++) {
        entry = nextAction(entry, { kind: 'claim', owner: 'a', now })?.entry ?? entry
        if (kind === 'lost') now += ACTION_LEASE_MS
        const event = kind === 'lost' ? { kind, now } : { kind, owner: 'a', now, afterMs }
        const next = nextAction(entry, event)
        if (next?.gaveUp === true) return { tries, hours: (now - FRESH.availableAt) / 3_600_000 }
        entry = next?.entry ?? entry
        now = entry.availableAt
      }
      return null
    }
    expect(run('retry', 1000)?.tries).toBe(10)
    expect(run('lost', 0)?.tries).toBe(10)
    expect(run('later', 3_600_000)).toEqual({ tries: 25, hours: 24 })
    expect(Array.from({ length: 9 }, (_, n) => actionBackoffMs(n + 1) / 1000)).toEqual([
      5, 10, 20, 40, 80, 160, 320, 640, 900,
    ])
  })

  it('is stopped at once when nothing of it was sent, and looked up first when something may have been', () => {
    const touched = nextAction({ ...FRESH, availableAt: 9000 }, { kind: 'cancel', now: 5, touched: true })
    expect(touched?.entry).toMatchObject({ state: 'queued', cancelRequested: true, availableAt: 5 })
    expect(nextAction(FRESH, { kind: 'cancel', now: 5, touched: false })?.entry.state).toBe('cancelled')
  })
})
