/**
 * PURE: detection in the whole picture and sound of a source, for runs that choose clips by more than the words: cuts,
 * movement and faces; laughter, applause, cheering and music.
 */
import { ticksToSeconds } from '../../../contract/time.ts'
import { analysisNeeds } from '../../../nodes/index.ts'
import type { PlanContext, PlannedAudio, PlannedSource } from './plan-input.ts'
import { artefactInput, planStage, type PlannedInput } from './plan-draft.ts'

const PICTURE_SLOT = 'look-over'
const SOUNDS_SLOT = 'sound-events'

const NO_PICTURE_DETECTION =
  'Cuts, movement and faces in the picture were not looked at for the choice of clips.'
const NO_SOUND_DETECTION = 'Laughter, applause and music were not listened for.'

/**
 * Editing formats in which every frame is a keyframe: no frames can be skipped, and decoding them all runs at only a few
 * times real time.
 */
const ALL_KEYFRAMES =
  /^(prores|dnxhd|mjpeg|mjpegb|dvvideo|ffv1|huffyuv|ffvhuff|jpeg2000|cfhd|rawvideo|utvideo|v210|png)$/
const LONG_SECONDS = 600

/** Whether clips are chosen by more than the words: a node requests it, and the ranges are not fixed already. */
export function usesDetections(context: Pick<PlanContext, 'snapshot' | 'settings'>): boolean {
  const { snapshot, settings } = context
  const fixed = settings.wholeSource || (settings.pinnedOnly && settings.pinnedMode === 'ranges')
  return !fixed && analysisNeeds(snapshot.nodes).modelKey === 'multimodal'
}

/** The find-clips parameter `senses`; absent for a choice by words alone, whose content key must not change. */
export function buildSensesParam(context: PlanContext, source: PlannedSource): { senses?: { name: string } } {
  return usesDetections(context)
    ? { senses: { name: source.ingest.output.displayName.replace(/\.[^.]*$/, '') } }
    : {}
}

/** Inputs of find-clips; none for a choice by words alone. `waiting`: a stage has not ended, or the plan has failed. */
export function planDetections(
  context: PlanContext,
  source: PlannedSource,
  audio: PlannedAudio,
): { readonly events?: PlannedInput; readonly picture?: PlannedInput } | 'waiting' {
  if (!usesDetections(context)) return {}
  // Both are planned before either is waited for, so that they run at the same time.
  const detections = {
    picture: planPictureDetection(context, source),
    events: planSoundDetection(context, audio),
  }
  if (detections.picture === 'waiting' || detections.events === 'waiting') return 'waiting'
  return {
    ...(detections.events === null ? {} : { events: detections.events }),
    ...(detections.picture === null ? {} : { picture: detections.picture }),
  }
}

/** The picture's facts as an input; null when the run continues without them. */
function planPictureDetection(context: PlanContext, source: PlannedSource): PlannedInput | null | 'waiting' {
  const { facts, input } = source
  if (facts.video === null) return null
  const { codec, streamIndex, width, height } = facts.video
  const durationSeconds = ticksToSeconds(facts.duration)
  if (durationSeconds > LONG_SECONDS && ALL_KEYFRAMES.test(codec)) {
    context.warnings.push(
      `${NO_PICTURE_DETECTION} In ${codec} every picture is whole, and all of them would have to be decoded.`,
    )
    return null
  }
  const params = { streamIndex, width, height, durationSeconds }
  const result = planStage(
    context,
    { slot: PICTURE_SLOT, stage: 'look-over', params, inputs: { source: input } },
    NO_PICTURE_DETECTION,
  )
  if (result !== null) return artefactInput('look-over', result.key)
  return context.failure !== null || !context.results.has(PICTURE_SLOT) ? 'waiting' : null
}

/** The sound events as an input; null when the run continues without them. */
function planSoundDetection(context: PlanContext, audio: PlannedAudio): PlannedInput | null | 'waiting' {
  if (audio === null || audio.output.silent) return null
  // A stored result stays valid when the model is removed afterwards.
  if (!context.environment.sounds && !context.results.has(SOUNDS_SLOT)) {
    context.warnings.push(
      `${NO_SOUND_DETECTION} No model for sound events is installed; install it with: cutroom models install yamnet --from FOLDER`,
    )
    return null
  }
  const result = planStage(
    context,
    {
      slot: SOUNDS_SLOT,
      stage: 'sound-events',
      params: {},
      inputs: { audio: artefactInput('audio', audio.key) },
    },
    NO_SOUND_DETECTION,
  )
  if (result !== null) return artefactInput('sound-events', result.key)
  return context.failure !== null || !context.results.has(SOUNDS_SLOT) ? 'waiting' : null
}
