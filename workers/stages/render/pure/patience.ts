/** PURE: how long an ffmpeg that says nothing is waited for. */
import type { Composition } from '../../../../server/contract/composition.ts'
import { rationalToNumber } from '../../../../server/contract/time.ts'

/**
 * Seconds without a word. A measuring pass says nothing until its end, which is some hundredths of the clip's length; and
 * each cut's part of the filters is given all of the sound, which takes by the square of their number: 400 cuts 46 s on two
 * cores that had other work.
 */
export function patienceSeconds({ durationFrames, output, timeMap }: Composition, least: number): number {
  const clip = durationFrames / rationalToNumber(output.frameRate)
  return Math.ceil(least + clip / 10 + timeMap.length ** 2 / 500)
}
