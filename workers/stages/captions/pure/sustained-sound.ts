/** PURE. A sound that a voice holds, and small measures of voices. */

export interface SustainedSound {
  /** Seconds in the source. */
  readonly start: number
  readonly end: number
  /** Median of its pitch, and how far that rises (negative: falls) from its first to its last third, semitones. */
  readonly pitchHz: number
  readonly riseSemitones: number
  /** Between the lowest and the highest tenth of its pitch, semitones: an instrument's tone has none. */
  readonly wavering: number
  /** Medians of its lowest two formants, Hertz. */
  readonly formant1Hz: number
  readonly formant2Hz: number
  /** Median level, dBFS. */
  readonly levelDb: number
  /** Mean change of the spectrum over 40 ms; about 0.3 in a vowel that is held. */
  readonly change: number
  /** Difference of the spectrum between its beginning and its end. */
  readonly drift: number
  /** Alone between two alone, and too short to be judged by how it is held: "um" in a hurry (voiced-islands.ts). */
  readonly isIsland?: boolean
}

/** An instrument's pitch wavers by less, semitones. */
export const MIN_WAVERING = 0.15

/** Frames, the last not included. */
export interface Run {
  readonly from: number
  readonly to: number
}

/** The longest stretches of at least so many frames for all of which `isIn` holds. */
export function runsOf(frames: number, least: number, isIn: (frame: number) => boolean): Run[] {
  const runs: Run[] = []
  let open = -1
  for (let frame = 0; frame <= frames; frame += 1) {
    const inside = frame < frames && isIn(frame)
    if (inside && open < 0) open = frame
    if (inside || open < 0) continue
    if (frame - open >= least) runs.push({ from: open, to: frame })
    open = -1
  }
  return runs
}

export const semitones = (one: number, other: number): number => 12 * Math.log2(one / other)

/** An octave is an error of measuring, not a leap of the voice. */
export const withoutOctaves = (interval: number): number => interval - 12 * Math.round(interval / 12)

export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(share * values.length)] ?? 0

export const median = (values: readonly number[]): number => quantile(values, 0.5)
