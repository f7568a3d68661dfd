/** How long the fault tests go on: some seconds with `npm test`, hundreds of rounds by `CUTROOM_FAULTS=long npm run faults`. */
const text = (name: string): string => process.env[name] ?? ''

export const LONG = text('CUTROOM_FAULTS') === 'long'

const REQUESTED_KIND = Number(text('CUTROOM_FAULTS_ROUNDS'))

/** Whether more was requested than what runs with every test run. */
export const ASKED = LONG || REQUESTED_KIND > 0

/** Rounds of one kind, where they were requested; CUTROOM_FAULTS_ROUNDS sets another number for all of them. */
export const rounds = (long: number): number => (REQUESTED_KIND > 0 ? REQUESTED_KIND : LONG ? long : 1)

/** Chance that can be had again: 0 to 1, by mulberry32 of a seed, which a failure names. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
