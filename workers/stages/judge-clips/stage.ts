/** Asks the user's language model about the candidates; if that fails they stay unchanged, with a warning. */
import type { StageHandler } from '../context.ts'
import {
  addTitles,
  applyAnswer,
  checkJudgements,
  parseAnswer,
  parseTitles,
  rejectedClips,
} from './pure/answer.ts'
import { requestAnswer, type Answer } from './ask-model.ts'
import { buildQuestion, buildSecondQuestion, MAX_CLIPS, type Question } from './pure/question.ts'

const TICK_MS = 1000

export const runJudgeClips: StageHandler<'judge-clips'> = async (context, params) => {
  const { candidates, wishes, headline = '', access } = params
  const places = candidates
    .flatMap((candidate, place) => (candidate.text === '' ? [] : [place]))
    .slice(0, MAX_CLIPS)
  const clips = places.flatMap((place) => candidates[place] ?? [])
  const unchanged = { candidates, asked: places.length, judged: 0 }
  if (clips.length === 0) return unchanged
  const started = performance.now()
  // For all requests together.
  const limit = AbortSignal.timeout(access.timeoutSeconds * 1000)
  const tick = setInterval(() => {
    const share = (performance.now() - started) / 1000 / access.timeoutSeconds
    context.progress(Math.min(0.95, share), 'Asking the language model')
  }, TICK_MS)
  try {
    const ask = (question: Question): Promise<Answer> =>
      requestAnswer(access, question, limit, context.signal)
    const answer = await ask(buildQuestion(clips, wishes, headline))
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
    const { checked, dropped } = await checkTwice({ clips, judgements, order: headline }, ask)
    const silent = [...checked.values()].filter((one) => one.headline === null)
    if (headline.trim() !== '' && silent.length > 0)
      context.warn(
        `The language model ${access.model} wrote no headline for ${silent.length} of ${clips.length} clips, though titleConfig.prompt asks for one; those show their title.`,
      )
    const untitled = rejectedClips(clips, checked, dropped)
    if (untitled.length > 0)
      context.warn(
        `The language model ${access.model} proposed no title that fits what is said for ${untitled.length} of ${clips.length} clips; those keep the title made from their own words.`,
      )
    return {
      candidates: applyAnswer(candidates, places, checked, access.model),
      asked: places.length,
      judged: judgements.size,
      dropped,
    }
  } finally {
    clearInterval(tick)
  }
}

/** Holds the texts against the transcripts, and asks once more for titles of the clips that have none left. */
async function checkTwice(
  judged: Parameters<typeof checkJudgements>[0],
  ask: (question: Question) => Promise<Answer>,
): Promise<ReturnType<typeof checkJudgements>> {
  const first = checkJudgements(judged)
  const rejected = rejectedClips(judged.clips, first.checked, first.dropped)
  if (rejected.length === 0) return first
  const answer = await ask(buildSecondQuestion(rejected))
  if (answer.kind === 'failed') return first
  const second = addTitles(first.checked, rejected, parseTitles(answer.text))
  return { checked: second.checked, dropped: [...first.dropped, ...second.dropped] }
}
