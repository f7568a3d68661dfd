/** PURE: the user's own language model in the plan of a run: what it is asked about the clips that were found. */
import type { ClipCandidate, FindClipsSettings } from '../../../contract/clip-candidate.ts'
import type { RunSnapshot } from '../../../contract/run.ts'
import { headlinePrompt } from '../../../nodes/index.ts'
import { STAGES, type Stages } from '../../../../workers/stages/catalog.ts'
import type { OutputOf, ParamsOf } from '../../../../workers/stages/declare.ts'
import { need, type Draft, type SlotResults } from './plan-draft.ts'
import { FACES_SLOT } from './plan-faces.ts'
import type { JudgeState } from './plan-input.ts'

type JudgeParams = ParamsOf<Stages['judge-clips']>

export interface JudgePlanInput {
  readonly candidates: readonly ClipCandidate[]
  readonly settings: FindClipsSettings
  readonly snapshot: Pick<RunSnapshot, 'nodes'>
  readonly judge: JudgeState
}

export const JUDGE_SLOT = 'judge-clips'

/** The candidates as they go on, best first; or `waiting`. */
export function planJudge(draft: Draft, input: JudgePlanInput): readonly ClipCandidate[] | 'waiting' {
  const { candidates, settings, snapshot, judge } = input
  const asked = draft.results.get(JUDGE_SLOT)
  if (asked?.state === 'finished') draft.slots.push({ slot: JUDGE_SLOT, stage: STAGES['judge-clips'].name })
  const judged = judgedCandidates(draft.results)
  if (judged !== null) return judged
  if (judge.state === 'refused') draft.warnings.push(judge.why)
  // Faces that were looked for before the model was configured belong to the candidates in the order that they had.
  const late = asked === undefined && draft.results.has(FACES_SLOT)
  const speaks = candidates.some(({ text }) => text !== '')
  if (judge.state !== 'ready' || late || !speaks) return candidates
  const wishes = [settings.prompt, settings.promptAdjustment, settings.keywords.join(', ')]
  const headline = headlinePrompt(snapshot.nodes)
  const { address, model } = judge.access
  const params: JudgeParams = { candidates: [...candidates], wishes, headline, access: judge.access }
  const invocation = {
    slot: JUDGE_SLOT,
    stage: 'judge-clips',
    params,
    inputs: {},
    keyParams: { candidates, wishes, headline, address, model },
  } as const
  need(draft, invocation, 'The language model was not asked.')
  return draft.failure === null && draft.results.has(JUDGE_SLOT) ? candidates : 'waiting'
}

/** What the language model made of the candidates; null when it was not asked, or its stage failed. */
export function judgedCandidates(results: SlotResults): readonly ClipCandidate[] | null {
  const result = results.get(JUDGE_SLOT)
  return result?.state === 'finished' ? (result.output as OutputOf<Stages['judge-clips']>).candidates : null
}
