/** PURE. The numbers from which a window's score was computed. */
import type { ClipFeatures } from '../../../../server/contract/clip-candidate.ts'
import { pictureFeatures, type PictureCues } from './picture-cues.ts'
import type { Window } from './score-windows.ts'
import { soundFeatures, type SoundCues } from './sound-cues.ts'

/** `cues` and `seen` are absent where sound or picture were not analysed. */
export function featuresOf(
  window: Window,
  { cues, seen }: { readonly cues?: SoundCues; readonly seen?: PictureCues },
): ClipFeatures {
  const { scores, start, end, relevance, from, to } = window
  const features = {
    ...scores,
    length: Math.log(Math.max(0.1, end - start)),
    relevance,
    ...(cues === undefined ? {} : soundFeatures(cues, from, to)),
    ...(seen === undefined ? {} : pictureFeatures(seen, from, to)),
  }
  return Object.fromEntries(
    Object.entries(features).map(([name, value]) => [name, Math.round(value * 1e4) / 1e4]),
  )
}
