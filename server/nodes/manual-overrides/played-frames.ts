/** Where a stretch of the source is in the output. */
import type { TimeSpan } from '../../contract/composition.ts'
import { secondsToTicks } from '../../contract/time.ts'
import { frameInSpan } from '../compose/time-map.ts'

/** From its first played frame to after its last one; null when none of it is played. Source seconds. */
export function playedFrames(
  stretch: { readonly start: number; readonly end: number },
  timeMap: readonly TimeSpan[],
): { readonly startFrame: number; readonly endFrame: number } | null {
  const start = secondsToTicks(stretch.start)
  const end = secondsToTicks(stretch.end)
  const played = timeMap.filter(({ sourceStart, sourceEnd }) => sourceStart < end && start < sourceEnd)
  const first = played[0]
  const last = played.at(-1)
  if (first === undefined || last === undefined) return null
  const startFrame = Math.round(frameInSpan(first, start))
  const endFrame = Math.round(frameInSpan(last, end))
  return endFrame > startFrame ? { startFrame, endFrame } : null
}
