/** PURE: the look for faces in the chosen clips, for nodes that frame people: before the clips are made. */
import type { ClipCandidate } from '../../../contract/clip-candidate.ts'
import type { RunSnapshot } from '../../../contract/run.ts'
import { hdrColours } from '../../../contract/colour-matrix.ts'
import { seekingIn, type SourceFacts } from '../../../contract/source-facts.ts'
import { neededMeasurements } from '../../../nodes/index.ts'
import type { Stages } from '../../../../workers/stages/catalog.ts'
import type { ParamsOf } from '../../../../workers/stages/declare.ts'
import { extendedRange } from './plan-clips.ts'
import { need, type Draft, type PlannedInput } from './plan-draft.ts'

export interface FacesPlanInput {
  readonly snapshot: RunSnapshot
  readonly facts: SourceFacts
  readonly candidates: readonly ClipCandidate[]
  readonly inputs: { readonly source: PlannedInput; readonly audio?: PlannedInput }
  /** Whether a model for faces is installed. */
  readonly installed: boolean
}

export const FACES_SLOT = 'faces'

const NOT_FRAMED = 'People are framed without knowing where they are.'

/** Whether the run can go on: nobody has to be looked for, or the look is over, however it ended. */
export function planFaces(draft: Draft, input: FacesPlanInput): boolean {
  const { snapshot, facts, candidates, inputs, installed } = input
  if (facts.video === null || !neededMeasurements(snapshot.nodes).has('faces')) return true
  if (!installed) {
    draft.warnings.push(
      `${NOT_FRAMED} No model for faces is installed; install it with: cutroom models install yunet`,
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
  need(draft, { slot: FACES_SLOT, stage: 'faces', params, inputs: { ...inputs } }, NOT_FRAMED)
  return draft.results.has(FACES_SLOT)
}
