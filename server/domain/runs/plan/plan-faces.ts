/** PURE: face detection in the chosen clips, before they are made, for nodes that frame people. */
import type { ClipCandidate } from '../../../contract/clip-candidate.ts'
import { hdrColours } from '../../../contract/colour-matrix.ts'
import { seekingIn } from '../../../contract/source-facts.ts'
import { neededMeasurements } from '../../../nodes/index.ts'
import type { Stages } from '../../../../workers/stages/catalog.ts'
import type { ParamsOf } from '../../../../workers/stages/declare.ts'
import { extendedRange } from './plan-clips.ts'
import type { PlanContext, PlannedAudio, PlannedSource } from './plan-input.ts'
import { artefactInput, planStage } from './plan-draft.ts'

export const FACES_SLOT = 'faces'

const NO_FACES = 'People are framed without knowing where they are.'

/** Whether the run can continue: no node needs faces, or the detection has ended, with or without a result. */
export function planFaces(
  context: PlanContext,
  source: PlannedSource,
  audio: PlannedAudio,
  candidates: readonly ClipCandidate[],
): boolean {
  const { facts, input } = source
  if (facts.video === null || !neededMeasurements(context.snapshot.nodes).has('faces')) return true
  if (!context.environment.faces) {
    context.warnings.push(
      `${NO_FACES} No model for faces is installed; install it with: cutroom models install yunet`,
    )
    return true
  }
  const { width, height, hdr, streamIndex } = facts.video
  const params: ParamsOf<Stages['faces']> = {
    ranges: candidates.map((candidate) => extendedRange(candidate, facts)),
    streamIndex,
    width,
    height,
    hdr,
    ...hdrColours(facts.video),
    ...seekingIn(facts),
  }
  planStage(
    context,
    {
      slot: FACES_SLOT,
      stage: 'faces',
      params,
      inputs: {
        source: input,
        ...(audio === null ? {} : { audio: artefactInput('audio', audio.key) }),
      },
    },
    NO_FACES,
  )
  return context.results.has(FACES_SLOT)
}
