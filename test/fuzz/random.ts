/** Seeded randomness: the same seed makes the same requests, so that a finding can be had again. */

export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number
  /** From 0 up to, not including, `below`. */
  below(below: number): number
  chance(share: number): boolean
  pick<T>(from: readonly T[]): T
}

/** Mulberry32: small, and good enough to choose with. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: <T>(from: readonly T[]): T => {
      if (from.length === 0) throw new Error('there is nothing to pick from')
      return from[below(from.length)] as T
    },
  }
}
