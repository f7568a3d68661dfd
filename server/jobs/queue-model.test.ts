/**
 * The queue's table under everything that can happen to it: two owners, a clock that jumps, and a death at every step.
 * A world here is one entry, and what each owner believes of it: an owner that was dead or asleep believes what was true
 * before.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  LEASE_MS,
  MAX_OPERATION_ATTEMPTS,
  nextEntry,
  type QueueEntry,
  type QueueEvent,
  type QueueKind,
} from './queue.ts'

const OWNERS = ['left', 'right'] as const
type Owner = (typeof OWNERS)[number]
const TERMINAL = new Set(['succeeded', 'failed', 'cancelled'])

/** What happens next: an event, a jump of the clock, or an owner that dies and forgets what it holds. */
type Step =
  | { readonly do: 'event'; readonly event: (now: number) => QueueEvent; readonly name: string }
  | { readonly do: 'wait'; readonly milliseconds: number }
  | { readonly do: 'die'; readonly owner: Owner }

const owner = fc.constantFrom(...OWNERS)
const byOwner = (kind: 'claim' | 'heartbeat' | 'release' | 'advance') =>
  owner.map((who): Step => ({
    do: 'event',
    event: (now) => ({ kind, owner: who, now }),
    name: `${kind} ${who}`,
  }))
const settle = fc
  .tuple(owner, fc.constantFrom('succeeded', 'failed', 'cancelled'))
  .map(([who, state]): Step => ({
    do: 'event',
    event: () => ({ kind: 'settle', owner: who, state: state as 'succeeded' }),
    name: `settle ${who} ${state}`,
  }))
const cause = fc.constantFrom('death', 'lease')
const lost = cause.map((by): Step => ({
  do: 'event',
  event: (now) => ({ kind: 'lost', by, now }),
  name: `lost by ${by}`,
}))
const requeue = fc.constant<Step>({
  do: 'event',
  event: (now) => ({ kind: 'requeue', now }),
  name: 'requeue',
})
const revive = fc.constant<Step>({ do: 'event', event: (now) => ({ kind: 'revive', now }), name: 'revive' })
const cancel = fc.constant<Step>({ do: 'event', event: () => ({ kind: 'cancel' }), name: 'cancel' })
const wait = fc
  .oneof(fc.integer({ min: 0, max: 3 * LEASE_MS }), fc.constantFrom(-60_000, 86_400_000))
  .map((milliseconds): Step => ({ do: 'wait', milliseconds }))
const die = owner.map((who): Step => ({ do: 'die', owner: who }))
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: byOwner('claim') },
    { weight: 2, arbitrary: byOwner('heartbeat') },
    { weight: 1, arbitrary: byOwner('release') },
    { weight: 1, arbitrary: byOwner('advance') },
    { weight: 2, arbitrary: settle },
    { weight: 4, arbitrary: lost },
    { weight: 1, arbitrary: requeue },
    { weight: 1, arbitrary: cancel },
    { weight: 1, arbitrary: revive },
    { weight: 3, arbitrary: wait },
    { weight: 2, arbitrary: die },
  ),
  { maxLength: 120 },
)
const kind = fc.constantFrom<QueueKind>('run', 'render', 'thumbnail', 'dispatch')

const fresh = (of: QueueKind): QueueEntry => ({
  kind: of,
  state: 'queued',
  attempts: 0,
  availableAt: 0,
  leaseOwner: null,
  leaseUntil: null,
  cancelRequested: false,
})

/** Everything that is true of one entry at any moment. */
function expectSound(entry: QueueEntry): void {
  const held = entry.state === 'running'
  expect([entry.leaseOwner !== null, entry.leaseUntil !== null]).toEqual([held, held])
  expect(entry.attempts).toBeGreaterThanOrEqual(0)
  expect(entry.attempts).toBeLessThanOrEqual(MAX_OPERATION_ATTEMPTS[entry.kind])
}

/** What may follow what; everything else is refused. */
const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  queued: ['queued', 'running', 'cancelled'],
  running: ['running', 'queued', 'succeeded', 'failed', 'cancelled'],
  failed: ['queued'],
}

