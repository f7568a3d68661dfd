/**
 * Who speaks at each step, from how much likelier it is of each state than of none. PURE.
 *
 * The best path is Viterbi's over states that last for a least number of steps; the probabilities are those of the
 * forward-backward algorithm (Rabiner 1989).
 */

/** Gains of one state by step; the state of nobody has none. */
export type Gains = readonly (readonly number[])[]

/**
 * The state of each step, -1 for nobody, so that no state lasts for less than `least` steps (unless there are fewer).
 * Each change costs `cost`.
 */
export function findBestPath(
  gains: Gains,
  steps: number,
  { cost, least }: { cost: number; least: number },
): number[] {
  const states = gains.length + 1
  const shortest = Math.max(1, Math.min(least, steps))
  const sums = Array.from({ length: states }, (_, state) => sumUp(gains[state - 1], steps))
  const sumOf = (state: number, from: number, to: number): number =>
    (sums[state]?.[to] ?? 0) - (sums[state]?.[from] ?? 0)
  /** Best of all paths up to a step that end in a state which has lasted long enough, and where its stretch began. */
  const best: number[][] = []
  const began: number[][] = []
  for (let end = shortest; end <= steps; end += 1) {
    const before = best[end - 1]
    const ended = best[end - shortest]
    const row: number[] = []
    const starts: number[] = []
    for (let state = 0; state < states; state += 1) {
      const goneOn = (before?.[state] ?? -Infinity) + sumOf(state, end - 1, end)
      const other = ended === undefined ? -Infinity : bestOther(ended, state) - cost
      const from = end === shortest ? 0 : other
      const fresh = from + sumOf(state, end - shortest, end)
      row.push(Math.max(goneOn, fresh))
      starts.push(goneOn >= fresh ? (began[end - 1]?.[state] ?? 0) : end - shortest)
    }
    best[end] = row
    began[end] = starts
  }
  const path = new Array<number>(steps).fill(-1)
  let end = steps
  let state = highest(best[steps] ?? [0])
  while (end > 0) {
    const start = began[end]?.[state] ?? 0
    path.fill(state - 1, start, end)
    end = start
    const previous = best[end]
    if (end > 0 && previous !== undefined) state = otherState(previous, state)
  }
  return path
}

function sumUp(gains: readonly number[] | undefined, steps: number): Float64Array {
  const sums = new Float64Array(steps + 1)
  for (let step = 0; step < steps; step += 1) sums[step + 1] = (sums[step] ?? 0) + (gains?.[step] ?? 0)
  return sums
}

const highest = (values: readonly number[]): number => values.indexOf(Math.max(...values))

const otherState = (values: readonly number[], state: number): number =>
  highest(values.map((value, at) => (at === state ? -Infinity : value)))

const bestOther = (values: readonly number[], state: number): number =>
  values[otherState(values, state)] ?? -Infinity

/** The probability of each state by step, that of nobody first. `change`: the probability of a change in one step. */
export function findPosteriors(gains: Gains, steps: number, change: number): number[][] {
  const states = gains.length + 1
  const stay = 1 - change
  const move = states > 1 ? change / (states - 1) : 0
  const emission = (state: number, step: number): number => Math.exp(gains[state - 1]?.[step] ?? 0)
  const spread = (values: readonly number[]): number[] => {
    const sum = values.reduce((total, value) => total + value, 0)
    return values.map((value) => stay * value + move * (sum - value))
  }
  const normal = (values: readonly number[]): number[] => {
    const sum = values.reduce((total, value) => total + value, 0)
    return values.map((value) => value / sum)
  }
  const each = (value: (state: number) => number): number[] =>
    Array.from({ length: states }, (_, at) => value(at))
  const forward: number[][] = []
  let last = each(() => 1 / states)
  for (let step = 0; step < steps; step += 1) {
    const arriving = step === 0 ? last : spread(last)
    last = normal(arriving.map((value, state) => value * emission(state, step)))
    forward.push(last)
  }
  let after = each(() => 1)
  for (let step = steps - 1; step >= 0; step -= 1) {
    const here = forward[step] ?? []
    forward[step] = normal(here.map((value, state) => value * (after[state] ?? 0)))
    after = normal(spread(after.map((value, state) => value * emission(state, step))))
  }
  return forward
}
