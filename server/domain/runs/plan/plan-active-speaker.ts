/** PURE: finding who of the visible people speaks, after their faces have been found. */
import { hdrColours } from '../../../contract/colour-matrix.ts'
import { seekingIn } from '../../../contract/source-facts.ts'
import type { Stages } from '../../../../workers/stages/catalog.ts'
import type { OutputOf } from '../../../../workers/stages/declare.ts'
import { FACES_SLOT } from './plan-detections.ts'
import { artefactInput, planStage, type PlannedInput } from './plan-draft.ts'
import type { PlanContext, PlannedAudio, PlannedSource } from './plan-input.ts'
import { SPEAKERS_SLOT } from './plan-transcript.ts'

export const VOICE_SLOT = 'voice'
export const ACTIVE_SPEAKER_SLOT = 'active-speaker'

const NO_ACTIVE_SPEAKER = 'Who speaks was judged by the motion of mouths alone.'

/**
 * Finds who of the faces that were found speaks, with the voices where they were told apart before. Whether that has ended,
 * with or without a result. Call this when the faces have ended.
 */
export function planActiveSpeaker(context: PlanContext, source: PlannedSource, audio: PlannedAudio): boolean {
  const { results, environment } = context
  const { facts, input } = source
  const found = results.get(FACES_SLOT)
  if (facts.video === null || audio === null || audio.output.silent || found?.state !== 'finished')
    return true
  const faces = found.output as OutputOf<Stages['faces']>
  if (faces.tracks === 0) return true
  // A stored result stays valid when the model is removed afterwards.
  if (!environment.activeSpeaker && !results.has(ACTIVE_SPEAKER_SLOT)) {
    context.warnings.push(
      `${NO_ACTIVE_SPEAKER} No model that compares lips with sound is installed; install it with: cutroom models install lr-asd --from FOLDER`,
    )
    return true
  }
  const sound = artefactInput('audio', audio.key)
  const voice = planVoice(context, sound, NO_ACTIVE_SPEAKER)
  if (voice === null) return results.has(VOICE_SLOT)
  const speakers = results.get(SPEAKERS_SLOT)
  const { width, height, hdr, streamIndex } = facts.video
  const params = { streamIndex, width, height, hdr, ...hdrColours(facts.video), ...seekingIn(facts) }
  const inputs = {
    source: input,
    audio: sound,
    faces: artefactInput('faces', found.key),
    voice: artefactInput('voice', voice.key),
    ...(speakers?.state === 'finished' ? { speakers: artefactInput('speakers', speakers.key) } : {}),
  }
  planStage(
    context,
    { slot: ACTIVE_SPEAKER_SLOT, stage: 'active-speaker', params, inputs },
    NO_ACTIVE_SPEAKER,
  )
  return results.has(ACTIVE_SPEAKER_SLOT)
}

/**
 * Looks for voices, once for all that need them; null until they are known. `fallback`: the warning with which the run
 * continues without them.
 */
export function planVoice(context: PlanContext, audio: PlannedInput, fallback?: string) {
  const invocation = { slot: VOICE_SLOT, stage: 'voice' as const, params: {}, inputs: { audio } }
  if (!context.slots.some(({ slot }) => slot === VOICE_SLOT)) return planStage(context, invocation, fallback)
  const result = context.results.get(VOICE_SLOT)
  return result?.state === 'finished'
    ? { output: result.output as OutputOf<Stages['voice']>, key: result.key }
    : null
}
