/** PURE: what a choice of clips goes by besides the words: what is heard and what is seen. */
import { planPicture, type PicturePlanInput } from './plan-picture.ts'
import type { Draft, PlannedInput } from './plan-draft.ts'
import { planSounds, type SoundsPlanInput } from './plan-sounds.ts'

/** Inputs of find-clips; none for a choice by words alone. `waiting`: not all are there yet, or the draft has a failure. */
export function planSenses(
  draft: Draft,
  input: PicturePlanInput & SoundsPlanInput,
): { readonly events?: PlannedInput; readonly picture?: PlannedInput } | 'waiting' {
  // Both are planned before either is waited for: they go side by side.
  const picture = planPicture(draft, input)
  const events = planSounds(draft, input)
  if (picture === 'waiting' || events === 'waiting') return 'waiting'
  return { ...(events === null ? {} : { events }), ...(picture === null ? {} : { picture }) }
}
