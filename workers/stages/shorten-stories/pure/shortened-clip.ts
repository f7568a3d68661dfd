/** PURE. The clip that a language model's marks make, described anew, and what a clip says whose marks are not used. */
import { calibrate, rawScore, type ClipCandidate } from '../../../../server/contract/clip-candidate.ts'
import { describeWindow } from '../../find-clips/pure/describe.ts'
import { LONG_STORY_ADVICE } from '../../find-clips/pure/long-stories.ts'
import { endingScore, hookScore, windowOver, type Analysis } from '../../find-clips/pure/score-windows.ts'
import { shorten } from '../../find-clips/pure/text-tools.ts'
import type { ValidMarks } from './check-marks.ts'
import type { Talk } from './story-window.ts'

/** The odds of the words and the marks of the model count alike for how whole it is. */
const MODEL_SHARE = 0.5
/** Set-up is what stands in the first part of a story. */
const SET_UP = 0.6

interface Applied {
  readonly candidate: ClipCandidate
  readonly marks: ValidMarks
  readonly model: string
  /** How many other clips were parts of the same story. */
  readonly replaced: number
}

/** Sound, picture and what was requested count as they did in the clip before: only the words were read again. */
export function applyMarks(talk: Talk, { candidate, marks, model, replaced }: Applied): ClipCandidate {
  const facts = talk.leavingOut(marks.leftOut)
  const window = windowAt(facts.analysis, marks)
  const before = windowAt(talk.facts.analysis, placeOf(talk.facts.analysis, candidate))
  const others = replaced === 0 ? '' : ' It takes the place of another clip of the same story.'
  const shortened = sayShortened(talk.facts.analysis, marks)
  const clip = describeWindow(window, 'found', {
    ...facts,
    marked: (first, last) =>
      `Holds a story from its opening, ${first}, to its pay-off, ${last}, as ${model} marked them.${shortened}${others}`,
  })
  return {
    ...clip,
    score: calibrate(rawScore(candidate.score) + window.own - before.own),
    ...(candidate.relevance === undefined ? {} : { relevance: candidate.relevance }),
    scoreReasons: clip.scoreReasons.map((one) =>
      one.name === 'completeness'
        ? { ...one, score: Math.round(one.score * (1 - MODEL_SHARE) + 100 * MODEL_SHARE) }
        : one,
    ),
    ...(candidate.features === undefined
      ? {}
      : {
          features: {
            ...candidate.features,
            ...clip.features,
            relevance: candidate.features.relevance ?? 0,
          },
        }),
  }
}

const windowAt = (analysis: Analysis, place: { from: number; to: number; start: number; end: number }) => {
  const { from, to, start, end } = place
  return windowOver(analysis, { from, to, start, end }, hookScore(analysis, from), endingScore(analysis, to))
}

const placeOf = ({ sentences }: Analysis, { start, end }: ClipCandidate) => ({
  from: Math.max(
    0,
    sentences.findIndex((sentence) => sentence.end > start + 0.05),
  ),
  to: sentences.findLastIndex((sentence) => sentence.start < end - 0.05),
  start,
  end,
})

function sayShortened({ sentences, stories }: Analysis, { cuts, from, to, start, end }: ValidMarks): string {
  const secondsOf = (run: { from: number; to: number }): number =>
    (sentences[run.to]?.end ?? 0) -
    (sentences[run.from]?.start ?? 0) -
    stories.gaps.secondsBetween(run.from, run.to)
  const interrupted = Math.round(stories.gaps.secondsBetween(from, to))
  const others = interrupted === 0 ? '' : ` ${interrupted} s that interrupt it are left out as well.`
  if (cuts.length === 0) return others
  const seconds = Math.round(cuts.reduce((sum, run) => sum + secondsOf(run), 0))
  const lastCut = sentences[cuts.at(-1)?.from ?? 0]?.start ?? 0
  const what = lastCut <= start + SET_UP * (end - start) ? 'The set-up' : 'It'
  const parts = cuts.map((run) => `"${shorten(sentences[run.from]?.text ?? '', 40)}"`)
  const list =
    parts.length === 1 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`
  return ` ${what} is shortened by ${seconds} s: what begins with ${list} is left out.${others}`
}

/** The clip as it was, with why the marks are not used. */
export const sayRefused = (candidate: ClipCandidate, model: string, why: string): ClipCandidate => ({
  ...candidate,
  scoreReasons: candidate.scoreReasons.map((one) =>
    one.name === 'completeness'
      ? {
          ...one,
          reason: `${one.reason.replace(LONG_STORY_ADVICE, '')} ${model} was asked for the whole story, and its answer is not used: ${why}.`,
        }
      : one,
  ),
})
