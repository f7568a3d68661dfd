/** Which backups stay. Pure. */
import type { SnapshotName } from './snapshot.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** From so far back on, one of each stretch stays: every one of two hours, then hourly, daily and weekly. */
const STEPS = [
  { within: 2 * HOUR, every: 0 },
  { within: 2 * DAY, every: HOUR },
  { within: 31 * DAY, every: DAY },
  { within: 366 * DAY, every: 7 * DAY },
] as const

/**
 * Those that stay at `now`: of each stretch its newest verified one, or else its newest; and the newest verified one of all,
 * however old it is.
 */
export function keptSnapshots(all: readonly SnapshotName[], now: number): Set<string> {
  const kept = new Map<string, SnapshotName>()
  for (const one of all) {
    // What is of later than now was made by a clock that went wrong: it stays.
    const age = Math.max(0, now - one.at)
    const step = STEPS.find(({ within }) => age <= within)
    if (step === undefined) continue
    const stretch = step.every === 0 ? one.name : `${step.every}/${Math.floor(one.at / step.every)}`
    const rival = kept.get(stretch)
    if (rival === undefined || isBetter(one, rival)) kept.set(stretch, one)
  }
  const newestVerified = all.filter(({ verified }) => verified).sort((a, b) => b.at - a.at)[0]
  return new Set(
    [...kept.values(), ...(newestVerified === undefined ? [] : [newestVerified])].map((one) => one.name),
  )
}

const isBetter = (one: SnapshotName, rival: SnapshotName): boolean =>
  one.verified === rival.verified ? one.at > rival.at : one.verified
