/** PURE: speaker detection in the plan of a run: which words belong to which voice. */
import type { PlanContext, PlannedAudio } from './plan-input.ts'
import { artefactInput, planStage } from './plan-draft.ts'

export const SPEAKERS_SLOT = 'speakers'

/** The stage that a run reads its transcript from, and the content key of its result. */
export interface TranscriptSource {
  readonly stage: 'captions' | 'speech' | 'speakers'
  readonly key: string
}

/** The stage that has the words with their speakers; the given one where speakers cannot be detected. */
export function planSpeakers(
  context: PlanContext,
  transcript: TranscriptSource,
  audio: PlannedAudio,
): TranscriptSource | 'waiting' {
  // A stored result stays valid when the model is removed afterwards.
  const available = context.environment.speakers || context.results.has(SPEAKERS_SLOT)
  if (audio === null || audio.output.silent || !available) return transcript
  const result = planStage(
    context,
    {
      slot: SPEAKERS_SLOT,
      stage: 'speakers',
      params: { count: 0 },
      inputs: {
        transcript: artefactInput(transcript.stage, transcript.key),
        audio: artefactInput('audio', audio.key),
      },
    },
    'The speakers are not told apart.',
  )
  if (result !== null) return { stage: 'speakers', key: result.key }
  return context.failure !== null || !context.results.has(SPEAKERS_SLOT) ? 'waiting' : transcript
}
