/**
 * A home at random damages: its database, log, originals, key, mark or backups zeroed, cut, flipped, removed, exchanged.
 * Never is it begun anew in silence, never goes an original that is wanted, and no unsound backup is taken. 200 of them,
 * with their outcomes as a table: `npm run faults:damages`.
 */
import { expect, it } from 'vitest'
import { damageHomes } from './support/damaged-homes.ts'
import { ASKED, rounds } from './support/long.ts'

const ROUNDS = ASKED ? rounds(200) : 20

it(`survives ${ROUNDS} random damages: refused with a way back, or as it was`, async () => {
  const played = await damageHomes(ROUNDS)
  expect(played.filter(({ faults }) => faults.length > 0)).toEqual([])
  const outcomes = played.map(({ outcome }) => outcome)
  for (const seen of [/^refused/, /^started with all/, /refused; the next backup is whole/])
    expect(outcomes.some((outcome) => seen.test(outcome))).toBe(true)
}, 3_600_000)
