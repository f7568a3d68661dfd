/**
 * Diarization error: the share of speech that is missed, detected where there is none, or given to the wrong speaker.
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
}

const STEPS_A_SECOND = 100

/**
 * Nothing is scored around each edge of a true turn (`collar` seconds to both sides). The best mapping of speakers
 * counts.
 */
export function diarizationError(
  truth: readonly SpokenTurn<string>[],
  detected: readonly SpokenTurn<number>[],
  seconds: number,
  collar = 0.25,
): DiarizationError {
  const moments: { real: string[]; taken: number[] }[] = []
  for (let step = 0; step < Math.round(seconds * STEPS_A_SECOND); step++) {
    const time = (step + 0.5) / STEPS_A_SECOND
    if (truth.some(({ start, end }) => Math.min(Math.abs(time - start), Math.abs(time - end)) < collar))
      continue
    const at = <Who>(turns: readonly SpokenTurn<Who>[]): Who[] =>
      turns.filter(({ start, end }) => time >= start && time < end).map(({ speaker }) => speaker)
    moments.push({ real: at(truth), taken: [...new Set(at(detected))] })
  }
  const names = namings(
    [...new Set(truth.map(({ speaker }) => speaker))],
    [...new Set(detected.map(({ speaker }) => speaker))],
  )
  const spoken = moments.reduce((sum, { real }) => sum + real.length, 0)
  const results = names.map((named) => {
    const counts = { missed: 0, falseAlarm: 0, confused: 0 }
    for (const { real, taken } of moments) {
      const right = taken.filter((voice) => real.includes(named.get(voice) ?? '')).length
      counts.missed += Math.max(0, real.length - taken.length)
      counts.falseAlarm += Math.max(0, taken.length - real.length)
      counts.confused += Math.min(real.length, taken.length) - right
    }
    const share = (count: number): number => count / Math.max(1, spoken)
    const { missed, falseAlarm, confused } = counts
    return {
      error: share(missed + falseAlarm + confused),
      missed: share(missed),
      falseAlarm: share(falseAlarm),
      confused: share(confused),
    }
  })
  return results.reduce((best, one) => (one.error < best.error ? one : best))
}

/** Every way to give the voices different names; voices that are left over have none. For a handful of both. */
function namings(names: readonly string[], voices: readonly number[]): Map<number, string>[] {
  const [voice, ...rest] = voices
  if (voice === undefined) return [new Map<number, string>()]
  const unnamed = namings(names, rest)
  const named = names.flatMap((name) =>
    namings(
      names.filter((other) => other !== name),
      rest,
    ).map((more) => new Map([...more, [voice, name] as const])),
  )
  return [...named, ...unnamed]
}
