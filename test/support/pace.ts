/** How fast this machine is just now: what tests of time hold their limits to. */

/** What `work` takes a processor of 2024 that does nothing else, in milliseconds. */
const USUAL_MS = 6
const ROUNDS = 5

let kept = 0

/** Strings, maps and sorting, as the code under test does: numbers alone would be a loop that engines leave out. */
function work(): void {
  const words = Array.from({ length: 20_000 }, (_, at) => `w${(at * 7919) % 5003}`)
  const seen = new Map<string, number>()
  for (const word of words) seen.set(word, (seen.get(word) ?? 0) + 1)
  kept += [...seen].sort(([a], [b]) => (a < b ? -1 : 1)).length
}

/**
 * How many times slower than usual this machine is, 1 at least: the median of five rounds of the same small work. Limits of
 * tests are multiplied by it, because a shared machine that is busy is no defect of what is tested.
 */
export function measureSlowness(): number {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now()
    work()
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  if (kept === 0) throw new Error('the floor did no work')
  return Math.max(1, (times[Math.floor(ROUNDS / 2)] ?? USUAL_MS) / USUAL_MS)
}
