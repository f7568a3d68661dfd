/**
 * PURE: every clip goes through its own stages and is finished by itself, the best one first: faces in its range, who of
 * them speaks, then what is made of its composition.
 */
import type { ClipCandidate } from '../../../contract/clip-candidate.ts'
import { neededMeasurements } from '../../../nodes/index.ts'
import { planActiveSpeaker } from './plan-active-speaker.ts'
import { haveEnded } from './plan-assets.ts'
import { clipSlot, extendedRange, planClip, stagesOfClip } from './plan-clips.ts'
import { planFacesIn } from './plan-detections.ts'
import { CODES_WITHOUT_FALLBACK, type PlannedInput } from './plan-draft.ts'
import type { PlanContext, PlannedAudio, PlannedSource, RunPlan } from './plan-input.ts'

/** Clips that are worked on at once. More would share the machine, and each would be finished later. */
const CLIPS_AT_ONCE = 2

export interface ClipSource {
  readonly source: PlannedSource
  readonly audio: PlannedAudio
  readonly transcript: PlannedInput | null
  readonly candidates: readonly ClipCandidate[]
  /** Whether everything has ended that all clips wait for. */
  readonly isReady: boolean
}

/** What can be done with the clips, by ordinal. */
export type ClipSteps = Pick<RunPlan, 'draftable' | 'makeable' | 'finished'> & {
  /** Nothing is left to do for any of them. */
  readonly areDone: boolean
}

/** Adds the stages of all clips that are next. */
export function planEachClip(context: PlanContext, given: ClipSource): ClipSteps {
  const steps = { draftable: [] as number[], makeable: [] as number[], finished: [] as number[] }
  // Somebody waits for the first card: it has the machine for itself.
  const hasOne = context.settled.size > 0 || hasCard(context, given)
  const most = hasOne ? CLIPS_AT_ONCE : 1
  let open = 0
  let rendering = 0
  for (const [ordinal, candidate] of given.candidates.entries()) {
    if (context.settled.has(ordinal)) {
      showSettled(context, ordinal)
      continue
    }
    const before = context.ready.length
    const measured = planMeasurements(context, given, ordinal, candidate)
    const step = planMade(context, given, ordinal) ?? planUnmade(context, given, ordinal, measured)
    if (step === 'draftable' || step === 'makeable' || step === 'finished') steps[step].push(ordinal)
    if (step === 'rendering') rendering += 1
    else if (step !== 'finished') open += 1
    if (open > most) context.ready.length = before
  }
  return { ...steps, areDone: open + rendering === 0 }
}

/** Whether the stages of some clip have ended, but for its render. */
const hasCard = (context: PlanContext, { transcript }: ClipSource): boolean =>
  [...context.made.keys()].some((ordinal) =>
    missingStages(context, transcript, ordinal).every((stage) => stage === 'render'),
  )

const missingStages = (context: PlanContext, transcript: PlannedInput | null, ordinal: number) =>
  stagesOfClip(context, transcript !== null).filter((stage) => {
    const result = context.results.get(clipSlot(ordinal, stage))
    // What failed for good and has a fallback is done with; what was stopped is not.
    return result === undefined || CODES_WITHOUT_FALLBACK.has(result.failure?.code ?? '')
  })

type Step = 'waiting' | 'draftable' | 'makeable' | 'rendering' | 'finished'

/** Lists the stages that a clip had, for the progress. */
function showSettled(context: PlanContext, ordinal: number): void {
  for (const stage of ['faces', 'active-speaker', ...stagesOfClip(context, true)] as const) {
    const slot = clipSlot(ordinal, stage)
    if (context.results.has(slot)) context.slots.push({ slot, stage })
  }
}

/** Whether the clip is measured, with or without a result. */
function planMeasurements(
  context: PlanContext,
  { source, audio }: ClipSource,
  ordinal: number,
  candidate: ClipCandidate,
): boolean {
  if (!neededMeasurements(context.snapshot.nodes).has('faces')) return true
  const slots = {
    faces: clipSlot(ordinal, 'faces'),
    activeSpeaker: clipSlot(ordinal, 'active-speaker'),
  }
  const ranges = [extendedRange(candidate, source.facts)]
  return (
    planFacesIn(context, source, audio, ranges, slots.faces) &&
    planActiveSpeaker(context, source, audio, slots)
  )
}

/** Null for a clip that has no composition yet. */
function planMade(context: PlanContext, { source, transcript }: ClipSource, ordinal: number): Step | null {
  const clip = context.made.get(ordinal)
  if (clip === undefined) return null
  planClip(context, clip, source, transcript)
  const missing = missingStages(context, transcript, ordinal)
  if (missing.length === 0) return 'finished'
  return missing.every((stage) => stage === 'render') ? 'rendering' : 'waiting'
}

/** Shows the stages to come, so that the progress counts them. */
function planUnmade(
  context: PlanContext,
  { transcript, isReady }: ClipSource,
  ordinal: number,
  measured: boolean,
): Step {
  for (const stage of stagesOfClip(context, transcript !== null))
    context.slots.push({ slot: clipSlot(ordinal, stage), stage })
  if (!measured || !isReady) return 'waiting'
  const needs = context.drafted.get(ordinal)
  if (needs === undefined) return 'draftable'
  return haveEnded(needs, context.results) ? 'makeable' : 'waiting'
}
