/** PURE: how long to wait for an ffmpeg without output. */
import type { Composition } from '../../../../server/contract/composition.ts'
import { rationalToNumber } from '../../../../server/contract/time.ts'

/**
 * Seconds without output. A measuring pass prints nothing until its end, after some hundredths of the clip's length. And each cut's
 * part of the filter graph receives all of the sound, so the time grows with the square of their number: 400 cuts took 46 s on two
 * cores that had other work.
 */
export function patienceSeconds({ durationFrames, output, timeMap }: Composition, least: number): number {
  const clip = durationFrames / rationalToNumber(output.frameRate)
  return Math.ceil(least + clip / 10 + timeMap.length ** 2 / 500)
}
