/** PURE: the ears of a run that looks at more than the words: laughter, applause, cheering and music in its sound. */
import type { FindClipsSettings } from '../../../contract/clip-candidate.ts'
import type { RunSnapshot } from '../../../contract/run.ts'
import { analysisNeeds } from '../../../nodes/index.ts'
import { artefactInput, need, type Draft, type PlannedInput } from './plan-draft.ts'

export interface SoundsPlanInput {
  readonly snapshot: RunSnapshot
  readonly settings: FindClipsSettings
  /** The finished audio stage; null for a source without sound. */
  readonly audio: { readonly key: string; readonly output: { readonly silent: boolean } } | null
  /** Whether a model for sound events is installed. */
  readonly installed: boolean
}

export const SOUNDS_SLOT = 'sound-events'

const NOT_LISTENED = 'Laughter, applause and music were not listened for.'

/** Whether the clips of this run are chosen by more than the words: it is asked for, and there is something to choose. */
export function usesSenses(snapshot: RunSnapshot, settings: FindClipsSettings): boolean {
  const given = settings.wholeSource || (settings.pinnedOnly && settings.pinnedMode === 'ranges')
  return !given && analysisNeeds(snapshot.nodes).modelKey === 'multimodal'
}

/** What find-clips is told of it: nothing for a choice by words alone, whose key and result stay as they are. */
export function sensesOf(
  snapshot: RunSnapshot,
  settings: FindClipsSettings,
  { displayName }: { readonly displayName: string },
): { senses?: { name: string } } {
  return usesSenses(snapshot, settings) ? { senses: { name: displayName.replace(/\.[^.]*$/, '') } } : {}
}

/** The events as an input; null when the run goes on without them; `waiting`: not yet, or the draft has a failure. */
export function planSounds(draft: Draft, input: SoundsPlanInput): PlannedInput | null | 'waiting' {
  const { snapshot, settings, audio, installed } = input
  if (audio === null || audio.output.silent || !usesSenses(snapshot, settings)) return null
  // Once they were heard, it no longer matters whether the model is still there.
  if (!installed && !draft.results.has(SOUNDS_SLOT)) {
    draft.warnings.push(
      `${NOT_LISTENED} No model for sound events is installed; install it with: cutroom models install yamnet --from FOLDER`,
    )
    return null
  }
  const inputs = { audio: artefactInput('audio', audio.key) }
  const heard = need(draft, { slot: SOUNDS_SLOT, stage: 'sound-events', params: {}, inputs }, NOT_LISTENED)
  if (heard !== null) return artefactInput('sound-events', heard.key)
  return draft.failure !== null || !draft.results.has(SOUNDS_SLOT) ? 'waiting' : null
}
