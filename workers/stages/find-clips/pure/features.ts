/** PURE. A scored window as the numbers that its score was computed from. */
import type { ClipFeatures } from '../../../../server/contract/clip-features.ts'
import type { Window } from './score-windows.ts'
import { soundFeatures, type SoundCues } from './sound-cues.ts'

export function featuresOf(window: Window, cues: SoundCues | undefined): ClipFeatures {
  const { scores, start, end, relevance, from, to } = window
  const heard = cues === undefined ? {} : soundFeatures(cues, from, to)
  const features = { ...scores, length: Math.log(Math.max(0.1, end - start)), relevance, ...heard }
  return Object.fromEntries(
    Object.entries(features).map(([name, value]) => [name, Math.round(value * 1e4) / 1e4]),
  )
}
