/** Loudness of 10 ms frames, and the levels of speech and background of a whole recording. PURE, constant memory. */

const FLOOR_DB = -100
const BINS_PER_DB = 2
const BINS = -FLOOR_DB * BINS_PER_DB + 1

/** RMS of samples `from` to `to` in dBFS (a full-scale square wave is 0), never below the floor. */
export function rmsDb(samples: Int16Array, from: number, to: number): number {
  let sum = 0
  for (let index = from; index < to; index++) {
    const sample = samples[index] ?? 0
    sum += sample * sample
  }
  if (sum === 0 || to <= from) return FLOOR_DB
  return Math.max(FLOOR_DB, 10 * Math.log10(sum / (to - from) / (32_768 * 32_768)))
}

/** Counts of frames by level, half a decibel a bin: percentiles of any length in constant room. */
export interface LevelCounts {
  readonly bins: Uint32Array
}

export function newLevelCounts(): LevelCounts {
  return { bins: new Uint32Array(BINS) }
}

export function countLevel(counts: LevelCounts, db: number): void {
  const bin = Math.min(BINS - 1, Math.max(0, Math.round((db - FLOOR_DB) * BINS_PER_DB)))
  counts.bins[bin] = (counts.bins[bin] ?? 0) + 1
}

export interface Levels {
  /** Nothing above -60 dBFS anywhere. */
  readonly silent: boolean
  readonly speechLevelDb: number
  readonly noiseLevelDb: number
}

/**
 * Background: the level that a tenth of the frames stay below (digital silence, as between edits, is ignored).
 * Speech: the median of the frames that are closer to the loud parts than to the background.
 */
export function levelsOf(counts: LevelCounts): Levels {
  const loudest = percentile(counts, 1, FLOOR_DB)
  const noiseLevelDb = percentile(counts, 0.1, FLOOR_DB + 1)
  const loud = percentile(counts, 0.95, FLOOR_DB + 1)
  const speechLevelDb = percentile(counts, 0.5, (noiseLevelDb + loud) / 2)
  return { silent: loudest <= -60, speechLevelDb, noiseLevelDb }
}

/** The level that this share of the frames at or above `fromDb` do not exceed; the floor if there are none. */
function percentile(counts: LevelCounts, share: number, fromDb: number): number {
  const first = Math.max(0, Math.ceil((fromDb - FLOOR_DB) * BINS_PER_DB))
  let total = 0
  for (let bin = first; bin < BINS; bin++) total += counts.bins[bin] ?? 0
  if (total === 0) return FLOOR_DB
  let seen = 0
  for (let bin = first; bin < BINS; bin++) {
    seen += counts.bins[bin] ?? 0
    if (seen >= total * share) return FLOOR_DB + bin / BINS_PER_DB
  }
  return 0
}
