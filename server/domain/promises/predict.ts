/**
 * PURE: when work that waits or goes on will be done, by how long such work took on this machine. Times are milliseconds.
 *
 * Whatever goes on at once shares the machine: companies equally, and each company's pieces of work equally. `n` of them get
 * n to the power of `gain` times as much done as one alone. So a cost is what a piece of work would take alone.
 */

export type PromisedKind = 'run' | 'render'

/** A piece of work that has ended well, with what it took. */
export interface EndedWork {
  readonly kind: PromisedKind
  readonly companyId: string
  /** Null: a render, or unknown. */
  readonly workflowId: string | null
  /** Length of its source, or of its clip. */
  readonly mediaSeconds: number
  readonly startedAt: number
  readonly endedAt: number
}

export interface OpenWork {
  readonly id: string
  readonly kind: PromisedKind
  readonly companyId: string
  readonly workflowId: string | null
  /** Null while it is unknown. */
  readonly mediaSeconds: number | null
  readonly isRunning: boolean
  readonly createdAt: number
  /** Share of its own cost that is behind it, 0 to 1. */
  readonly done: number
}

interface Cost extends EndedWork {
  readonly costMs: number
}

export interface Costs {
  /** Newest first. */
  readonly costs: readonly Cost[]
  readonly gain: number
}

/** Gains that are tried: 0, one at a time is as good as all at once, to 0.8, almost as if each were alone. */
const GAINS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]

interface Sharing {
  readonly companyId: string
}

/** What a piece of work gets done in a millisecond while all of `active` go on, itself among them. */
function speedOf(work: Sharing, active: readonly Sharing[], gain: number): number {
  const companies = new Set(active.map(({ companyId }) => companyId)).size
  const own = active.filter(({ companyId }) => companyId === work.companyId).length
  return active.length ** gain / (companies * own)
}

/** What each of them would have taken alone. Newest first, as `ended` is. */
function costsAt(ended: readonly EndedWork[], gain: number): Cost[] {
  const moments = [...new Set(ended.flatMap(({ startedAt, endedAt }) => [startedAt, endedAt]))].sort(
    (a, b) => a - b,
  )
  const costMs = ended.map(() => 0)
  for (const [at, from] of moments.slice(0, -1).entries()) {
    const to = moments[at + 1] ?? from
    const active = ended.filter(({ startedAt, endedAt }) => startedAt <= from && endedAt >= to)
    for (const [place, work] of ended.entries()) {
      if (active.includes(work))
        costMs[place] = (costMs[place] ?? 0) + (to - from) * speedOf(work, active, gain)
    }
  }
  return ended.map((work, place) => ({ ...work, costMs: costMs[place] ?? 0 }))
}

/**
 * What was measured, with the gain under which work of one kind costs most nearly the same for each second of media, however
 * much went on beside it. Where that says nothing (always as much at once), the middle of what is tried.
 */
export function measureCosts(ended: readonly EndedWork[]): Costs {
  const usable = ended.filter((work) => work.endedAt > work.startedAt && work.mediaSeconds > 0)
  const tried = GAINS.map((gain) => ({ gain, costs: costsAt(usable, gain) }))
  const spread = ({ costs }: { costs: readonly Cost[] }) => {
    const rates = (['run', 'render'] as const).flatMap((kind) => {
      const logs = costs
        .filter((cost) => cost.kind === kind)
        .map(({ costMs, mediaSeconds }) => Math.log(costMs / mediaSeconds))
      const middle = quantile(logs, 0.5) ?? 0
      return logs.map((log) => Math.abs(log - middle))
    })
    return rates.reduce((sum, rate) => sum + rate, 0)
  }
  const spreads = tried.map(spread)
  const isTelling = Math.max(...spreads) - Math.min(...spreads) > 0.05 * Math.max(1, usable.length)
  const best = isTelling ? spreads.indexOf(Math.min(...spreads)) : Math.floor(GAINS.length / 2)
  const { gain, costs } = tried[best] ?? { gain: 0, costs: [] }
  return { costs, gain }
}

/** The value below which this share of them lies; null of none. */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null
}

