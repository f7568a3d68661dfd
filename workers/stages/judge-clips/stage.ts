/** Asks the user's language model about the candidates; if that fails they stay unchanged, with a warning. */
import type { StageHandler } from '../context.ts'
import { requestJudgements } from './ask-model.ts'
import { applyAnswer, parseAnswer } from './pure/answer.ts'
import { MAX_CLIPS, buildQuestion } from './pure/question.ts'

const TICK_MS = 1000

export const runJudgeClips: StageHandler<'judge-clips'> = async (context, params) => {
  const { candidates, wishes, headline = '', access } = params
  const asked = candidates
    .flatMap((candidate, place) => (candidate.text === '' ? [] : [place]))
    .slice(0, MAX_CLIPS)
  const clips = asked.flatMap((place) => candidates[place] ?? [])
  const unchanged = { candidates, asked: asked.length, judged: 0 }
  if (clips.length === 0) return unchanged
  const started = performance.now()
  const tick = setInterval(() => {
    const share = (performance.now() - started) / 1000 / access.timeoutSeconds
    context.progress(Math.min(0.95, share), 'Asking the language model')
  }, TICK_MS)
  try {
    const answer = await requestJudgements(access, buildQuestion(clips, wishes, headline), context.signal)
    const fallback = (why: string): typeof unchanged => {
      context.warn(
        `The language model ${access.model} was of no help: ${why} The clips keep the order and the texts that the appliance gave them.`,
      )
      return unchanged
    }
    if (answer.kind === 'failed') return fallback(answer.why)
    const judgements = parseAnswer(answer.text, clips.length)
    if (judgements.size === 0) return fallback('its answer is not about the clips.')
    if (judgements.size < clips.length)
      context.warn(
        `The language model ${access.model} judged ${judgements.size} of ${clips.length} clips; the others keep their own score and texts.`,
      )
    const silent = [...judgements.values()].filter((judgement) => (judgement.headline ?? '').trim() === '')
    if (headline.trim() !== '' && silent.length > 0)
      context.warn(
        `The language model ${access.model} wrote no headline for ${silent.length} of ${clips.length} clips, though titleConfig.prompt asks for one; those show their title.`,
      )
    return {
      candidates: applyAnswer(candidates, asked, judgements, access.model),
      asked: asked.length,
      judged: judgements.size,
    }
  } finally {
    clearInterval(tick)
  }
}
