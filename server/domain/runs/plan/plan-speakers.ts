/** PURE: the words of a run with their speakers, where there is a model that tells voices apart. */
import { artefactInput, need, type Draft, type TranscriptSource } from './plan-draft.ts'

export interface SpeakersPlanInput {
  readonly transcript: TranscriptSource
  /** The finished audio stage; null for a source without sound. */
  readonly audio: { readonly key: string; readonly output: { readonly silent: boolean } } | null
  /** Whether a model for speakers is installed. */
  readonly installed: boolean
}

export const SPEAKERS_SLOT = 'speakers'

/** The stage that has the words from now on; the given one where nobody can be told apart. */
export function planSpeakers(draft: Draft, input: SpeakersPlanInput): TranscriptSource | 'waiting' {
  const { transcript, audio, installed } = input
  // Once they were told apart, it no longer matters whether the model is still there.
  const wanted = installed || draft.results.has(SPEAKERS_SLOT)
  if (audio === null || audio.output.silent || !wanted) return transcript
  const result = need(
    draft,
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
  return draft.failure !== null || !draft.results.has(SPEAKERS_SLOT) ? 'waiting' : transcript
}
