/**
 * Diarization error: the share of speech that is missed, detected where there is none, or given to the wrong speaker. Frame by frame,
 * with the mapping of speakers that agrees most, as NIST's md-eval counts it.
 */

export interface SpokenTurn<Who> {
  readonly speaker: Who
  /** Seconds. */
  readonly start: number
  readonly end: number
}

export interface DiarizationError {
  /** Share of all spoken time that is scored. */
  readonly error: number
  readonly missed: number
  readonly falseAlarm: number
  readonly confused: number
  /** All spoken time that is scored; where two talk at once it counts twice. */
  readonly spokenSeconds: number
}

const STEPS_A_SECOND = 100

/**
 * Nothing is scored around each edge of a true turn (`collar` seconds to both sides). The best mapping of speakers
 * counts. For up to twenty true speakers.
 */
export function diarizationError(
  truth: readonly SpokenTurn<string>[],
  detected: readonly SpokenTurn<number>[],
  seconds: number,
  collar = 0.25,
): DiarizationError {
  const names = [...new Set(truth.map(({ speaker }) => speaker))]
  const voices = [...new Set(detected.map(({ speaker }) => speaker))]
  const common = voices.map(() => names.map(() => 0))
  let spoken = 0
  let missed = 0
  let falseAlarm = 0
  let paired = 0
  for (let step = 0; step < Math.round(seconds * STEPS_A_SECOND); step += 1) {
    const time = (step + 0.5) / STEPS_A_SECOND
    if (truth.some(({ start, end }) => Math.min(Math.abs(time - start), Math.abs(time - end)) < collar))
      continue
    const real = speakersAt(truth, time)
    const taken = speakersAt(detected, time)
    spoken += real.size
    missed += Math.max(0, real.size - taken.size)
    falseAlarm += Math.max(0, taken.size - real.size)
    paired += Math.min(real.size, taken.size)
    for (const [at, row] of common.entries())
      for (const [place, name] of names.entries())
        if (taken.has(voices[at] ?? -1) && real.has(name)) row[place] = (row[place] ?? 0) + 1
  }
  const share = (count: number): number => count / Math.max(1, spoken)
  const confused = paired - mostAgreed(common, names.length)
  return {
    error: share(missed + falseAlarm + confused),
    missed: share(missed),
    falseAlarm: share(falseAlarm),
    confused: share(confused),
    spokenSeconds: spoken / STEPS_A_SECOND,
  }
}

/** The same over several recordings, each weighed by its spoken time. */
export function pooledError(errors: readonly DiarizationError[]): DiarizationError {
  const spokenSeconds = errors.reduce((sum, one) => sum + one.spokenSeconds, 0)
  const pooled = (share: (one: DiarizationError) => number): number =>
    errors.reduce((sum, one) => sum + share(one) * one.spokenSeconds, 0) / Math.max(0.01, spokenSeconds)
  return {
    error: pooled(({ error }) => error),
    missed: pooled(({ missed }) => missed),
    falseAlarm: pooled(({ falseAlarm }) => falseAlarm),
    confused: pooled(({ confused }) => confused),
    spokenSeconds,
  }
}

const speakersAt = <Who>(turns: readonly SpokenTurn<Who>[], time: number): Set<Who> =>
  new Set(turns.filter(({ start, end }) => time >= start && time < end).map(({ speaker }) => speaker))

/** The greatest sum of agreed steps when each voice has at most one name and each name at most one voice. */
function mostAgreed(common: readonly (readonly number[])[], names: number): number {
  // By the set of names that are taken, as bits.
  let best = new Map<number, number>([[0, 0]])
  for (const row of common) {
    const next = new Map(best)
    for (const [taken, sum] of best)
      for (let name = 0; name < names; name += 1) {
        const both = taken | (1 << name)
        const more = sum + (row[name] ?? 0)
        if (both !== taken && more > (next.get(both) ?? -1)) next.set(both, more)
      }
    best = next
  }
  return Math.max(...best.values())
}