/** Weight of work through another workflow, which does other things. */
const OTHER_WORKFLOW = 0.1
/** Of each piece of work against the one that ended after it: machines and models change. */
const OLDER = 0.95

/** What a piece of work would take alone: the weighted median of what such work took; null: there was none. */
export function expectedCost(work: OpenWork, { costs }: Costs): number | null {
  const { mediaSeconds } = work
  const alike = costs.filter(({ kind }) => kind === work.kind)
  const weighed = alike.map((cost, age) => {
    const seconds = mediaSeconds ?? cost.mediaSeconds
    // What takes the same time for any length weighs less on long media: like is compared with like.
    const likeness = Math.exp(-2 * Math.abs(Math.log(seconds / cost.mediaSeconds)))
    const weight = likeness * OLDER ** age * (cost.workflowId === work.workflowId ? 1 : OTHER_WORKFLOW)
    return { costMs: (cost.costMs * seconds) / cost.mediaSeconds, weight }
  })
  weighed.sort((a, b) => a.costMs - b.costMs)
  const half = weighed.reduce((sum, { weight }) => sum + weight, 0) / 2
  let before = 0
  for (const { costMs, weight } of weighed) {
    before += weight
    if (before >= half) return costMs
  }
  return null
}

export interface AtOnce {
  readonly runs: number
  readonly rendersOf: (companyId: string) => number
}

/**
 * From now until each is done, by id; those of a kind that was never measured are left out. What waits begins as the queue
 * has it: renders before runs, the company with the least going on first, then the oldest.
 */
export function predictEnds(
  open: readonly OpenWork[],
  costs: Costs,
  atOnce: AtOnce,
): ReadonlyMap<string, number> {
  const ends = new Map<string, number>()
  const known = open.flatMap((work) => {
    const cost = expectedCost(work, costs)
    return cost === null ? [] : [{ ...work, left: Math.max(1, cost * (1 - work.done)) }]
  })
  const active = known.filter(({ isRunning }) => isRunning)
  const waiting = known.filter(({ isRunning }) => !isRunning)
  for (let elapsed = 0; ;) {
    for (let next = nextOf(waiting, active, atOnce); next !== null; next = nextOf(waiting, active, atOnce)) {
      waiting.splice(waiting.indexOf(next), 1)
      active.push(next)
    }
    if (active.length === 0) return ends
    const speeds = active.map((work) => speedOf(work, active, costs.gain))
    const step = Math.min(...active.map(({ left }, at) => left / (speeds[at] ?? 1)))
    elapsed += step
    for (const [at, work] of active.entries()) work.left -= step * (speeds[at] ?? 1)
    for (const work of active.filter(({ left }) => left < 0.5)) {
      active.splice(active.indexOf(work), 1)
      ends.set(work.id, elapsed)
    }
  }
}

function nextOf<T extends OpenWork>(waiting: readonly T[], active: readonly T[], atOnce: AtOnce): T | null {
  const going = (kind: PromisedKind, companyId?: string) =>
    active.filter((one) => one.kind === kind && (companyId === undefined || one.companyId === companyId))
      .length
  const mayStart = ({ kind, companyId }: T) =>
    kind === 'run' ? going('run') < atOnce.runs : going('render', companyId) < atOnce.rendersOf(companyId)
  const order = (a: T, b: T) =>
    Number(a.kind === 'run') - Number(b.kind === 'run') ||
    going(a.kind, a.companyId) - going(b.kind, b.companyId) ||
    a.createdAt - b.createdAt
  return waiting.filter(mayStart).sort(order)[0] ?? null
}

/** Fewer promises than this say nothing about how far predictions are off. */
const MIN_PROMISES = 5
const FIRST_MARGIN = 1.2
/** The share of promises that is to be kept. */
const KEPT = 0.9

/**
 * What a prediction is multiplied with to become a promise: so much that `KEPT` of the last ones would have been kept.
 * `took`: what each took, as a multiple of what was predicted.
 */
export function marginOf(took: readonly number[]): number {
  const margin = took.length < MIN_PROMISES ? FIRST_MARGIN : (quantile(took, KEPT) ?? FIRST_MARGIN)
  return Math.min(4, Math.max(0.5, margin))
}
