/** PURE: how the user's own language model judges the clips that were found. */
import type { ClipCandidate } from '../../../contract/clip-candidate.ts'
import { headlinePrompt } from '../../../nodes/index.ts'
import { STAGES, type Stages } from '../../../../workers/stages/catalog.ts'
import type { OutputOf, ParamsOf } from '../../../../workers/stages/declare.ts'
import type { PlanContext } from './plan-input.ts'
import { planStage, type SlotResults } from './plan-draft.ts'
import { FACES_SLOT } from './plan-faces.ts'

const JUDGE_SLOT = 'judge-clips'

/** The candidates that the run continues with, best first. */
export function planJudge(
  context: PlanContext,
  candidates: readonly ClipCandidate[],
): readonly ClipCandidate[] | 'waiting' {
  const { results, settings, environment } = context
  const result = results.get(JUDGE_SLOT)
  if (result?.state === 'finished')
    context.slots.push({ slot: JUDGE_SLOT, stage: STAGES['judge-clips'].name })
  const judged = judgedCandidates(results)
  if (judged !== null) return judged
  if (environment.judge.state === 'refused') context.warnings.push(environment.judge.why)
  // Faces detected before the model was configured belong to the candidates in their first order, so it stays.
  const facesAreDetected = result === undefined && results.has(FACES_SLOT)
  const hasSpeech = candidates.some(({ text }) => text !== '')
  if (environment.judge.state !== 'ready' || facesAreDetected || !hasSpeech) return candidates
  const wishes = [settings.prompt, settings.promptAdjustment, settings.keywords.join(', ')]
  const { access } = environment.judge
  const { address, model } = access
  const params: ParamsOf<Stages['judge-clips']> = {
    candidates: [...candidates],
    wishes,
    headline: headlinePrompt(context.snapshot.nodes),
    access,
  }
  planStage(
    context,
    {
      slot: JUDGE_SLOT,
      stage: 'judge-clips',
      params,
      inputs: {},
      keyParams: { candidates, wishes, headline: params.headline, address, model },
    },
    'The language model was not asked.',
  )
  return context.failure === null && results.has(JUDGE_SLOT) ? candidates : 'waiting'
}

/** The candidates as the language model judged them; null when it was not requested, or its stage failed. */
export function judgedCandidates(results: SlotResults): readonly ClipCandidate[] | null {
  const result = results.get(JUDGE_SLOT)
  return result?.state === 'finished' ? (result.output as OutputOf<Stages['judge-clips']>).candidates : null
}
