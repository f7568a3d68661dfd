/** Loudness decisions. Two passes: the first measures the clip as cut, this decides, the second applies. */
import type { Composition } from '../../../../server/contract/composition.ts'
import type { AudioGain } from '../../../media/arguments/render-audio.ts'

export interface LoudnessMeasure {
  /** LUFS; null when the sound is silent. */
  readonly integratedLufs: number | null
  /** dBTP; null when silent. */
  readonly truePeakDb: number | null
}

/** AAC rings a little past what it was given: the limiter stays this far under the peak that was asked for. */
const CODEC_MARGIN_DB = 0.7
/** More than this would only lift noise. */
const MOST_GAIN_DB = 36
/** Quieter than this is silence to the ear. */
const SILENCE_LUFS = -60
/** A limiter that takes this much off also takes loudness; then a second look is worth its time. */
const HEAVY_LIMITING_DB = 2.5

/** Reads the summary that ebur128 prints at the end. */
export function parseLoudness(stderr: string): LoudnessMeasure {
  const summary = stderr.slice(Math.max(0, stderr.lastIndexOf('Summary:')))
  const read = (pattern: RegExp): number | null => {
    const value = Number(pattern.exec(summary)?.[1] ?? Number.NaN)
    return Number.isFinite(value) ? value : null
  }
  const integrated = read(/\bI:\s+(-?[\d.]+) LUFS/)
  return {
    // -70 is the gate: nothing was heard above it.
    integratedLufs: integrated !== null && integrated <= -70 ? null : integrated,
    truePeakDb: read(/\bPeak:\s+(-?[\d.]+) dBFS/),
  }
}

/** The gain that brings the measured sound to the wanted level; null: leave it alone. */
export function decideGain(measured: LoudnessMeasure, wanted: Composition['audio']): AudioGain | null {
  const { integratedLufs, truePeakDb } = measured
  if (wanted.integratedLufs === null || integratedLufs === null || integratedLufs < SILENCE_LUFS) return null
  const gainDb = Math.min(MOST_GAIN_DB, wanted.integratedLufs - integratedLufs)
  const ceiling = wanted.truePeakDb - CODEC_MARGIN_DB
  const limited = truePeakDb === null || truePeakDb + gainDb > ceiling
  return { gainDb, ceilingDb: limited ? ceiling : null }
}

/** Whether the limiter works so hard that its loss should be measured and made good. */
export function limitsHard(measured: LoudnessMeasure, gain: AudioGain): boolean {
  return (
    gain.ceilingDb !== null && (measured.truePeakDb ?? 0) + gain.gainDb - gain.ceilingDb > HEAVY_LIMITING_DB
  )
}

/** Gain again, after the result of the first choice was measured. */
export function correctGain(
  gain: AudioGain,
  result: LoudnessMeasure,
  wanted: Composition['audio'],
): AudioGain {
  if (wanted.integratedLufs === null || result.integratedLufs === null) return gain
  const missing = wanted.integratedLufs - result.integratedLufs
  return { ...gain, gainDb: Math.min(MOST_GAIN_DB, gain.gainDb + Math.min(6, missing)) }
}
