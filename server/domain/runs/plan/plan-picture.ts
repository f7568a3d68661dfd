/** PURE: the eyes of a run that looks at more than the words: cuts, movement and faces in the whole of its picture. */
import type { FindClipsSettings } from '../../../contract/clip-candidate.ts'
import type { RunSnapshot } from '../../../contract/run.ts'
import type { SourceFacts } from '../../../contract/source-facts.ts'
import { ticksToSeconds } from '../../../contract/time.ts'
import { artefactInput, need, type Draft, type PlannedInput } from './plan-draft.ts'
import { usesSenses } from './plan-sounds.ts'

export interface PicturePlanInput {
  readonly snapshot: RunSnapshot
  readonly settings: FindClipsSettings
  readonly facts: SourceFacts
  readonly source: PlannedInput
}

export const PICTURE_SLOT = 'look-over'

const NOT_LOOKED = 'Cuts, movement and faces in the picture were not looked at for the choice of clips.'

/**
 * Formats for editing, in which every picture is a keyframe: there is no quick way through them, and they are decoded at
 * a few times real time.
 */
const ALL_KEYFRAMES =
  /^(prores|dnxhd|mjpeg|mjpegb|dvvideo|ffv1|huffyuv|ffvhuff|jpeg2000|cfhd|rawvideo|utvideo|v210|png)$/
const LONG_SECONDS = 600

/** The facts as an input; null when the run goes on without them; `waiting`: not yet, or the draft has a failure. */
export function planPicture(draft: Draft, input: PicturePlanInput): PlannedInput | null | 'waiting' {
  const { snapshot, settings, facts, source } = input
  if (facts.video === null || !usesSenses(snapshot, settings)) return null
  const { codec, streamIndex, width, height } = facts.video
  const durationSeconds = ticksToSeconds(facts.duration)
  if (durationSeconds > LONG_SECONDS && ALL_KEYFRAMES.test(codec)) {
    draft.warnings.push(
      `${NOT_LOOKED} In ${codec} every picture is whole, and all of them would have to be decoded.`,
    )
    return null
  }
  const params = { streamIndex, width, height, durationSeconds }
  const seen = need(draft, { slot: PICTURE_SLOT, stage: 'look-over', params, inputs: { source } }, NOT_LOOKED)
  if (seen !== null) return artefactInput('look-over', seen.key)
  return draft.failure !== null || !draft.results.has(PICTURE_SLOT) ? 'waiting' : null
}
