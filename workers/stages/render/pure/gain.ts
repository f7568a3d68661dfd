/** Loudness decisions. PURE. The first pass measures the clip as cut, this code decides, the second pass applies. */
import type { Composition } from '../../../../server/contract/composition.ts'
import type { AudioGain } from '../../../media/arguments/render-audio.ts'

export interface LoudnessMeasure {
  /** LUFS; null when the sound is silent. */
  readonly integratedLufs: number | null
  /** dBTP; null when silent. */
  readonly truePeakDb: number | null
}

/** AAC overshoots slightly, so the limiter stays this far below the requested peak. */
const CODEC_MARGIN_DB = 0.7
/** More gain would only amplify noise. */
const MAX_GAIN_DB = 36
/** Quieter sound counts as silence. */
const SILENCE_LUFS = -60
/** A limiter that reduces peaks by this much also reduces loudness; then a second measurement is worth its time. */
const HEAVY_LIMITING_DB = 2
/** A difference in LU that is not audible. */
const CLOSE = 0.3

/** Parses the summary that ebur128 prints at the end. */
export function parseLoudness(stderr: string): LoudnessMeasure {
  const summary = stderr.slice(Math.max(0, stderr.lastIndexOf('Summary:')))
  const read = (pattern: RegExp): number | null => {
    const value = Number(pattern.exec(summary)?.[1] ?? Number.NaN)
    return Number.isFinite(value) ? value : null
  }
  const integrated = read(/\bI:\s+(-?[\d.]+) LUFS/)
  return {
    // -70 is the gate: nothing was louder.
    integratedLufs: integrated !== null && integrated <= -70 ? null : integrated,
    truePeakDb: read(/\bPeak:\s+(-?[\d.]+) dBFS/),
  }
}

/** The gain that brings the measured sound to the target; null: no change. */
export function decideGain(measured: LoudnessMeasure, wanted: Composition['audio']): AudioGain | null {
  const { integratedLufs, truePeakDb } = measured
  if (wanted.integratedLufs === null || integratedLufs === null || integratedLufs < SILENCE_LUFS) return null
  const gainDb = Math.min(MAX_GAIN_DB, wanted.integratedLufs - integratedLufs)
  return { gainDb, ceilingDb: ceilingFor(truePeakDb, gainDb, wanted) }
}

/** The gain of the mix, measured as `mixed` with the gain `own` of the source's sound. Null: it is silent. */
export function decideMix(
  own: AudioGain | null,
  mixed: LoudnessMeasure,
  wanted: Composition['audio'],
): AudioGain | null {
  const whole = decideGain(mixed, wanted)
  if (whole === null) return null
  return { gainDb: own?.gainDb ?? 0, ceilingDb: whole.ceilingDb, mixDb: whole.gainDb }
}

function ceilingFor(peakDb: number | null, gainDb: number, wanted: Composition['audio']): number | null {
  const ceiling = wanted.truePeakDb - CODEC_MARGIN_DB
  return peakDb === null || peakDb + gainDb > ceiling ? ceiling : null
}

/** The gain directly before the limiter, dB. */
function lastGain(gain: AudioGain): number {
  return gain.mixDb ?? gain.gainDb
}

/** How near the loudness has to come, and from how much limiting (dB) on its loss is measured and corrected. */
export interface LoudnessCare {
  readonly close: number
  readonly limiting: number
  /** Maximum number of measurements of a limited result; each brings it nearer to the target. */
  readonly looks: number
}
const USUAL: LoudnessCare = { close: CLOSE, limiting: HEAVY_LIMITING_DB, looks: 3 }
/** Where somebody measures: every limited result is measured, to a third of what a broadcaster allows. */
export const EXACT: LoudnessCare = { close: 0.1, limiting: 0, looks: 6 }

/** Whether the limiter works so hard that its loss of loudness should be measured and corrected. */
export function limitsHard(measured: LoudnessMeasure, gain: AudioGain, { limiting } = USUAL): boolean {
  if (gain.ceilingDb === null) return false
  return (measured.truePeakDb ?? 0) + lastGain(gain) - gain.ceilingDb > limiting
}

/** Whether a limited result needs no further correction. */
export function closeEnough(
  result: LoudnessMeasure,
  wanted: Composition['audio'],
  { close } = USUAL,
): boolean {
  if (wanted.integratedLufs === null || result.integratedLufs === null) return true
  return Math.abs(wanted.integratedLufs - result.integratedLufs) <= close
}

/** The corrected gain, after the result of the first choice was measured. */
export function correctGain(
  gain: AudioGain,
  result: LoudnessMeasure,
  wanted: Composition['audio'],
): AudioGain {
  if (wanted.integratedLufs === null || result.integratedLufs === null) return gain
  const missing = wanted.integratedLufs - result.integratedLufs
  const corrected = Math.min(MAX_GAIN_DB, lastGain(gain) + Math.min(6, missing))
  return gain.mixDb === undefined ? { ...gain, gainDb: corrected } : { ...gain, mixDb: corrected }
}

export interface GainPlan {
  readonly before: LoudnessMeasure | null
  readonly gain: AudioGain | null
  /** Loudness that the result should have; null: unknown or silent. */
  readonly expectedLufs: number | null
  /** There is sound, all of it silence. */
  readonly silent: boolean
  /** The limited result that came nearest by trying, LUFS; absent: the target was reached. */
  readonly nearest?: number | null
}

/**
 * Chooses the gains: first that of the source's own sound, so that tracks are mixed with speech at its final loudness, then that
 * of the mix. `measure`: the loudness with a gain (null: as it is), with or without the tracks.
 */
export async function planGain(
  { audio, source }: Pick<Composition, 'audio' | 'source'>,
  measure: (gain: AudioGain | null, withTracks: boolean) => LoudnessMeasure | Promise<LoudnessMeasure>,
  care = USUAL,
): Promise<GainPlan> {
  const mixed = (audio.tracks ?? []).length > 0
  const nothing = !source.hasAudio && !mixed
  if (nothing || audio.integratedLufs === null)
    return { before: null, gain: null, expectedLufs: null, silent: false }
  const before = source.hasAudio ? await measure(null, false) : null
  const own = before === null ? null : decideGain(before, audio)
  const measured = mixed
    ? await measure({ gainDb: own?.gainDb ?? 0, ceilingDb: null, mixDb: 0 }, true)
    : before
  const gain = mixed && measured !== null ? decideMix(own, measured, audio) : own
  if (measured === null || gain === null)
    return { before, gain, expectedLufs: measured?.integratedLufs ?? null, silent: true }
  const result = { before, silent: false }
  if (!limitsHard(measured, gain, care))
    return { ...result, gain, expectedLufs: (measured.integratedLufs ?? 0) + lastGain(gain) }
  let corrected = gain
  let nearest: number | null = null
  for (let look = 1; look <= care.looks; look++) {
    const limited = await measure(corrected, mixed)
    if (closeEnough(limited, audio, care))
      return { ...result, gain: corrected, expectedLufs: limited.integratedLufs }
    nearest = limited.integratedLufs
    corrected = correctGain(corrected, limited, audio)
  }
  return { ...result, gain: corrected, expectedLufs: audio.integratedLufs, nearest }
}