describe('the queue, whatever happens', () => {
  it('never has two holders, never loses an entry, never leaves an end, and tries a bounded number of times', () => {
    fc.assert(
      fc.property(kind, steps, (of, happened) => {
        let entry = fresh(of)
        let now = 1000
        const believes = new Set<Owner>()
        let starts = 0
        let releases = 0
        for (const step of happened) {
          if (step.do === 'wait') {
            now += step.milliseconds
            continue
          }
          if (step.do === 'die') {
            believes.delete(step.owner)
            continue
          }
          const event = step.event(now)
          // Whoever recovers does so only when the lease ran out, or when the holder is known to be dead.
          const alive = entry.leaseOwner !== null && believes.has(entry.leaseOwner as Owner)
          if (event.kind === 'lost' && alive && (entry.leaseUntil ?? 0) >= now) continue
          const before = entry
          const next = nextEntry(before, event)
          // Only a person leaves an end, and only that of a dispatch.
          const revived = event.kind === 'revive' && of === 'dispatch' && before.state === 'failed'
          if (event.kind === 'revive') expect(next !== null).toBe(revived)
          else if (TERMINAL.has(before.state)) expect(next, step.name).toBeNull()
          if (revived) [starts, releases] = [0, 0]
          if (next === null) {
            // Refused: nobody who does not hold it changes anything.
            if ('owner' in event && event.kind !== 'claim') believes.delete(event.owner as Owner)
            continue
          }
          entry = next.entry
          expect(FOLLOWS[before.state], step.name).toContain(entry.state)
          expectSound(entry)
          if (event.kind === 'claim') {
            expect(before.leaseOwner).toBeNull()
            starts += 1
            believes.add(event.owner as Owner)
          }
          if ('owner' in event && event.kind !== 'claim') expect(before.leaseOwner).toBe(event.owner)
          // It came further: attempts count from this one.
          if (event.kind === 'advance') [starts, releases] = [1, 0]
          if (event.kind === 'release') releases += 1
          if (next.gaveUp)
            expect([entry.state, entry.attempts]).toEqual(['failed', MAX_OPERATION_ATTEMPTS[of]])
          if (event.kind === 'settle') believes.delete(event.owner as Owner)
        }
        expect(starts - releases).toBeLessThanOrEqual(MAX_OPERATION_ATTEMPTS[of])
        // Not lost: whatever it is in now, it comes to an end.
        if (entry.state === 'running')
          entry = nextEntry(entry, { kind: 'lost', by: 'lease', now })?.entry ?? entry
        if (entry.state === 'queued') {
          const later = Math.max(now, entry.availableAt)
          const claimed = nextEntry(entry, { kind: 'claim', owner: 'left', now: later })?.entry
          expect(claimed?.leaseOwner).toBe('left')
          const settled = nextEntry(claimed ?? entry, { kind: 'settle', owner: 'left', state: 'succeeded' })
          expect(settled?.entry.state).toBe('succeeded')
        } else expect(TERMINAL.has(entry.state)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('ends after a bounded number of deaths, one at every step of every attempt', () => {
    fc.assert(
      fc.property(kind, cause, fc.array(fc.nat(3), { minLength: 25, maxLength: 25 }), (of, by, deaths) => {
        let entry = fresh(of)
        let now = 0
        let attempts = 0
        for (const beats of deaths) {
          if (entry.state !== 'queued') break
          now = Math.max(now, entry.availableAt)
          const claimed = nextEntry(entry, { kind: 'claim', owner: 'left', now })
          entry = claimed?.entry ?? entry
          attempts += 1
          for (let beat = 0; beat < beats; beat++) {
            now += LEASE_MS / 3
            entry = nextEntry(entry, { kind: 'heartbeat', owner: 'left', now })?.entry ?? entry
          }
          // It dies here, and somebody finds the lease that ran out.
          now = (entry.leaseUntil ?? now) + 1
          entry = nextEntry(entry, { kind: 'lost', by, now })?.entry ?? entry
          expectSound(entry)
        }
        expect([entry.state, attempts]).toEqual(['failed', MAX_OPERATION_ATTEMPTS[of]])
      }),
    )
  })

  it('goes on through any number of deaths while each life comes further', () => {
    let entry = fresh('render')
    for (let life = 1; life <= 500; life += 1) {
      entry = nextEntry(entry, { kind: 'claim', owner: 'left', now: life })?.entry ?? entry
      entry = nextEntry(entry, { kind: 'advance', owner: 'left' })?.entry ?? entry
      entry = nextEntry(entry, { kind: 'lost', by: 'death', now: life })?.entry ?? entry
      expect(entry).toMatchObject({ state: 'queued', attempts: 1, availableAt: life })
    }
  })

  it('a holder that was thought dead can change nothing when it wakes', () => {
    fc.assert(
      fc.property(kind, fc.boolean(), fc.integer({ min: 0, max: 10 * LEASE_MS }), (of, taken, later) => {
        const claimed = nextEntry(fresh(of), { kind: 'claim', owner: 'left', now: 0 })?.entry
        const gone =
          nextEntry(claimed ?? fresh(of), { kind: 'lost', by: 'lease', now: LEASE_MS + 1 })?.entry ??
          fresh(of)
        const now = LEASE_MS + 1 + later
        const entry = taken ? (nextEntry(gone, { kind: 'claim', owner: 'right', now })?.entry ?? gone) : gone
        for (const event of [
          { kind: 'heartbeat', owner: 'left', now },
          { kind: 'settle', owner: 'left', state: 'succeeded' },
          { kind: 'release', owner: 'left', now },
          { kind: 'advance', owner: 'left' },
        ] as const)
          expect(nextEntry(entry, event)).toBeNull()
      }),
    )
  })

  it('asked for again, ends a pause and does nothing else', () => {
    const waiting = { ...fresh('run'), attempts: 3, availableAt: 5000 }
    expect(nextEntry(waiting, { kind: 'requeue', now: 100 })?.entry).toEqual({ ...waiting, availableAt: 100 })
    expect(nextEntry(waiting, { kind: 'requeue', now: 9000 })?.entry).toEqual(waiting)
    const running = nextEntry(fresh('run'), { kind: 'claim', owner: 'left', now: 0 })?.entry ?? waiting
    expect(nextEntry(running, { kind: 'requeue', now: 9000 })).toBeNull()
  })
})
