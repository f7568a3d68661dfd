/** Holds peaks under a ceiling, as ffmpeg's `alimiter` does with the times of render-audio.ts. */
import { LIMITER } from '../../../../media/arguments/render-audio.ts'
import { SAMPLE_RATE } from '../../../../media/arguments/render-time.ts'
import type { Stereo } from './stereo.ts'

/**
 * Limits the peaks, in place: the gain falls evenly until a peak, and rises evenly after it. The export looks at four times
 * as many samples; between two samples a peak may be a few tenths of a dB higher here.
 */
export function limitPeaks({ left, right }: Stereo, ceiling: number): void {
  const length = left.length
  const gains = new Float32Array(length).fill(1)
  const need = (at: number): number => {
    const peak = Math.max(Math.abs(left[at] ?? 0), Math.abs(right[at] ?? 0))
    return peak > ceiling ? ceiling / peak : 1
  }
  const pass = (at: number, line: { gain: number; slope: number }, samples: number): void => {
    line.gain = Math.min(1, line.gain + line.slope)
    const wanted = need(at)
    if (wanted < line.gain) {
      line.gain = wanted
      line.slope = (1 - wanted) / samples
    }
    gains[at] = Math.min(gains[at] ?? 1, line.gain)
  }
  const after = { gain: 1, slope: 0 }
  for (let at = 0; at < length; at++) pass(at, after, (LIMITER.releaseMs / 1000) * SAMPLE_RATE)
  const before = { gain: 1, slope: 0 }
  for (let at = length - 1; at >= 0; at--) pass(at, before, (LIMITER.attackMs / 1000) * SAMPLE_RATE)
  for (let at = 0; at < length; at++) {
    left[at] = (left[at] ?? 0) * (gains[at] ?? 1)
    right[at] = (right[at] ?? 0) * (gains[at] ?? 1)
  }
}
