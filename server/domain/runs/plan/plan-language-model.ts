/** PURE: what a run asks the studio's own language model about its candidates. */
import type { ClipCandidate } from '../../../contract/clip-candidate.ts'
import { headlinePrompt } from '../../../nodes/index.ts'
import { STAGES, type Stages } from '../../../../workers/stages/catalog.ts'
import type { OutputOf, ParamsOf } from '../../../../workers/stages/declare.ts'
import { planStage, type PlannedInput, type SlotResults } from './plan-draft.ts'
import type { PlanContext } from './plan-input.ts'

const SHORTEN_SLOT = 'shorten-stories'
const JUDGE_SLOT = 'judge-clips'

interface Spoken {
  readonly transcript: PlannedInput | null
  readonly durationSeconds: number
}

/** The candidates that the run continues with, best first: long stories are shortened, then all are judged. */
export function planLanguageModel(
  context: PlanContext,
  candidates: readonly ClipCandidate[],
  spoken: Spoken,
): readonly ClipCandidate[] | 'waiting' {
  const shortened = planShorten(context, candidates, spoken)
  return shortened === 'waiting' ? shortened : planJudge(context, shortened)
}

/** Clips that were begun before the model was configured belong to the candidates as they were, so these stay. */
const haveBegun = ({ results }: PlanContext): boolean =>
  [...results.keys()].some((slot) => slot === JUDGE_SLOT || slot.startsWith('clip:'))

function planShorten(
  context: PlanContext,
  candidates: readonly ClipCandidate[],
  { transcript, durationSeconds }: Spoken,
): readonly ClipCandidate[] | 'waiting' {
  const { results, settings, environment } = context
  const result = results.get(SHORTEN_SLOT)
  const shortened = shortenedCandidates(results)
  if (shortened !== null) {
    context.slots.push({ slot: SHORTEN_SLOT, stage: STAGES['shorten-stories'].name })
    return shortened
  }
  const isFound = candidates.some(({ origin, text }) => origin === 'found' && text !== '')
  if (environment.judge.state !== 'ready' || transcript === null || !isFound) return candidates
  if (result === undefined && haveBegun(context)) return candidates
  const { access } = environment.judge
  const { address, model } = access
  const params: ParamsOf<Stages['shorten-stories']> = {
    candidates: [...candidates],
    settings,
    durationSeconds,
    access,
  }
  planStage(
    context,
    {
      slot: SHORTEN_SLOT,
      stage: 'shorten-stories',
      params,
      inputs: { transcript },
      keyParams: { candidates, settings, durationSeconds, address, model },
    },
    'Stories that are longer than a clip were not shortened.',
  )
  return context.failure === null && results.has(SHORTEN_SLOT) ? candidates : 'waiting'
}

function planJudge(
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
  // Clips that were begun before the model was configured belong to the candidates in their first order, so it stays.
  const haveBegun = result === undefined && [...results.keys()].some((slot) => slot.startsWith('clip:'))
  const hasSpeech = candidates.some(({ text }) => text !== '')
  if (environment.judge.state !== 'ready' || haveBegun || !hasSpeech) return candidates
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
function judgedCandidates(results: SlotResults): readonly ClipCandidate[] | null {
  const result = results.get(JUDGE_SLOT)
  return result?.state === 'finished' ? (result.output as OutputOf<Stages['judge-clips']>).candidates : null
}

/** The candidates as the language model left them; null where it changed nothing. */
export const modelCandidates = (results: SlotResults): readonly ClipCandidate[] | null =>
  judgedCandidates(results) ?? shortenedCandidates(results)

function shortenedCandidates(results: SlotResults): readonly ClipCandidate[] | null {
  const result = results.get(SHORTEN_SLOT)
  return result?.state === 'finished'
    ? (result.output as OutputOf<Stages['shorten-stories']>).candidates
    : null
}
