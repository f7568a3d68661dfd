/**
 * PURE: detection in the picture and sound of a source, for runs that choose clips by more than the words (cuts, movement
 * and faces; laughter, applause, cheering and music), and for nodes that remove a logo or frame people.
 */
import { ticksToSeconds } from '../../../contract/time.ts'
import { analysisNeeds, neededMeasurements } from '../../../nodes/index.ts'
import type { PlanContext, PlannedAudio, PlannedSource } from './plan-input.ts'
import {
  artefactInput,
  planFallbackStage,
  planStage,
  type PlannedInput,
  type SlotResults,
} from './plan-draft.ts'
import type { ClipLogos } from '../../../contract/clip-measurements.ts'
import type { Stages } from '../../../../workers/stages/catalog.ts'
import type { OutputOf, ParamsOf } from '../../../../workers/stages/declare.ts'
import { hdrColours } from '../../../contract/colour-matrix.ts'
import { seekingIn, type SourceFacts } from '../../../contract/source-facts.ts'
import type { PeoplePicture } from '../../../../workers/stages/faces/declaration.ts'
import type { Static } from '@sinclair/typebox'

export const SOUNDS_SLOT = 'sound-events'
export const VOICE_SLOT = 'voice'

/** Looks for voices in the sound with this content key. */
export const voiceInvocation = (audioKey: string) => ({
  slot: VOICE_SLOT,
  stage: 'voice' as const,
  params: {},
  inputs: { audio: artefactInput('audio', audioKey) },
})

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
): { events?: PlannedInput; picture?: PlannedInput } | 'waiting' {
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

const asInput = (
  stage: 'look-over' | 'sound-events',
  result: { key: string } | null | 'waiting',
): PlannedInput | null | 'waiting' =>
  result === null || result === 'waiting' ? result : artefactInput(stage, result.key)

/** The picture's facts as an input; null when the run continues without them. */
export function planPictureDetection(
  context: PlanContext,
  source: PlannedSource,
): PlannedInput | null | 'waiting' {
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
  const params = { streamIndex, width, height, durationSeconds, ...seekingIn(facts) }
  const invocation = { slot: 'look-over', stage: 'look-over' as const, params, inputs: { source: input } }
  return asInput(invocation.stage, planFallbackStage(context, invocation, NO_PICTURE_DETECTION))
}

/** The sound events as an input; null when the run continues without them. */
export function planSoundDetection(
  context: PlanContext,
  audio: PlannedAudio,
): PlannedInput | null | 'waiting' {
  if (audio === null || audio.output.silent) return null
  // A stored result stays valid when the model is removed afterwards.
  if (!context.environment.sounds && !context.results.has(SOUNDS_SLOT)) {
    context.warnings.push(
      `${NO_SOUND_DETECTION} No model for sound events is installed; install it with: cutroom models install yamnet --from FOLDER`,
    )
    return null
  }
  const inputs = { audio: artefactInput('audio', audio.key) }
  const invocation = { slot: SOUNDS_SLOT, stage: 'sound-events' as const, params: {}, inputs }
  return asInput(invocation.stage, planFallbackStage(context, invocation, NO_SOUND_DETECTION))
}

const LOGO_SLOT = 'find-logo'

/** Whether the run can continue: no node needs the logo, or the search has ended, with or without a result. */
export function planLogo(context: PlanContext, source: PlannedSource): boolean {
  const { facts, input } = source
  if (facts.video === null || !neededMeasurements(context.snapshot.nodes).has('logos')) return true
  const { width, height, streamIndex } = facts.video
  const params = { streamIndex, width, height, durationSeconds: ticksToSeconds(facts.duration) }
  planStage(
    context,
    { slot: LOGO_SLOT, stage: 'find-logo', params, inputs: { source: input } },
    'No logo was looked for.',
  )
  return context.results.has(LOGO_SLOT)
}

/** The logos that were found; null where there was no search, or it failed. */
export function foundLogos(results: SlotResults): ClipLogos | null {
  const result = results.get(LOGO_SLOT)
  return result?.state === 'finished' ? (result.output as OutputOf<Stages['find-logo']>).logos : null
}

export const FACES_SLOT = 'faces'

const NO_FACES = 'People are framed without knowing where they are.'

/** How a stage that looks at people reads the source's picture. */
export function pictureParams(
  facts: SourceFacts,
  video: NonNullable<SourceFacts['video']>,
): Static<typeof PeoplePicture> {
  const { width, height, hdr, streamIndex } = video
  return { streamIndex, width, height, hdr, ...hdrColours(video), ...seekingIn(facts) }
}

/** Detects faces in these ranges, in seconds. Whether that has ended, with or without a result. */
export function planFacesIn(
  context: PlanContext,
  source: PlannedSource,
  audio: PlannedAudio,
  ranges: ParamsOf<Stages['faces']>['ranges'],
  slot: string = FACES_SLOT,
): boolean {
  const { facts, input } = source
  if (facts.video === null) return true
  if (!context.environment.faces) {
    context.warnings.push(
      `${NO_FACES} No model for faces is installed; install it with: cutroom models install yunet`,
    )
    return true
  }
  const params = { ranges, ...pictureParams(facts, facts.video) }
  planStage(
    context,
    {
      slot,
      stage: 'faces',
      params,
      inputs: { source: input, ...(audio === null ? {} : { audio: artefactInput('audio', audio.key) }) },
    },
    NO_FACES,
  )
  return context.results.has(slot)
}
