/** PURE: finding who of the visible people speaks, after their faces have been found. */
import type { Stages } from '../../../../workers/stages/catalog.ts'
import type { OutputOf } from '../../../../workers/stages/declare.ts'
import { FACES_SLOT, pictureParams, VOICE_SLOT, voiceInvocation } from './plan-detections.ts'
import { neededMeasurements } from '../../../nodes/index.ts'
import { artefactInput, planOptionalStage, planStage } from './plan-draft.ts'
import type { PlanContext, PlannedAudio, PlannedSource } from './plan-input.ts'
import { SPEAKERS_SLOT } from './plan-transcript.ts'

export const ACTIVE_SPEAKER_SLOT = 'active-speaker'

/** Of a source that is looked at as a whole. */
const SLOTS = { faces: FACES_SLOT, activeSpeaker: ACTIVE_SPEAKER_SLOT }

const NO_ACTIVE_SPEAKER = 'Who speaks was judged by the motion of mouths alone.'

/**
 * Looks for the voices that finding who speaks needs, as soon as there is sound: in a long source that takes longer than
 * the faces of a clip. Nothing waits for it here.
 */
export function planVoicesEarly(context: PlanContext, { facts }: PlannedSource, audio: PlannedAudio): void {
  const { faces, activeSpeaker } = context.environment
  if (!faces || !activeSpeaker || facts.video === null || audio === null || audio.output.silent) return
  if (!neededMeasurements(context.snapshot.nodes).has('faces')) return
  planOptionalStage(context, voiceInvocation(audio.key))
}

/**
 * Finds who of the faces that were found speaks, with the voices where they were told apart before. Whether that has ended,
 * with or without a result. Call this when the faces have ended.
 */
export function planActiveSpeaker(
  context: PlanContext,
  source: PlannedSource,
  audio: PlannedAudio,
  slots: { readonly faces: string; readonly activeSpeaker: string } = SLOTS,
): boolean {
  const { results, environment } = context
  const { facts, input } = source
  const found = results.get(slots.faces)
  if (facts.video === null || audio === null || audio.output.silent || found?.state !== 'finished')
    return true
  const faces = found.output as OutputOf<Stages['faces']>
  if (faces.tracks === 0) return true
  // A stored result stays valid when the model is removed afterwards.
  if (!environment.activeSpeaker && !results.has(slots.activeSpeaker)) {
    context.warnings.push(
      `${NO_ACTIVE_SPEAKER} No model that compares lips with sound is installed; install it with: cutroom models install lr-asd --from FOLDER`,
    )
    return true
  }
  const sound = artefactInput('audio', audio.key)
  const voice = planStage(context, voiceInvocation(audio.key), NO_ACTIVE_SPEAKER)
  if (voice === null) return results.has(VOICE_SLOT)
  const speakers = results.get(SPEAKERS_SLOT)
  const inputs = {
    source: input,
    audio: sound,
    faces: artefactInput('faces', found.key),
    voice: artefactInput('voice', voice.key),
    ...(speakers?.state === 'finished' ? { speakers: artefactInput('speakers', speakers.key) } : {}),
  }
  planStage(
    context,
    { slot: slots.activeSpeaker, stage: 'active-speaker', params: pictureParams(facts, facts.video), inputs },
    NO_ACTIVE_SPEAKER,
  )
  return results.has(slots.activeSpeaker)
}
